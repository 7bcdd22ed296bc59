package weir.judge.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The points of which none is beaten by another in everything: not more, not sooner, and not as durable (Pareto). Its
 * hypervolume is what it covers of the plane of logarithms down to a reference, summed over the classes of durability
 * (Zitzler and Thiele 1998).
 */
public final class ParetoFront {
    private ParetoFront() {}

    /**
     * One point as it is judged.
     *
     * @param rate logarithm of records per second; more is better
     * @param latency logarithm of a percentile; less is better
     * @param durability class; more is better
     */
    public record Values(double rate, double latency, int durability) {
        /** True when it is at least as good in everything, and better in something. */
        public boolean dominates(Values other) {
            return rate >= other.rate
                    && latency <= other.latency
                    && durability >= other.durability
                    && (rate > other.rate || latency < other.latency || durability > other.durability);
        }
    }

    /** Returns those that no other one dominates, in their order. */
    public static List<Values> of(List<Values> all) {
        return all.stream()
                .filter(one -> all.stream().noneMatch(other -> other.dominates(one)))
                .toList();
    }

    /** The area that points cover down to a reference, the worst that matters. */
    public static double hypervolume(List<Values> points, Values reference) {
        int highest = points.stream().mapToInt(Values::durability).max().orElse(0);
        double sum = 0;
        // Every class counts, whether or not a point is of it: one more class must not count all others once more.
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
