package weir.feature.readers;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.measure.Interval;
import weir.results.RunResult.ModelResult;
import weir.results.value.NumberFormat;

/**
 * The rebalances after one change, in all variants.
 *
 * @param cause the disturbance, or its end; empty for rebalances that Weir did not cause
 * @param what the cause in words
 * @param asked true if the cause is a change of the consumers, so that its rebalances are part of the answer
 */
record RebalanceResult(String cause, String what, boolean asked, List<InVariant> variants) implements ModelResult {
    /**
     * The rebalances in all trials of a variant. Times are in milliseconds, and null if they are unknown.
     *
     * @param trials the trials with such a rebalance
     * @param first the time from the cause until the first reader lost or got partitions, the median over the trials
     * @param last the same until the last reader lost or got partitions
     * @param paused the largest number of readers with a pause
     * @param pause the median of all pauses
     * @param longest the longest pause
     * @param each the mean of the longest pause of each trial; null for one trial
     * @param moved partitions with another reader afterwards, the median over the trials
     * @param gap the longest time in which a due record of one partition did not arrive
     */
    record InVariant(
            String variant,
            String cause,
            int trials,
            @Nullable Double first,
            @Nullable Double last,
            int paused,
            @Nullable Double pause,
            @Nullable Double longest,
            @Nullable Interval each,
            @Nullable Double moved,
            @Nullable Double gap) {
        String named() {
            return cause.isEmpty() ? "unasked" : cause;
        }
    }

    RebalanceResult {
        variants = List.copyOf(variants);
    }

    @Override
    public boolean found() {
        return asked;
    }

    @Override
    public List<String> sentences() {
        if (!asked) {
            return List.of();
        }
        boolean several = variants.size() > 1;
        String ended = each(several, one -> one.last() == null ? null : NumberFormat.seconds(one.last() / 1e3));
        String paused = each(several, one -> one.longest() == null ? null : NumberFormat.millis(one.longest()));
        return List.of("the rebalance of " + NumberFormat.quoted(cause) + " ended after " + ended
                + (paused.isEmpty() ? "" : "; readers paused for at most " + paused));
    }

    private String each(boolean named, Function<InVariant, @Nullable String> figure) {
        return NumberFormat.listed(variants.stream()
                .filter(one -> figure.apply(one) != null)
                .map(one -> Objects.requireNonNull(figure.apply(one))
                        + (named ? " in " + NumberFormat.quoted(one.variant()) : ""))
                .toList());
    }
}
