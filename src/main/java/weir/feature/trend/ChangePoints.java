package weir.feature.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import weir.measure.Median;
import weir.measure.Welch;

/**
 * The runs at which a figure changed its level. After each run, Student's t-test compares the two parts of each split
 * of the runs since the last change. The test uses logarithms, with outliers moved towards the median. A found change
 * stays. The estimate of the noise compares all runs with the level at their time. Decision 0041 has the rates of false
 * alarms and of missed changes.
 */
public final class ChangePoints {
    /** The highest p of a split in a single series, small because each run tests a split at every earlier run. */
    public static final double SIGNIFICANCE = 7e-5;

    /** The fewest runs in each part of a split, so that two consecutive bad days are no change. */
    public static final int SIDE = 3;

    public static final int FEWEST = 11;

    /** Smallest change that counts, as a logarithm: 1 %. */
    private static final double LEAST = Math.log(1.01);

    /** Smallest assumed standard deviation of the logarithms, because a fixed rate hardly varies. */
    static final double QUIETEST = 1e-3;

    /** Distance from the median to which an outlier is moved, in standard deviations. */
    private static final double FARTHEST = 2.5;

    /** Ratio of standard deviation to median absolute deviation of normally distributed values. */
    private static final double NORMAL = 1.4826;

    private static final int LATEST = 100;

    private static final int SOON = 5;

    /** Slightly above the promised 80 %, because the place is unknown and outliers are moved. */
    private static final double POWER = 0.85;

    private final double[] logs;
    private final double significance;
    private final double[] thresholds = new double[2 * LATEST + 1];
    private final List<Found> found = new ArrayList<>();
    private double[] residuals = {};

    private double squares;
    private int degrees;
    private int start;

    /** A change of level: index of the first run at the new level, from 0, and number of runs when it was found. */
    public record Found(int at, int seen) {}

    private ChangePoints(double[] logs, double significance) {
        this.logs = logs.clone();
        this.significance = significance;
    }

    /** Tests positive values with a maximum p of {@code share} times {@link #SIGNIFICANCE}. */
    public static ChangePoints of(double[] values, double share) {
        if (!Welch.positive(values)) {
            throw new IllegalArgumentException(
                    "the values of a series must be above 0, found " + Arrays.toString(values));
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "a share of the significance must be above 0 and at most 1, found " + share);
        }
        ChangePoints points = new ChangePoints(Welch.logs(values, 1), SIGNIFICANCE * share);
        for (int runs = 1; runs <= values.length; runs++) {
            points.examine(runs);
        }
        return points;
    }

    public List<Found> found() {
        return List.copyOf(found);
    }

    /**
     * The smallest ratio above 1 that five runs would show in 80 % of cases, if the level changed now and the noise is
     * normal. NaN with too few runs since the last change.
     */
    public double visible() {
        int runs = logs.length - start;
        if (runs < SIDE || degrees + runs < FEWEST) {
            return Double.NaN;
        }
        double[] own = pulledIn(Arrays.copyOfRange(logs, start, logs.length));
        double sum = squares + (runs > 1 ? (runs - 1) * Welch.variance(own) : 0);
        double noise = Math.max(QUIETEST, Math.sqrt(sum / Math.max(1, degrees + runs - 1)));
        TDistribution t = TDistribution.of(degrees + runs + SOON - 2);
        double far = t.inverseSurvivalProbability(significance / 2) + t.inverseCumulativeProbability(POWER);
        return Math.exp(Math.max(LEAST, far * noise * Math.sqrt(1.0 / SOON + 1.0 / runs)));
    }

    static double[] withoutOutliers(double[] values) {
        ChangePoints stretch = new ChangePoints(Welch.logs(values, 1), SIGNIFICANCE);
        double middle = Median.of(stretch.logs);
        return Arrays.stream(stretch.pulledIn(stretch.logs))
                .map(off -> Math.exp(middle + off))
                .toArray();
    }

    private void examine(int runs) {
        int from = Math.max(start, runs - LATEST);
        double[] latest = Arrays.copyOfRange(logs, from, runs);
        if (latest.length < 2 * SIDE || degrees + latest.length < FEWEST) {
            return;
        }
        int split = split(latest);
        if (split > 0) {
            leave(from + split);
            found.add(new Found(start, runs));
        }
    }

    private int split(double[] latest) {
        int runs = latest.length;
        double[] sums = new double[runs + 1];
        double squared = 0;
        double[] pulled = pulledIn(latest);
        for (int i = 0; i < runs; i++) {
            sums[i + 1] = sums[i] + pulled[i];
            squared += pulled[i] * pulled[i];
        }
        int all = degrees + runs - 2;
        int best = 0;
        double farthest = 0;
        for (int k = SIDE; k <= runs - SIDE; k++) {
            double before = sums[k] / k;
            double after = (sums[runs] - sums[k]) / (runs - k);
            double own = squared - k * before * before - (runs - k) * after * after;
            double variance = Math.max(QUIETEST * QUIETEST, (squares + Math.max(0, own)) / all);
            double t = Math.abs(after - before) / Math.sqrt(variance * (1.0 / k + 1.0 / (runs - k)));
            if (t > farthest) {
                farthest = t;
                best = k;
            }
        }
        // A quantile is expensive. The quantile with the most degrees of freedom is the lowest and rejects most splits.
        return farthest > threshold(thresholds.length - 1) && farthest > threshold(all) && large(latest, best)
                ? best
                : 0;
    }

    private static boolean large(double[] latest, int split) {
        double before = Median.of(Arrays.copyOfRange(latest, 0, split));
        double after = Median.of(Arrays.copyOfRange(latest, split, latest.length));
        return Math.abs(after - before) >= LEAST;
    }

    private void leave(int at) {
        double[] left = Arrays.copyOfRange(logs, Math.max(start, at - LATEST), at);
        double[] pulled = pulledIn(left);
        double mean = Welch.mean(pulled);
        double middle = Median.of(left);
        int known = residuals.length;
        double[] all = Arrays.copyOf(residuals, known + left.length);
        for (int i = 0; i < left.length; i++) {
            squares += (pulled[i] - mean) * (pulled[i] - mean);
            all[known + i] = Math.abs(left[i] - middle);
        }
        residuals = Arrays.copyOfRange(all, Math.max(0, all.length - LATEST), all.length);
        degrees += left.length - 1;
        start = at;
    }

    private double[] pulledIn(double[] some) {
        double middle = Median.of(some);
        double[] distances = Arrays.copyOf(residuals, residuals.length + some.length);
        for (int i = 0; i < some.length; i++) {
            distances[residuals.length + i] = Math.abs(some[i] - middle);
        }
        double most = FARTHEST * Math.max(QUIETEST, NORMAL * Median.of(distances));
        return Arrays.stream(some)
                .map(value -> Math.min(most, Math.max(-most, value - middle)))
                .toArray();
    }

    private double threshold(int degreesOfFreedom) {
        // With more degrees of freedom, the quantile hardly falls.
        int kept = Math.min(degreesOfFreedom, thresholds.length - 1);
        if (thresholds[kept] == 0) {
            thresholds[kept] = TDistribution.of(kept).inverseSurvivalProbability(significance / 2);
        }
        return thresholds[kept];
    }
}
