package weir.feature.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;

/**
 * The settings of a gateway.
 *
 * @param port port on {@code host}; 0 for any free port
 * @param producer all properties of its producer, including {@code bootstrap.servers} and secrets
 * @param vouched true if requests may have any Host header, because a balancer in front of the gateway sets it
 * @param token that each request must send as {@code Authorization: Bearer TOKEN}; empty if none is required
 */
public record GatewaySettings(
        String host,
        int port,
        SortedMap<String, String> producer,
        GatewaySpec.Answer answer,
        RequestLimits limits,
        boolean vouched,
        String token,
        Optional<Certificate> certificate) {
    public static final RequestLimits LIMITS = RequestLimits.DEFAULT;

    public GatewaySettings {
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
    }

    /** A certificate with its chain and its private key, as two PEM files; the key is unencrypted. */
    public record Certificate(Path chain, Path key) {
        /** Throws an exception if the files are not a certificate and its key. */
        public void check() throws IOException {
            var unused = HttpServer.tls(chain, key, true);
        }
    }

    long number(String property, long otherwise) {
        String text = producer.get(property);
        return text == null ? otherwise : Long.parseLong(text.strip());
    }

    @Override
    public String toString() {
        return "gateway at " + host + ":" + port;
    }
}
