package weir.worker;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import weir.load.message.Payloads;
import weir.plan.LoadSpec;

/** The check for payloads that a worker cannot make, because a file lacks values or the key column. */
public final class RefusedPayload {
    private RefusedPayload() {}

    /** The wrong key of the experiment and the reason; empty for none. Relative paths begin at {@code folder}. */
    public static Optional<String> of(LoadSpec.Messages messages, Path folder) {
        try {
            Payloads.check(messages.value(), messages.key(), folder);
            return Optional.empty();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
