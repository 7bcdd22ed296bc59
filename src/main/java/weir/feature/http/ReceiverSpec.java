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
 * @param listen HOST:PORT; empty for a free port on loopback
 * @param delay between an event and its answer
 * @param fail share of events that are rejected with 500
 * @param token that each request needs as {@code Authorization: Bearer TOKEN}; a reference to a secret, or empty
 * @param certificate and {@code key}: PEM files for TLS; empty paths for none
 */
public record ReceiverSpec(String listen, Duration delay, Ratio fail, String token, Path certificate, Path key)
        implements LoadPart {
    static final String TOKEN = "load.receiver.token";

    public static final ReceiverSpec PLAIN =
            new ReceiverSpec("", Duration.ZERO, new Ratio(0), "", Path.of(""), Path.of(""));

    /** The receiver with a resolved token, and its files resolved against {@code folder}. */
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
