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
 * @param host address on which it listens
 * @param port 0 for any free one
 * @param producer all properties of its producer, with {@code bootstrap.servers} and secrets
 * @param vouched true if a balancer before it may use any host name for it
 * @param token that each request needs as {@code Authorization: Bearer TOKEN}; empty for none
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

    /** PEM files; the key is unencrypted and has its own file. */
    public record Certificate(Path chain, Path key) {
        /** Throws if the files are not a certificate and its key. */
        public void check() throws IOException {
            var unused = HttpServer.tls(chain, key, true);
        }
    }

    /** A numeric property of the producer, or {@code otherwise}, its default. */
    long number(String property, long otherwise) {
        String text = producer.get(property);
        return text == null ? otherwise : Long.parseLong(text.strip());
    }

    /** Only the address, because properties may contain secrets. */
    @Override
    public String toString() {
        return "gateway at " + host + ":" + port;
    }
}
