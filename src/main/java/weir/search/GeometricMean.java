package weir.search;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The geometric mean of positive values with its 95 % interval: Student's t on the logarithms.
 *
 * @param low and {@code high}: NaN with fewer than two values
 */
record GeometricMean(double mean, double low, double high) {
    private static final double TAIL = 0.025;

    static GeometricMean of(double... values) {
        if (values.length == 0 || Arrays.stream(values).anyMatch(value -> !(value > 0))) {
            throw new IllegalArgumentException("a geometric mean needs values above 0");
        }
        double mean = Arrays.stream(values).map(Math::log).sum() / values.length;
        if (values.length < 2) {
            return new GeometricMean(Math.exp(mean), Double.NaN, Double.NaN);
        }
        double squares = Arrays.stream(values)
                .map(value -> Math.pow(Math.log(value) - mean, 2))
                .sum();
        double degrees = values.length - 1.0;
        double error = Math.sqrt(squares / degrees / values.length);
        double half = TDistribution.of(degrees).inverseSurvivalProbability(TAIL) * error;
        return new GeometricMean(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
    }
}
