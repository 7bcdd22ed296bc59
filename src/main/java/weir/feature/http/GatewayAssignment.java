package weir.feature.http;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import weir.plan.property.ResolvedSecrets;
import weir.worker.ServerAssignment;

/**
 * The task of a gateway.
 *
 * @param producer all properties of the gateway's producer, with {@code bootstrap.servers}
 * @param vouched true if requests may have any Host header, because a balancer in front of the gateway sets it
 */
public record GatewayAssignment(
        String host,
        int port,
        SortedMap<String, String> producer,
        GatewaySpec.Answer answer,
        boolean vouched,
        ResolvedSecrets secrets)
        implements ServerAssignment {
    public GatewayAssignment {
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
    }

    @Override
    public List<SortedMap<String, String>> clients() {
        return List.of(producer);
    }

    @Override
    public Server serve(LongSupplier clock) throws IOException {
        GatewaySettings settings = new GatewaySettings(
                host, port, producer, answer, GatewaySettings.LIMITS, vouched, "", Optional.empty());
        return Gateway.start(settings)::close;
    }

    // The default text would contain the secrets.
    @Override
    public String toString() {
        return "gateway at " + host + ":" + port;
    }

    public record SinkAssignment(int port) implements ServerAssignment {
        @Override
        public Server serve(LongSupplier clock) throws IOException {
            return HttpSink.start(port)::close;
        }
    }
}
