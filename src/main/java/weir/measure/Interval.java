package weir.measure;

import org.apache.commons.statistics.distribution.TDistribution;

/** A figure and its 95 % interval; an unknown end is NaN or infinite. */
public record Interval(double value, double low, double high) {
    /** The geometric mean of positive values, by Student's t on the logarithms. One value has no interval. */
    public static Interval ofMean(double... values) {
        double mean = Welch.geometricMean(values);
        if (Double.isNaN(mean)) {
            throw new IllegalArgumentException("a geometric mean requires values above 0");
        }
        if (values.length < 2) {
            return new Interval(mean, Double.NaN, Double.NaN);
        }
        double error = Math.sqrt(Welch.variance(Welch.logs(values, mean)) / values.length);
        double half = TDistribution.of(values.length - 1.0).inverseSurvivalProbability(Welch.LEVEL / 2) * error;
        return new Interval(mean, mean * Math.exp(-half), mean * Math.exp(half));
    }
}
