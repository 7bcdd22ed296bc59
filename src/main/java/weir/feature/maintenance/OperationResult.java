package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.Variant;
import weir.results.RunResult.ModelResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;

/**
 * One operation in all trials of a variant. Latencies and gaps are in milliseconds, other times in seconds.
 *
 * @param what the operation in words
 * @param repeat the repeat with the longest gap, from which the parts are
 * @param took the median over the trials; null if the operation did not end in a trial
 * @param before response p99 before the operation, the median over the trials
 * @param during response p99 during the operation, the median over the trials
 * @param gap the longest time during the operation in which a producer waited for an ack of one partition
 * @param pause the longest time during the operation in which a reader waited for a message of one partition
 * @param failed messages that failed during the operation, in all trials
 * @param lost messages of the whole trials; null if Weir did not read them back
 */
record OperationResult(
        String variant,
        String operation,
        String what,
        int trials,
        int repeat,
        @Nullable Double took,
        @Nullable Double before,
        @Nullable Double during,
        double gap,
        double pause,
        long failed,
        @Nullable Long lost,
        @Nullable Long duplicated,
        @Nullable Long reordered,
        @Nullable Long reread,
        List<Part> parts)
        implements ModelResult {
    /** The longest gap of each partition with a gap: the number of these partitions, the median, and the longest. */
    record Gaps(int partitions, double median, double longest) {
        static final Gaps NONE = new Gaps(0, 0, 0);
    }

    /**
     * The time before, during one subject of, or after an operation.
     *
     * @param away from the begin of a node's stop until it serves again; null if nothing stopped
     * @param sync from then until all replicas were in sync
     * @param ledBefore the partitions that a broker led before its stop; null if nothing stopped
     * @param moved the size of the moved replicas in MiB; null if none moved
     * @param movedRate the MiB/s that the busiest broker received; null if the move took only some seconds
     * @param lag the highest lag of the readers in records
     */
    record Part(
            String subject,
            double from,
            double seconds,
            @Nullable Double away,
            @Nullable Double sync,
            @Nullable Double ledBefore,
            @Nullable Double ledAfter,
            @Nullable Double moved,
            @Nullable Double movedRate,
            LatencyResult response,
            LatencyResult e2e,
            Gaps acks,
            Gaps reads,
            long lag,
            long acked,
            long failed,
            long aborted) {}

    OperationResult {
        parts = List.copyOf(parts);
    }

    @Override
    public boolean found() {
        return took != null;
    }

    @Override
    public List<String> sentences() {
        String subject = (variant.equals(Variant.ONLY) ? "the " : NumberFormat.quoted(variant) + ": the ") + what;
        if (took == null) {
            return List.of(subject + " did not end");
        }
        List<String> effects = new ArrayList<>();
        if (gap > 0) {
            effects.add("producers saw at most " + NumberFormat.millis(gap) + " without an ack");
        }
        if (before != null && during != null) {
            effects.add("p99 went from " + NumberFormat.millis(before) + " to " + NumberFormat.millis(during));
        }
        if (failed > 0) {
            effects.add(NumberFormat.count(failed) + " failed");
        }
        if (lost != null) {
            effects.add((lost == 0 ? "nothing" : NumberFormat.count(lost)) + " was lost");
        }
        String effect = effects.isEmpty() ? "" : "; " + String.join(", ", effects);
        return List.of(subject + " took " + NumberFormat.seconds(took) + effect);
    }
}
