package weir.results;

import org.jspecify.annotations.Nullable;

/** A named reason to doubt a number. {@code weakens} names the figure; without a trial it is about the whole run. */
public record Caveat(
        String type,
        Level level,
        String evidence,
        String advice,
        String weakens,
        @Nullable Integer trial) {
    /** How much it matters; only an invalid one makes the trial invalid. */
    public enum Level {
        NOTE,
        DOUBT,
        INVALID
    }
}
