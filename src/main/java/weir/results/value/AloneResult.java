package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * The performance of the generator at one step of a pace when nothing held it back: against a null target.
 *
 * @param seconds as long as it was tried
 * @param holds whether it sent on time what was due
 */
public record AloneResult(
        double rate,
        double seconds,
        @Nullable Double achieved,
        @Nullable Double lateP99,
        boolean holds) {}
