package weir.feature.readers;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.Variant;
import weir.results.RunResult.ModelResult;
import weir.results.value.NumberFormat;

/**
 * The rebalances after one change, in all trials of a variant. Times are in milliseconds, and null if they are unknown.
 *
 * @param cause the disturbance, or its end; empty for rebalances that Weir did not cause
 * @param what the cause in words
 * @param trials the trials with such a rebalance
 * @param first the time from the cause until the first reader lost or got partitions, the median over the trials
 * @param last the same until the last reader lost or got partitions
 * @param paused the largest number of readers with a pause
 * @param pause the median of all pauses
 * @param longest the longest pause
 * @param moved partitions with another reader afterwards, the median over the trials
 * @param gap the longest time in which a due record of one partition did not arrive
 */
record RebalanceResult(
        String variant,
        String cause,
        String what,
        int trials,
        @Nullable Double first,
        @Nullable Double last,
        int paused,
        @Nullable Double pause,
        @Nullable Double longest,
        @Nullable Double moved,
        @Nullable Double gap)
        implements ModelResult {
    String named() {
        return cause.isEmpty() ? "unasked" : cause;
    }

    @Override
    public boolean found() {
        return true;
    }

    @Override
    public List<String> sentences() {
        String of = variant.equals(Variant.ONLY) ? "" : NumberFormat.quoted(variant) + ": ";
        String subject = cause.isEmpty()
                ? "a rebalance that Weir did not cause"
                : "the rebalance of " + NumberFormat.quoted(cause);
        List<String> effects = new ArrayList<>();
        if (longest != null) {
            effects.add((paused == 1 ? "1 reader" : paused + " readers") + " paused for at most "
                    + NumberFormat.millis(longest));
        }
        if (moved != null) {
            effects.add(NumberFormat.number(moved) + (moved == 1 ? " partition moved" : " partitions moved"));
        }
        return List.of(of
                + subject
                + (last == null ? "" : " ended after " + NumberFormat.seconds(last / 1e3))
                + (effects.isEmpty() ? "" : "; " + String.join(", ", effects)));
    }
}
