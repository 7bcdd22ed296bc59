package weir.judge.caveat;

import java.util.Arrays;
import weir.measure.Median;

/**
 * The change of a series from its first third to its last third, by the medians of these thirds. The rule is in
 * docs/explanation/steady-and-sustained.md. With independent noise, fewer than 1 % of stationary series drift.
 *
 * @param first the median of the first third; {@code last} is the median of the last third
 * @param share Vargha and Delaney's A: the share of pairs, one window from each third, that change in the direction of
 *     the medians; NaN if there are too few windows
 */
public record Drift(double first, double last, double share, boolean drifts) {
    static final int WINDOWS = 10;

    private static final double AGREE = 0.9;
    private static final Drift UNKNOWN = new Drift(Double.NaN, Double.NaN, Double.NaN, false);

    /** Returns the drift of throughput; the threshold is a tenth. */
    public static Drift ofThroughput(double[] perSecond) {
        return of(perSecond, 0.10, 0);
    }

    /** Returns the drift of latency; the threshold is both a quarter and 0.5 ms. */
    public static Drift ofLatency(double[] millis) {
        return of(millis, 0.25, 0.5);
    }

    private static Drift of(double[] values, double relative, double absolute) {
        double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
        int third = known.length / 3;
        if (third < WINDOWS) {
            return UNKNOWN;
        }
        double[] early = Arrays.copyOfRange(known, 0, third);
        double[] late = Arrays.copyOfRange(known, known.length - third, known.length);
        double first = Median.of(early);
        double last = Median.of(late);
        double share = share(early, late, last > first);
        double change = Math.abs(last - first);
        boolean matters = change > absolute && change > relative * Math.min(first, last);
        return new Drift(first, last, share, matters && share >= AGREE);
    }

    public boolean rises() {
        return last > first;
    }

    private static double share(double[] early, double[] late, boolean rises) {
        double agreeing = 0;
        for (double before : early) {
            for (double after : late) {
                agreeing += after == before ? 0.5 : after > before == rises ? 1 : 0;
            }
        }
        return agreeing / early.length / late.length;
    }
}
