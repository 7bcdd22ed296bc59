package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The breaking point of a variant in records per second: the median of the breaking points of its trials.
 *
 * @param rate the median; null if the middle trial did not break
 * @param low the lower end of the interval over the trials; null with a single trial
 * @param high the upper end; null with a single trial, and if a trial within the interval did not break
 * @param confidence the probability that the interval contains the true median; null with a single trial
 * @param sustained the highest rate that every trial sustained before it broke; null without one
 * @param offered the fastest offered step; if the answer is an untested step, the fastest sustained step below it, or 0
 * @param reason why the middle trial broke; without a rate, the untested step, or a note that all were sustained
 */
public record BreakingPointResult(
        String of,
        List<String> limits,
        @Nullable Double rate,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double confidence,
        @Nullable Double sustained,
        double offered,
        boolean ours,
        String reason,
        List<Found> trials) {
    public static final String METRIC = "breaking-point";

    public BreakingPointResult {
        limits = List.copyOf(limits);
        trials = List.copyOf(trials);
    }

    /** The breaking point of one trial; {@code rate} is null if the trial did not break. */
    public record Found(
            int trial, @Nullable Double rate, @Nullable Double sustained, double offered, String why) {}

    public String text() {
        if (rate == null) {
            return offered == 0 ? reason : "did not break up to " + NumberFormat.rate(offered);
        }
        if (confidence == null) {
            return NumberFormat.rate(rate);
        }
        String range = NumberFormat.rate(low) + " to "
                + (high == null ? "beyond " + NumberFormat.rate(offered) : NumberFormat.rate(high));
        return NumberFormat.rate(rate) + " (" + trials.size() + " trials: " + range + ", with "
                + NumberFormat.number(Math.floor(confidence * 1000) / 10) + " % confidence)";
    }
}
