package weir.feature.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.LoadPart;
import weir.plan.Ratio;

/**
 * The receiver of events by HTTP.
 *
 * @param listen address to listen on, as HOST:PORT; empty for a free port on loopback
 * @param delay between the arrival of an event and its answer
 * @param fail share of the events that the receiver rejects with 500
 * @param token that each request must send as {@code Authorization: Bearer TOKEN}; a reference to a secret, or empty if
 *     none is required
 * @param certificate PEM file for TLS, with its private key in {@code key}; empty paths without TLS
 */
public record ReceiverSpec(String listen, Duration delay, Ratio fail, String token, Path certificate, Path key)
        implements LoadPart {
    static final String TOKEN = "load.receiver.token";

    public static final ReceiverSpec PLAIN =
            new ReceiverSpec("", Duration.ZERO, new Ratio(0), "", Path.of(""), Path.of(""));

    /** Returns these settings with the resolved token and with paths resolved against {@code folder}. */
    public ReceiverSpec with(String resolved, Path folder) {
        return new ReceiverSpec(listen, delay, fail, resolved, in(folder, certificate), in(folder, key));
    }

    @Override
    public SortedMap<String, String> secrets() {
        return token.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(Map.of(TOKEN, token));
    }

    @Override
    public List<Path> files() {
        return List.of(certificate, key);
    }

    @Override
    public LoadPart sending() {
        return PLAIN;
    }

    private static Path in(Path folder, Path file) {
        return file.toString().isEmpty() ? file : folder.resolve(file);
    }
}
