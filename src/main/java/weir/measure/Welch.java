package weir.measure;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A comparison of two variants by Welch's t-test on the logarithms, with one value per trial. The result is the ratio
 * of two geometric means; the variances may differ. If a variant has fewer than two values, only the ratio is known.
 *
 * @param ratio the first variant's geometric mean divided by the second's
 * @param low the lower end of the ratio's interval, with 95 % confidence unless another level is given
 * @param high the upper end of this interval
 * @param visible the smallest ratio above 1 that such trials detect in four of five runs
 * @param p the probability that two equal variants differ at least as much as these variants do
 * @param fewest the number of values of the variant with fewer values
 */
public record Welch(double ratio, double low, double high, double visible, double p, int fewest) {
    /** The lowest number of values of each variant for a verdict. */
    public static final int ENOUGH = 4;

    public static final double LEVEL = 0.05;

    /**
     * The level of all other figures if the primary figure shows no difference. With this level, the chance of any
     * wrong verdict about two equal variants is at most 6 %.
     */
    public static final double STRICT_LEVEL = 0.01;

    private static final double POWER = 0.8;

    public static double geometricMean(double... values) {
        // Relative to the first value, so that the mean of equal values is exact.
        return values.length == 0 ? Double.NaN : values[0] * of(values, new double[] {values[0]}).ratio;
    }

    /** Compares positive values. With any other value, all results are NaN. */
    public static Welch of(double[] a, double[] b) {
        return of(a, b, LEVEL);
    }

    /** Compares with an interval at this level. The interval excludes 1 exactly if {@code p ≤ level}. */
    public static Welch of(double[] a, double[] b, double level) {
        int fewest = Math.min(a.length, b.length);
        if (fewest == 0 || !positive(a) || !positive(b)) {
            return new Welch(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, fewest);
        }
        // Relative to one of the values, so that a round ratio has no rounding error.
        double[] x = logs(a, b[0]);
        double[] y = logs(b, b[0]);
        double difference = mean(x) - mean(y);
        double ratio = Math.exp(difference);
        if (fewest < 2) {
            return new Welch(ratio, Double.NaN, Double.NaN, Double.NaN, Double.NaN, fewest);
        }
        double vx = variance(x) / x.length;
        double vy = variance(y) / y.length;
        double error = Math.sqrt(vx + vy);
        if (error == 0) {
            return new Welch(ratio, ratio, ratio, 1, difference == 0 ? 1 : 0, fewest);
        }
        // Welch and Satterthwaite: the degrees of freedom of a sum of two variances.
        double degrees = (vx + vy) * (vx + vy) / (vx * vx / (x.length - 1) + vy * vy / (y.length - 1));
        TDistribution t = TDistribution.of(degrees);
        double half = t.inverseSurvivalProbability(level / 2) * error;
        return new Welch(
                ratio,
                Math.exp(difference - half),
                Math.exp(difference + half),
                Math.exp(half + t.inverseCumulativeProbability(POWER) * error),
                2 * t.survivalProbability(Math.abs(difference) / error),
                fewest);
    }

    /**
     * The level of each figure, from the figures' p values. A figure differs if {@code p ≤ level}. The first figure,
     * the primary one, has its own level. The others follow Holm's method.
     */
    public static double[] levels(double[] ps) {
        double[] levels = new double[ps.length];
        if (ps.length > 0) {
            levels[0] = LEVEL;
            double[] others = holm(Arrays.copyOfRange(ps, 1, ps.length), ps[0] <= LEVEL ? LEVEL : STRICT_LEVEL);
            System.arraycopy(others, 0, levels, 1, others.length);
        }
        return levels;
    }

    public boolean enough() {
        return fewest >= ENOUGH;
    }

    /**
     * The levels of several comparisons by Holm's method, so that the chance of any wrong verdict is at most {@code
     * level}. Of {@code m} comparisons, the smallest p has the level {@code level / m}, the next {@code level / (m −
     * 1)}, and so on, until the first p above its level. All later comparisons have the level of that p.
     */
    static double[] holm(double[] ps, double level) {
        Integer[] order = new Integer[ps.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (i, j) -> Double.compare(ps[i], ps[j]));
        double[] levels = new double[ps.length];
        int passed = 0;
        for (int rank = 0; rank < order.length; rank++) {
            levels[order[rank]] = level / (order.length - passed);
            if (passed == rank && ps[order[rank]] <= levels[order[rank]]) {
                passed++;
            }
        }
        return levels;
    }

    public static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(value -> value > 0 && value < Double.POSITIVE_INFINITY);
    }

    public static double[] logs(double[] values, double unit) {
        return Arrays.stream(values).map(value -> Math.log(value / unit)).toArray();
    }

    public static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    public static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / (values.length - 1);
    }
}
