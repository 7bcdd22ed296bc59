package weir.judge;

import org.apache.commons.statistics.distribution.TDistribution;
import weir.measure.Welch;

/**
 * How far a variant went from one other to another: 0 is like the first, 1 like the second, by the geometric means m of
 * one value per trial, as (m(a) − m(from)) / (m(to) − m(from)).
 *
 * <p>Its 95 % interval holds every share s that the trials do not refute, as Fieller's does: m(a) is compared with
 * (1 − s) m(from) + s m(to), on the logarithms, by Welch's t with the variance of that sum to first order. So 0 lies
 * outside exactly when {@link Welch} tells a and from apart, and 1 when it tells a and to apart.
 *
 * @param low and {@code high}: the interval; NaN with fewer than two values on a side, infinite where the trials refute
 *     nothing
 */
public record RecoveryShare(double share, double low, double high) {
    /** A share this far off says nothing more than "far off". */
    private static final double FARTHEST = 1e3;

    private static final double FIRST_STEP = 1e-4;
    private static final double GROWTH = 1.15;
    private static final int HALVINGS = 50;

    /** The logarithms of one variant's values: their mean, the variance of that mean, and how many there are. */
    private record Logs(double mean, double variance, int count) {
        static Logs of(double[] values, double unit) {
            double[] logs = Welch.logs(values, unit);
            return new Logs(Welch.mean(logs), logs.length < 2 ? 0 : Welch.variance(logs) / logs.length, logs.length);
        }

        double middle() {
            return Math.exp(mean);
        }
    }

    /** Compares positive values; with any other, and without a way from one to the other, nothing is known. */
    public static RecoveryShare of(double[] a, double[] from, double[] to) {
        return of(a, from, to, Welch.LEVEL);
    }

    /** The same, its interval at this level. */
    public static RecoveryShare of(double[] a, double[] from, double[] to, double level) {
        int fewest = Math.min(a.length, Math.min(from.length, to.length));
        if (fewest == 0 || !Welch.positive(a) || !Welch.positive(from) || !Welch.positive(to)) {
            return new RecoveryShare(Double.NaN, Double.NaN, Double.NaN);
        }
        Logs x = Logs.of(a, from[0]);
        Logs start = Logs.of(from, from[0]);
        Logs end = Logs.of(to, from[0]);
        double share = (x.middle() - start.middle()) / (end.middle() - start.middle());
        if (fewest < 2 || !Double.isFinite(share)) {
            return new RecoveryShare(Double.isFinite(share) ? share : Double.NaN, Double.NaN, Double.NaN);
        }
        return new RecoveryShare(share, bound(x, start, end, share, -1, level), bound(x, start, end, share, 1, level));
    }

    /** The first share in this direction that the trials refute. */
    private static double bound(Logs a, Logs from, Logs to, double share, int direction, double level) {
        double inside = share;
        double step = FIRST_STEP;
        while (step < FARTHEST) {
            double outside = share + direction * step;
            double middle = (1 - outside) * from.middle() + outside * to.middle();
            if (middle <= 0) {
                // Nothing takes less than no time: farther a cannot be.
                return from.middle() / (from.middle() - to.middle());
            }
            if (refuted(a, from, to, outside, level)) {
                return between(a, from, to, inside, outside, level);
            }
            inside = outside;
            step *= GROWTH;
        }
        return direction * Double.POSITIVE_INFINITY;
    }

    private static double between(Logs a, Logs from, Logs to, double inside, double outside, double level) {
        double kept = inside;
        double refuted = outside;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (kept + refuted) / 2;
            if (refuted(a, from, to, middle, level)) {
                refuted = middle;
            } else {
                kept = middle;
            }
        }
        return kept;
    }

    private static boolean refuted(Logs a, Logs from, Logs to, double share, double level) {
        double middle = (1 - share) * from.middle() + share * to.middle();
        double weightFrom = (1 - share) * from.middle() / middle;
        double weightTo = share * to.middle() / middle;
        double va = a.variance();
        double vf = weightFrom * weightFrom * from.variance();
        double vt = weightTo * weightTo * to.variance();
        double variance = va + vf + vt;
        double difference = Math.abs(a.mean() - Math.log(middle));
        if (variance == 0) {
            return difference > 1e-12;
        }
        double degrees = variance
                * variance
                / (va * va / (a.count() - 1) + vf * vf / (from.count() - 1) + vt * vt / (to.count() - 1));
        return 2 * TDistribution.of(degrees).survivalProbability(difference / Math.sqrt(variance)) <= level;
    }
}
