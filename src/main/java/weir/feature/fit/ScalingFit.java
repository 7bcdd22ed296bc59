package weir.feature.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;
import weir.measure.Interval;
import weir.measure.LeastSquares;
import weir.measure.Welch;

/**
 * The Universal Scalability Law (Gunther): {@code X(N) = γN / (1 + σ(N−1) + κN(N−1))}. The fit is by least squares of
 * the logarithms of the rates, because errors grow with the rate. The page docs/explanation/fits.md explains γ, σ, κ
 * and their intervals.
 */
public final class ScalingFit {
    public static final int FEWEST = 4;

    private static final int TERMS = 3;
    private static final int ROUNDS = 60;
    private static final int RAYS = 60;
    private static final int DEPTHS = 6;
    private static final int BISECTIONS = 25;
    private static final double FAR = 100;

    private static final double LEAST_LEFT = 1e-18;

    private final double[] counts;
    private final double[] logs;

    private final double[] weights;
    private final double trials;
    private final Law best;
    private final List<Law> plausible = new ArrayList<>();

    private boolean bounded = true;

    private record Law(double contention, double coherency, double logOfOne, double left, double slack) {
        double divisor(double count) {
            return 1 + contention * (count - 1) + coherency * count * (count - 1);
        }

        double at(double count) {
            return Math.exp(logOfOne) * count / divisor(count);
        }
    }

    private ScalingFit(SortedMap<Double, List<Double>> rates) {
        int cells = rates.size();
        counts = rates.keySet().stream().mapToDouble(count -> count).toArray();
        logs = new double[cells];
        weights = new double[cells];
        double within = 0;
        int cell = 0;
        for (List<Double> own : rates.values()) {
            double[] of = own.stream().mapToDouble(Math::log).toArray();
            logs[cell] = Welch.mean(of);
            weights[cell] = of.length;
            within += of.length < 2 ? 0 : Welch.variance(of) * (of.length - 1);
            cell++;
        }
        trials = Arrays.stream(weights).sum();
        best = Stream.of(law(0, 0), descended(true, false), descended(false, true), descended(true, true))
                .min(Comparator.comparingDouble(Law::left))
                .orElseThrow();
        double byTrials = LeastSquares.reach(within + best.left, (int) trials - TERMS);
        double byCells = LeastSquares.reach(best.left, cells - TERMS);
        plausible.add(best);
        trace(best.left + Math.max(LEAST_LEFT, Math.pow(Math.max(byTrials, byCells), 2)));
    }

    public static boolean determined(double[] counts) {
        return Arrays.stream(counts).distinct().count() >= FEWEST;
    }

    /** Fits the law to counts N of at least 1 and positive rates; at least {@link #FEWEST} counts must differ. */
    public static ScalingFit of(double[] counts, double[] rates) {
        SortedMap<Double, List<Double>> cells = new TreeMap<>();
        for (int i = 0; i < counts.length; i++) {
            if (!(counts[i] >= 1) || !(rates[i] > 0)) {
                throw new IllegalArgumentException(
                        "for a scaling law each rate must be above 0 and each count at least 1, found the rate "
                                + rates[i] + " at the count " + counts[i]);
            }
            cells.computeIfAbsent(counts[i], count -> new ArrayList<>()).add(rates[i]);
        }
        if (cells.size() < FEWEST) {
            throw new IllegalArgumentException(cells.size() + " different N do not determine a scaling law");
        }
        return new ScalingFit(cells);
    }

