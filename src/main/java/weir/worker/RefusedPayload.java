package weir.worker;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import weir.load.message.Payloads;
import weir.plan.LoadSpec;

/** A payload that a worker could not make: of a file without values, or without the column of the keys. */
public final class RefusedPayload {
    private RefusedPayload() {}

    /** Returns the key of the experiment that is wrong, and why; empty if none is. {@code folder} is where relative paths begin. */
    public static Optional<String> of(LoadSpec.Messages messages, Path folder) {
        try {
            Payloads.check(messages.value(), messages.key(), folder);
            return Optional.empty();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
