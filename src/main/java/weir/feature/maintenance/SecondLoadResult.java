package weir.feature.maintenance;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.RunResult.ModelResult;

/**
 * A second load in all trials of a variant. Figures are medians of the trials; null if they are unknown.
 *
 * @param what the load in words
 * @param due records per second
 * @param acked records per second
 * @param mebibytes acked bytes of keys and values per second
 * @param p50 response in milliseconds
 * @param p99 response in milliseconds
 * @param received records per second; null without readers
 * @param e2e p99 in milliseconds; null without readers
 * @param failed records in all trials
 * @param throttle the highest mean delay of a request because of a quota, in milliseconds
 */
record SecondLoadResult(
        String variant,
        String load,
        String what,
        int trials,
        @Nullable Double due,
        @Nullable Double acked,
        @Nullable Double mebibytes,
        @Nullable Double p50,
        @Nullable Double p99,
        @Nullable Double received,
        @Nullable Double e2e,
        long failed,
        @Nullable Double throttle)
        implements ModelResult {
    /** Always false, because the answer of an experiment is the effect on its own load. */
    @Override
    public boolean found() {
        return false;
    }

    @Override
    public List<String> sentences() {
        return List.of();
    }
}
