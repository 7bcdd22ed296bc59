package weir.judge;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.measure.Trend;
import weir.plan.syntax.CaveatType;
import weir.results.value.Figures;

/**
 * The rule by which an offered rate counts as sustained or broken, for steps, attempts, searches and caveats alike.
 *
 * <p>A rate is sustained when at least 99.5 % of it was achieved. Messages that were unanswered at the end and came later are not missed, up to 100 ms of the rate. It is broken when less than 95 % was achieved or more than 1 % of the
 * due messages failed or were never sent.
 *
 * <p>A queue holds messages that are due and not acked, or written and not read. It grows when three things hold. Its
 * Theil–Sen slope is more than half a percent of the rate over five seconds, or a smaller share over a longer time,
 * down to a tenth of a percent. Its length rises by more than chance ({@link Trend}). It rises by more than one message, and by more than the messages in flight. These are the rate times the response p99 of the calmest second, or times 100 ms if that is less.
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
    /** Response p99 below this is always calm: ten times next to nothing is no limit. */
    private static final double FAST_MILLIS = 10;

    /**
     * The p99 lateness above which the generator counts as the cause of the response, if the lateness is also more
     * than a quarter of the response.
     */
    public static final double LATE_MILLIS = 5;

    private static final double LATE_SHARE = 0.25;

    private static final int FEWEST_LENGTHS = 3;
    /**
     * The smallest growth of a queue that can be detected in five seconds, in seconds of the rate. A longer
     * observation detects a smaller slope.
     */
    private static final double TOLD_SECONDS = (1 - SUSTAINED_SHARE) * 5;
    /**
     * A slope below this share of the rate counts as zero, however long the observation, because generators do not
     * keep rates more exactly.
     */
    private static final double LEAST_SLOPE = 0.001;

    private RateRule() {}

    /** NaN is never sustained. */
    public static boolean sustained(double achieved) {
        return achieved >= SUSTAINED_SHARE;
    }

    /** {@code onItsWay} is the share of the offered messages that came only afterwards. */
    public static boolean sustained(double achieved, double onItsWay, double seconds) {
        return sustained(achieved + Math.min(onItsWay, ON_ITS_WAY_SECONDS / seconds));
    }

    /** {@code failed} messages failed or were never sent, out of {@code due}; an achieved share of NaN is broken. */
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

    /**
     * True when the generator's own delay is a good part of the response, both at p99 in milliseconds; false for NaN.
     */
    public static boolean generatorLate(double late, double response) {
        return late > LATE_MILLIS && late > LATE_SHARE * response;
    }

    /**
     * The slowest response p99 that still counts as calm, given that of the calmest step; NaN if all steps are broken.
     */
    static double notSlowMillis(double calmestMillis) {
        return Double.isNaN(calmestMillis) ? FAST_MILLIS : Math.max(FAST_MILLIS, SLOWER * calmestMillis);
    }

    public static double achieved(Figures figures) {
        @Nullable Double offered = figures.offeredPerSecond();
        @Nullable Double acked = figures.ackedPerSecond();
        return offered == null || acked == null || offered == 0 ? 1 : acked / offered;
    }

    /**
     * The growth of a queue in messages per second; zero when the queue does not grow. The growth is the last length
     * minus the first, or minus the shortest if the last is below the first, divided by the time.
     *
     * @param queue its length at moments one second apart
     * @param rate messages per second
     * @param calmestMillis the lowest p99 of a second; NaN where none is known
     */
    public static double growth(double[] queue, double rate, double calmestMillis) {
        if (queue.length < FEWEST_LENGTHS) {
            return 0;
        }
        double slope = Trend.slope(queue);
        // NaN is never less.
        double onItsWay =
                rate * (calmestMillis / 1_000 < ON_ITS_WAY_SECONDS ? calmestMillis / 1_000 : ON_ITS_WAY_SECONDS);
        double share = Math.min(1 - SUSTAINED_SHARE, TOLD_SECONDS / (queue.length - 1));
        boolean grows = slope > Math.max(LEAST_SLOPE, share) * rate
                && slope * (queue.length - 1) > Math.max(1, onItsWay)
                && Trend.rises(queue);
        int last = queue.length - 1;
        int from = queue[last] > queue[0]
                ? 0
                : IntStream.range(0, queue.length).reduce(0, (least, i) -> queue[i] < queue[least] ? i : least);
        return grows && queue[last] > queue[from] ? (queue[last] - queue[from]) / (last - from) : 0;
    }
}
