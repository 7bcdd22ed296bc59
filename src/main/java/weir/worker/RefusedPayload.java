package weir.worker;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import weir.feature.Features;
import weir.load.message.Payloads;
import weir.plan.LoadSpec;
import weir.plan.ValueSpec;

/** The check for payloads that a worker cannot make, because a file lacks values or the key column. */
public final class RefusedPayload {
    private RefusedPayload() {}

    /** The key of a server that the payloads need, and the reason why it is unusable; empty if it is usable. */
    public static Optional<String> unusable(LoadSpec load) {
        ValueSpec value = load.messages().value();
        return value.serialized() ? Features.serialized(value, load.topics()).unusable() : Optional.empty();
    }

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
