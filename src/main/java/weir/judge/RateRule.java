package weir.judge;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.measure.Trend;
import weir.plan.syntax.CaveatType;
import weir.results.value.Figures;

/**
 * The rule that judges an offered rate as sustained or broken, and a queue as growing. A queue contains the messages
 * that are due and not acked, or the messages that are written and not read. The thresholds and their reasons are in
 * {@code docs/explanation/steady-and-sustained.md}.
 */
public final class RateRule {
    public static final CaveatType GENERATOR_LATE = CaveatType.named("generator-late");
    public static final CaveatType RATE_MISSED = CaveatType.named("rate-missed");

    private static final double SUSTAINED_SHARE = 0.995;
    private static final double ON_ITS_WAY_SECONDS = 0.1;
    private static final double BROKEN_SHARE = 0.95;
    private static final double BROKEN_FAILURES = 0.01;
    private static final double CATCHING_UP = 1.05;

    private static final double HOPELESS_SHARE = 0.9;
    private static final double SLOWER = 10;
    /** A response p99 below this limit is always calm, because ten times a tiny p99 is no useful limit. */
    private static final double FAST_MILLIS = 10;

    /**
     * The p99 lateness above which the generator counts as the cause of a slow response. The lateness must also exceed
     * a quarter of the response.
     */
    public static final double LATE_MILLIS = 5;

    private static final double LATE_SHARE = 0.25;

    private static final int FEWEST_LENGTHS = 3;
    /** The smallest growth of a queue that five seconds can show, in seconds of the rate. */
    private static final double TOLD_SECONDS = (1 - SUSTAINED_SHARE) * 5;
    /** The share of the rate below which a slope counts as zero, because generators do not keep rates more exactly. */
    private static final double LEAST_SLOPE = 0.001;

    private RateRule() {}

    /** False for NaN. */
    public static boolean sustained(double achieved) {
        return achieved >= SUSTAINED_SHARE;
    }

    /** {@code onItsWay} is the share of the offered messages that came after the end. */
    public static boolean sustained(double achieved, double onItsWay, double seconds) {
        return sustained(achieved + Math.min(onItsWay, ON_ITS_WAY_SECONDS / seconds));
    }

    /** True also if the achieved share is NaN. {@code failed} includes messages that were never sent. */
    public static boolean broken(double achieved, double failed, double due) {
        return !(achieved >= BROKEN_SHARE) || failed > BROKEN_FAILURES * due;
    }

    static boolean catchesUp(double achieved) {
        return achieved > CATCHING_UP;
    }

    static boolean waits(double millis) {
        return millis > 1_000 * ON_ITS_WAY_SECONDS;
    }

    public static boolean hopeless(double achieved) {
        return achieved < HOPELESS_SHARE;
    }

    /** True if the generator's delay is a large part of the response, both at p99 in milliseconds; false for NaN. */
    public static boolean generatorLate(double late, double response) {
        return late > LATE_MILLIS && late > LATE_SHARE * response;
    }

    /** The highest p99 that counts as calm, given the lowest p99 of all steps; NaN if all steps are broken. */
    static double notSlowMillis(double calmestMillis) {
        return Double.isNaN(calmestMillis) ? FAST_MILLIS : Math.max(FAST_MILLIS, SLOWER * calmestMillis);
    }

    public static double achieved(Figures figures) {
        @Nullable Double offered = figures.offeredPerSecond();
        @Nullable Double acked = figures.ackedPerSecond();
        return offered == null || acked == null || offered == 0 ? 1 : acked / offered;
    }

    /**
     * The growth of a queue in messages per second, {@code (last − from) / time}; zero if the queue does not grow.
     * {@code from} is the first length, or the lowest length if {@code last} is below the first. The median slope and
     * the growth must both exceed the limits, because a queue that nearly drained has a slope but no growth.
     *
     * @param queue its length at moments one second apart
     * @param rate messages per second
     * @param calmestMillis the lowest p99 of a second; NaN if unknown
     */
    public static double growth(double[] queue, double rate, double calmestMillis) {
        if (queue.length < FEWEST_LENGTHS) {
            return 0;
        }
        // A comparison with NaN is false.
        double onItsWay =
                rate * (calmestMillis / 1_000 < ON_ITS_WAY_SECONDS ? calmestMillis / 1_000 : ON_ITS_WAY_SECONDS);
        double share = Math.min(1 - SUSTAINED_SHARE, TOLD_SECONDS / (queue.length - 1));
        double least = Math.max(LEAST_SLOPE, share) * rate;
        int last = queue.length - 1;
        int from = queue[last] > queue[0]
                ? 0
                : IntStream.range(0, queue.length).reduce(0, (lowest, i) -> queue[i] < queue[lowest] ? i : lowest);
        double growth = last > from ? (queue[last] - queue[from]) / (last - from) : 0;
        double smaller = Math.min(growth, Trend.slope(queue));
        return smaller > least && smaller * last > Math.max(1, onItsWay) && Trend.rises(queue) ? growth : 0;
    }
}
