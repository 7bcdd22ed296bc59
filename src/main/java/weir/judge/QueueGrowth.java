package weir.judge;

import weir.measure.MannKendall;
import weir.measure.TheilSen;

/**
 * The growth of a queue from second to second: of what was due and is not acked, or of what was written and is not read. A
 * queue grows when its Theil–Sen slope is more than half a percent of the rate over five seconds, or a smaller share over a
 * longer time, down to a tenth of a percent; when the values rise by more than chance ({@link MannKendall}), and in all by more
 * than one message and more than is on its way at any moment: what the rate brings in the response p99 of the calmest second,
 * or in 100 ms where that is less.
 */
public final class QueueGrowth {
    private static final int ENOUGH = 3;

    /** The growth that five seconds can tell from none, in seconds of the rate; a longer look tells it from a smaller slope. */
    private static final double TOLD_SECONDS = (1 - LoadCurve.HELD_SHARE) * 5;

    /** A slope below this share of the rate is none, however long the look: rates are kept no more exactly. */
    private static final double LEAST_SHARE = 0.001;

    private QueueGrowth() {}

    /**
     * Messages per second by which it grows; zero when it does not.
     *
     * @param queue its length at moments one second apart
     * @param rate messages per second
     * @param calmestMillis the lowest p99 of a second; NaN where none is known
     */
    public static double perSecond(double[] queue, double rate, double calmestMillis) {
        if (queue.length < ENOUGH) {
            return 0;
        }
        double slope = TheilSen.slope(queue);
        // NaN is never less.
        double onItsWay = rate
                * (calmestMillis / 1_000 < LoadCurve.ON_ITS_WAY_SECONDS
                        ? calmestMillis / 1_000
                        : LoadCurve.ON_ITS_WAY_SECONDS);
        double share = Math.min(1 - LoadCurve.HELD_SHARE, TOLD_SECONDS / (queue.length - 1));
        boolean grows = slope > Math.max(LEAST_SHARE, share) * rate
                && slope * (queue.length - 1) > Math.max(1, onItsWay)
                && MannKendall.rises(queue);
        return grows ? slope : 0;
    }
}