    private Law law(double contention, double coherency) {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += weights[i] * (logs[i] - shape(counts[i], contention, coherency));
        }
        double logOfOne = sum / trials;
        double left = 0;
        for (int i = 0; i < counts.length; i++) {
            double off = logs[i] - logOfOne - shape(counts[i], contention, coherency);
            left += weights[i] * off * off;
        }
        return new Law(contention, coherency, logOfOne, left, 0);
    }

    /** Returns {@code log(X(N) / γ)}. */
    private static double shape(double count, double contention, double coherency) {
        return Math.log(count) - Math.log(1 + contention * (count - 1) + coherency * count * (count - 1));
    }

    /** Descends by Gauss and Newton. Halves a step until the fit improves, and keeps σ, κ ≥ 0. */
    private Law descended(boolean contention, boolean coherency) {
        double start = 0.1 / counts[counts.length - 1];
        Law at = law(contention ? start : 0, coherency ? start / counts[counts.length - 1] : 0);
        for (int round = 0; round < ROUNDS; round++) {
            double[][] slopes = slopes(at);
            double[] down = new double[2];
            for (int i = 0; i < counts.length; i++) {
                double off = logs[i] - at.logOfOne - shape(counts[i], at.contention, at.coherency);
                down[0] += weights[i] * slopes[i][0] * off;
                down[1] += weights[i] * slopes[i][1] * off;
            }
            double[] step = solved(LeastSquares.products(slopes, weights), down, contention, coherency);
            double share = 1;
            Law next = at;
            do {
                next = law(Math.max(0, at.contention + share * step[0]), Math.max(0, at.coherency + share * step[1]));
                share /= 2;
            } while (!(next.left < at.left) && share > 1e-12);
            if (!(next.left < at.left)) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private double[][] slopes(Law at) {
        double[][] slopes = new double[counts.length][2];
        double[] mean = new double[2];
        for (int i = 0; i < counts.length; i++) {
            slopes[i][0] = -(counts[i] - 1) / at.divisor(counts[i]);
            slopes[i][1] = counts[i] * slopes[i][0];
            mean[0] += weights[i] / trials * slopes[i][0];
            mean[1] += weights[i] / trials * slopes[i][1];
        }
        for (double[] slope : slopes) {
            slope[0] -= mean[0];
            slope[1] -= mean[1];
        }
        return slopes;
    }

    private static double[] solved(double[][] left, double[] right, boolean first, boolean second) {
        double determinant = left[0][0] * left[1][1] - left[0][1] * left[1][0];
        if (first && second && determinant > 1e-12 * left[0][0] * left[1][1]) {
            return new double[] {
                (right[0] * left[1][1] - right[1] * left[0][1]) / determinant,
                (right[1] * left[0][0] - right[0] * left[1][0]) / determinant
            };
        }
        return new double[] {first ? right[0] / left[0][0] : 0, second ? right[1] / left[1][1] : 0};
    }

    /** Samples the laws with a sum of squares of at most {@code most}, along rays from the best fit. */
    private void trace(double most) {
        double[][] shape = LeastSquares.products(slopes(best), weights);
        // The Cholesky factor maps the region nearly to a circle, so that evenly spaced rays cover it.
        double a = Math.sqrt(shape[0][0]);
        double b = shape[0][1] / a;
        double c = Math.sqrt(Math.max(1e-12 * shape[1][1], shape[1][1] - b * b));
        double reach = Math.sqrt(most - best.left);
        for (int ray = 0; ray < RAYS; ray++) {
            double angle = 2 * Math.PI * ray / RAYS;
            double second = Math.sin(angle) / c;
            double first = (Math.cos(angle) - b * second) / a;
            along(best, first, second, reach, most);
        }
        for (Law edge : List.of(descended(true, false), descended(false, true))) {
            if (edge.left <= most) {
                boolean contention = edge.coherency == 0;
                double size = contention ? 1 / a : 1 / Math.sqrt(shape[1][1]);
                for (double direction : new double[] {-size, size}) {
                    along(edge, contention ? direction : 0, contention ? 0 : direction, reach, most);
                }
            }
        }
        add(law(0, 0), most);
    }

    private void along(Law from, double first, double second, double reach, double most) {
        double edge = Math.min(
                first < 0 ? -from.contention / first : Double.POSITIVE_INFINITY,
                second < 0 ? -from.coherency / second : Double.POSITIVE_INFINITY);
        double inside = 0;
        double outside = Math.min(edge, FAR * reach);
        if (within(from, first, second, outside, most)) {
            bounded &= edge <= FAR * reach;
            inside = outside;
        } else {
            for (int i = 0; i < BISECTIONS; i++) {
                double middle = (inside + outside) / 2;
                if (within(from, first, second, middle, most)) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
        }
        for (int depth = 1; depth <= DEPTHS; depth++) {
            double at = inside * depth / DEPTHS;
            add(moved(from, first, second, at), most);
        }
    }

    private boolean within(Law from, double first, double second, double distance, double most) {
        return moved(from, first, second, distance).left <= most;
    }

    private Law moved(Law from, double first, double second, double distance) {
        return law(Math.max(0, from.contention + distance * first), Math.max(0, from.coherency + distance * second));
    }

    private void add(Law law, double most) {
        if (law.left <= most) {
            plausible.add(new Law(
                    law.contention, law.coherency, law.logOfOne, law.left, Math.sqrt((most - law.left) / trials)));
        }
    }

    private Interval range(ToDoubleBiFunction<Law, Double> figure) {
        double value = figure.applyAsDouble(best, 0.0);
        double low = value;
        double high = value;
        for (Law law : plausible) {
            low = Math.min(low, figure.applyAsDouble(law, -law.slack));
            high = Math.max(high, figure.applyAsDouble(law, law.slack));
        }
        return new Interval(value, low, high);
    }

    private Interval open(Interval range) {
        return bounded ? range : new Interval(range.value(), range.low(), Double.POSITIVE_INFINITY);
    }

    /** γ, the rate at N = 1. */
    public Interval rateOfOne() {
        return open(range((law, slack) -> Math.exp(law.logOfOne + slack)));
    }

    /** σ. */
    public Interval contention() {
        return open(range((law, slack) -> law.contention));
    }

    /** κ. */
    public Interval coherency() {
        return open(range((law, slack) -> law.coherency));
    }

    public Interval at(double count) {
        return range((law, slack) -> Math.exp(slack) * law.at(count));
    }

    public Interval efficiency(double count) {
        return range((law, slack) -> 1 / law.divisor(count));
    }

    /** The N above which the efficiency X(N) / γN is below a share; infinite if there is none. */
    public Interval below(double share) {
        return range((law, slack) -> below(law, share));
    }

    /** Solves {@code κN² + (σ − κ)N + 1 − σ = 1/share}. */
    private static double below(Law law, double share) {
        double missing = 1 / share - 1;
        double half = law.contention + law.coherency;
        // In m = N − 1: κm² + (σ + κ)m = missing, solved without subtracting nearly equal terms.
        double root = half + Math.sqrt(half * half + 4 * law.coherency * missing);
        return root == 0 ? Double.POSITIVE_INFINITY : 1 + 2 * missing / root;
    }

    /** Returns the N with the highest rate X(N); infinite if the rate grows with every N. */
    public Interval peak() {
        return range((law, slack) -> law.coherency == 0
                ? law.contention >= 1 ? 1 : Double.POSITIVE_INFINITY
                : Math.max(1, Math.sqrt(Math.max(0, 1 - law.contention) / law.coherency)));
    }
}
