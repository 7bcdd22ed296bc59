package weir.results.value;

import java.util.List;
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
        LatencyResult backpressure,
        LatencyResult late,
        LatencyResult blocked,
        LatencyResult e2e,
        LagResult lag,
        @Nullable OperationsResult operations) {

    /** The figures of operations that are single records. */
    public Figures(
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
            LatencyResult backpressure,
            LatencyResult late,
            LatencyResult blocked,
            LatencyResult e2e,
            LagResult lag) {
        this(
                offeredPerSecond,
                due,
                unsent,
                sent,
                acked,
                failed,
                aborted,
                unresolved,
                received,
                unread,
                lost,
                duplicated,
                reread,
                reordered,
                ghosts,
                foreign,
                expired,
                ackedPerSecond,
                receivedPerSecond,
                mebibytesPerSecond,
                response,
                service,
                backpressure,
                late,
                blocked,
                e2e,
                lag,
                null);
    }

    /** The same, of operations that are more. */
    public Figures with(OperationsResult more) {
        return new Figures(
                offeredPerSecond,
                due,
                unsent,
                sent,
                acked,
                failed,
                aborted,
                unresolved,
                received,
                unread,
                lost,
                duplicated,
                reread,
                reordered,
                ghosts,
                foreign,
                expired,
                ackedPerSecond,
                receivedPerSecond,
                mebibytesPerSecond,
                response,
                service,
                backpressure,
                late,
                blocked,
                e2e,
                lag,
                more);
    }

    /** Transactions that were seen in part. */
    public @Nullable Long torn() {
        AtomicityResult found = operations == null ? null : operations.atomicity();
        return found == null ? null : found.torn();
    }

    /** The evidence that a transaction was not all or nothing. */
    public List<String> violations() {
        AtomicityResult found = operations == null ? null : operations.atomicity();
        return found == null ? List.of() : found.violations();
    }
}
