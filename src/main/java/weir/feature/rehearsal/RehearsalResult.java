package weir.feature.rehearsal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.RunResult.ModelResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;

/**
 * One operation in all trials of a variant. Latencies are responses in milliseconds, times are seconds.
 *
 * @param what the operation in words
 * @param took the median over the trials; null if the operation ended in none
 * @param before response p99 before the operation, the median over the trials
 * @param during response p99 during the operation, the median over the trials
 * @param longest the longest response during the operation in any trial
 * @param failed messages that failed during the operation, in all trials
 * @param lost messages of the whole trials; null if Weir did not read them back
 * @param parts of the trial with the longest response
 */
record RehearsalResult(
        String variant,
        String operation,
        String what,
        int trials,
        @Nullable Double took,
        @Nullable Double before,
        @Nullable Double during,
        @Nullable Double longest,
        long failed,
        @Nullable Long lost,
        List<Part> parts)
        implements ModelResult {
    /**
     * The time before, during one subject of, or after an operation.
     *
     * @param away from the begin of a node's stop until it serves again; null if nothing stopped
     * @param sync from then until all replicas were in sync
     */
    record Part(
            String subject,
            double from,
            double seconds,
            @Nullable Double away,
            @Nullable Double sync,
            LatencyResult response,
            long acked,
            long failed) {}

    RehearsalResult {
        parts = List.copyOf(parts);
    }

    @Override
    public boolean found() {
        return took != null;
    }

    @Override
    public List<String> sentences() {
        String subject = NumberFormat.quoted(variant) + ": " + what;
        return List.of(
                took == null
                        ? subject + " did not end"
                        : subject + " took " + NumberFormat.seconds(took) + "; response p99 was "
                                + millis(before) + " before and " + millis(during)
                                + " during the operation, the longest response " + millis(longest) + "; "
                                + NumberFormat.count(failed) + " failed"
                                + (lost == null ? "" : ", " + NumberFormat.count(lost) + " lost"));
    }

    static String millis(@Nullable Double millis) {
        return millis == null ? NumberFormat.MISSING : NumberFormat.millis(millis);
    }
}
