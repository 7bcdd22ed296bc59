package weir.results;

import org.jspecify.annotations.Nullable;

/** The numbers of a trial or of one of its steps: rates, ledger, latencies, lag. Null means not known, never zero. */
public record Figures(
        @Nullable Double offeredPerSecond,
        @Nullable Long due,
        @Nullable Long unsent,
        @Nullable Long sent,
        @Nullable Long acked,
        @Nullable Long failed,
        @Nullable Long aborted,
        @Nullable Long unresolved,
        @Nullable Long received,
        @Nullable Long unread,
        @Nullable Long lost,
        @Nullable Long duplicated,
        @Nullable Long reread,
        @Nullable Long reordered,
        @Nullable Long ghosts,
        @Nullable Long foreign,
        @Nullable Long expired,
        @Nullable Double ackedPerSecond,
        @Nullable Double receivedPerSecond,
        @Nullable Double mebibytesPerSecond,
        LatencyResult response,
        LatencyResult service,
        LatencyResult held,
        LatencyResult late,
        LatencyResult blocked,
        LatencyResult e2e,
        LagResult lag) {}
