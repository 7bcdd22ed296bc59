package weir.feature.rehearsal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.RunResult.ModelResult;
import weir.results.value.NumberFormat;

/**
 * A second load in all trials of a variant. Figures are medians of the trials; null if the load began in none.
 *
 * @param what the load in words
 * @param due records per second
 * @param acked records per second
 * @param mebibytes acked bytes of keys and values per second
 * @param p50 response in milliseconds
 * @param p99 response in milliseconds
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
        long failed,
        @Nullable Double throttle)
        implements ModelResult {
    @Override
    public boolean found() {
        return acked != null;
    }

    @Override
    public List<String> sentences() {
        String subject = NumberFormat.quoted(variant) + ": " + what + " '" + load + "'";
        if (acked == null) {
            return List.of(subject + " did not run");
        }
        String delayed = throttle == null || throttle == 0
                ? ""
                : "; its quota delayed requests by up to " + NumberFormat.millis(throttle);
        return List.of(subject + " acked " + NumberFormat.rate(acked) + " (" + NumberFormat.mebibytes(mebibytes)
                + ") with response p50 " + NumberFormat.millis(p50) + " and p99 " + NumberFormat.millis(p99) + "; "
                + NumberFormat.count(failed) + " failed" + delayed);
    }
}
