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
 * A gateway as it is asked for.
 *
 * @param host the address that it listens on
 * @param port 0 for any that is free
 * @param producer all properties of its producer, {@code bootstrap.servers} and secrets included
 * @param vouched true when a balancer before it may call it by any name
 * @param token that a request has to bring as {@code Authorization: Bearer TOKEN}; empty for none
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

    /** PEM files; the key is not encrypted and has a file of its own. */
    public record Certificate(Path chain, Path key) {
        /** Throws when the files are not a certificate and its key. */
        public void check() throws IOException {
            var unused = HttpServer.tls(chain, key, true);
        }
    }

    /** A number of the producer's properties, or the value that the producer uses without it. */
    long number(String property, long otherwise) {
        String text = producer.get(property);
        return text == null ? otherwise : Long.parseLong(text.strip());
    }

    /** Names only the place, because properties may hold secrets. */
    @Override
    public String toString() {
        return "gateway at " + host + ":" + port;
    }
}
