package weir.results.value;

import org.jspecify.annotations.Nullable;

/** How far the readers were behind: records at the worst and at the end, and the age of the oldest unread record. */
public record LagResult(
        @Nullable Long max, @Nullable Long end, @Nullable Double maxSeconds) {
    public static final LagResult NONE = new LagResult(null, null, null);
}
