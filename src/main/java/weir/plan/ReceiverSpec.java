package weir.plan;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The receiver of events by HTTP.
 *
 * @param listen HOST:PORT; empty for a free port on loopback
 * @param delay between an event and its answer
 * @param fail the share of events that are answered 500 and not taken
 * @param token that a request has to bring as {@code Authorization: Bearer TOKEN}, a reference to a secret; empty for none
 * @param certificate and {@code key}: PEM files for TLS; empty paths for none
 */
public record ReceiverSpec(String listen, Duration delay, Ratio fail, String token, Path certificate, Path key) {
    public static final ReceiverSpec PLAIN =
            new ReceiverSpec("", Duration.ZERO, new Ratio(0), "", Path.of(""), Path.of(""));

    /** The receiver with its token resolved and its files resolved against {@code folder}. */
    public ReceiverSpec with(String resolved, Path folder) {
        return new ReceiverSpec(listen, delay, fail, resolved, in(folder, certificate), in(folder, key));
    }

    private static Path in(Path folder, Path file) {
        return file.toString().isEmpty() ? file : folder.resolve(file);
    }
}
