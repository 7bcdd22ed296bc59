package weir.judge.fit;

import org.apache.commons.statistics.distribution.TDistribution;
import weir.measure.Welch;

/**
 * The geometric mean of positive values with its 95 % interval: Student's t on the logarithms.
 *
 * @param low and {@code high}: NaN with fewer than two values
 */
public record GeometricMean(double mean, double low, double high) {
    public static GeometricMean of(double... values) {
        double mean = Welch.geometricMean(values);
        if (Double.isNaN(mean)) {
            throw new IllegalArgumentException("a geometric mean needs values above 0");
        }
        if (values.length < 2) {
            return new GeometricMean(mean, Double.NaN, Double.NaN);
        }
        double error = Math.sqrt(Welch.variance(Welch.logs(values, mean)) / values.length);
        double half = TDistribution.of(values.length - 1.0).inverseSurvivalProbability(Welch.LEVEL / 2) * error;
        return new GeometricMean(mean, mean * Math.exp(-half), mean * Math.exp(half));
    }
}
