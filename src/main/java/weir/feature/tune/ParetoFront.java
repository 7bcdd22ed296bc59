package weir.feature.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The Pareto front: the points that no other point dominates in rate, latency and durability. The hypervolume (Zitzler
 * and Thiele 1998) is the area that the points cover beyond a reference point, summed over durability classes.
 */
final class ParetoFront {
    private ParetoFront() {}

    /**
     * @param rate logarithm of records per second; higher is better
     * @param latency logarithm of a latency percentile; lower is better
     * @param durability rank of the durability class; higher is better
     */
    record Values(double rate, double latency, int durability) {
        public boolean dominates(Values other) {
            return rate >= other.rate
                    && latency <= other.latency
                    && durability >= other.durability
                    && (rate > other.rate || latency < other.latency || durability > other.durability);
        }
    }

    static List<Values> of(List<Values> all) {
        return all.stream()
                .filter(one -> all.stream().noneMatch(other -> other.dominates(one)))
                .toList();
    }

    static double hypervolume(List<Values> points, Values reference) {
        int highest = points.stream().mapToInt(Values::durability).max().orElse(0);
        double sum = 0;
        // Empty classes count too, so that a point of a new class does not count the lower classes again.
        for (int durability = 0; durability <= highest; durability++) {
            int least = durability;
            sum += area(points.stream().filter(one -> one.durability >= least).toList(), reference);
        }
        return sum;
    }

    private static double area(List<Values> points, Values reference) {
        List<Values> fastest = new ArrayList<>(points);
        fastest.sort(Comparator.comparingDouble(Values::rate).reversed());
        double area = 0;
        double latency = reference.latency;
        for (Values point : fastest) {
            if (point.latency < latency && point.rate > reference.rate) {
                area += (point.rate - reference.rate) * (latency - point.latency);
                latency = point.latency;
            }
        }
        return area;
    }
}
