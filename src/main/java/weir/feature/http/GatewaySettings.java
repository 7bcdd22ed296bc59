package weir.feature.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import weir.http.HttpServer.RequestLimits;
import weir.plan.property.ResolvedSecrets;
import weir.worker.ServerAssignment;

/**
 * The settings of a gateway.
 *
 * @param port port on {@code host}; 0 for any free port
 * @param producer all properties of its producer, including {@code bootstrap.servers} and secrets
 * @param anyHost true if requests may have any Host header, because a balancer in front of the gateway sets it
 * @param token that each request must send as {@code Authorization: Bearer TOKEN}; empty if none is required
 * @param certificate PEM file for TLS, with its private key in {@code key}; empty paths without TLS
 */
public record GatewaySettings(
        String host,
        int port,
        SortedMap<String, String> producer,
        GatewaySpec.Answer answer,
        RequestLimits limits,
        boolean anyHost,
        String token,
        Path certificate,
        Path key,
        ResolvedSecrets secrets)
        implements ServerAssignment {
    public GatewaySettings {
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
    }

    @Override
    public List<SortedMap<String, String>> clients() {
        return List.of(producer);
    }

    @Override
    public Server serve(LongSupplier clock) throws IOException {
        return Gateway.start(this)::close;
    }

    // The default text would contain the secrets.
    @Override
    public String toString() {
        return "gateway at " + host + ":" + port;
    }
}
