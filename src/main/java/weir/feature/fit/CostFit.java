package weir.feature.fit;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import weir.measure.Interval;
import weir.measure.LeastSquares;

/**
 * The cost of an operation: {@code cost = b₀ + b₁x₁ + b₂x₂ + …}. The fit minimizes squared relative errors, because
 * errors grow with the cost. Each interval is the wider of two intervals, see docs/explanation/fits.md.
 */
public final class CostFit {
    private static final int ROUNDS = 25;
    private static final double SMALLEST_WEIGHTED = 1e-3;

    private final LeastSquares fit;
    private final int terms;

    /** The half width of a confidence interval, in standard deviations of relative errors of size 1. */
    private final double reach;

    private final double explained;

    private CostFit(LeastSquares fit, double[][] rows, double[] costs) {
        double[] fitted = fitted(fit, rows);
        this.fit = fit;
        this.terms = rows[0].length;
        double squares = 0;
        Map<String, DoubleSummaryStatistics> cells = new TreeMap<>();
        for (int i = 0; i < costs.length; i++) {
            double off = off(costs[i], fitted[i]);
            squares += off * off;
            cells.computeIfAbsent(Arrays.toString(rows[i]), row -> new DoubleSummaryStatistics())
                    .accept(off);
        }
        double squaresOfCells = cells.values().stream()
                .mapToDouble(cell -> cell.getSum() * cell.getAverage())
                .sum();
        double trials = LeastSquares.reach(squares, costs.length - terms);
        double wider = Math.max(trials, LeastSquares.reach(squaresOfCells, cells.size() - terms));
        this.reach = Double.isNaN(wider) ? trials : wider;
        this.explained = explained(squares, fitted, costs);
    }

    public static boolean determined(double[][] counts) {
        double[] ones = Arrays.stream(counts).mapToDouble(row -> 1).toArray();
        return ones.length > 0 && LeastSquares.of(rows(counts), ones, ones, 0).isPresent();
    }

    /** Fits a model. The counts x₁, x₂, … of the trials must determine every coefficient; costs are positive. */
    public static CostFit of(double[][] counts, double[] costs) {
        double[][] rows = rows(counts);
        LeastSquares fit = weighted(rows, costs, costs);
        for (int round = 1; round < ROUNDS; round++) {
            fit = weighted(rows, costs, fitted(fit, rows));
        }
        return new CostFit(fit, rows, costs);
    }

    /** Fits with weights by fitted values, because weights by measured values would favour low values. */
    private static LeastSquares weighted(double[][] rows, double[] costs, double[] fitted) {
        double[] weights = new double[costs.length];
        for (int i = 0; i < weights.length; i++) {
            double size = Math.max(fitted[i], SMALLEST_WEIGHTED * costs[i]);
            weights[i] = 1 / (size * size);
        }
        return LeastSquares.of(rows, costs, weights, 0)
                .orElseThrow(
                        () -> new IllegalArgumentException("too few different counts to determine every coefficient"));
    }

    private static double[] fitted(LeastSquares fit, double[][] rows) {
        return Arrays.stream(rows).mapToDouble(fit::at).toArray();
    }

    private static double off(double cost, double fitted) {
        return cost / Math.max(fitted, SMALLEST_WEIGHTED * cost) - 1;
    }

    private static double explained(double left, double[] fitted, double[] costs) {
        double all = 0;
        double mean = 0;
        double weights = 0;
        for (int i = 0; i < costs.length; i++) {
            mean += costs[i] / (fitted[i] * fitted[i]);
            weights += 1 / (fitted[i] * fitted[i]);
        }
        mean /= weights;
        for (int i = 0; i < costs.length; i++) {
            all += (costs[i] - mean) * (costs[i] - mean) / (fitted[i] * fitted[i]);
        }
        return all == 0 ? Double.NaN : 1 - left / all;
    }

    /** The coefficient b₀ for number 0, b₁ for number 1, and so on. */
    public Interval coefficient(int number) {
        double[] only = new double[terms];
        only[number] = 1;
        double value = fit.at(only);
        double half = reach * Math.sqrt(Math.max(0, fit.covariance(only, only)));
        return new Interval(value, value - half, value + half);
    }

    public double at(double... counts) {
        return fit.at(row(counts));
    }

    /**
     * Returns the smallest x₁ with {@code b₀ + b₂x₂ + … <= share · b₁x₁}. Fieller's method gives its interval. NaN if
     * the interval of b₁ includes 0.
     *
     * @param others x₂, x₃, …
     */
    public Interval smallest(double share, double... others) {
        double[] rest = new double[terms];
        rest[0] = 1;
        System.arraycopy(others, 0, rest, 2, others.length);
        double[] own = new double[terms];
        own[1] = share;
        double top = fit.at(rest);
        double bottom = fit.at(own);
        double a = bottom * bottom - reach * reach * fit.covariance(own, own);
        double b = top * bottom - reach * reach * fit.covariance(rest, own);
        double c = top * top - reach * reach * fit.covariance(rest, rest);
        if (!(bottom > 0)) {
            return new Interval(Double.NaN, Double.NaN, Double.NaN);
        }
        if (!(a > 0)) {
            return new Interval(Math.max(0, top / bottom), Double.NaN, Double.NaN);
        }
        double root = Math.sqrt(Math.max(0, b * b - a * c));
        return new Interval(Math.max(0, top / bottom), Math.max(0, (b - root) / a), Math.max(0, (b + root) / a));
    }

    /** R² of the relative errors, which a few extreme cells hardly change. */
    public double explained() {
        return explained;
    }

    private static double[] row(double[] counts) {
        double[] row = new double[counts.length + 1];
        row[0] = 1;
        System.arraycopy(counts, 0, row, 1, counts.length);
        return row;
    }

    private static double[][] rows(double[][] counts) {
        return Arrays.stream(counts).map(CostFit::row).toArray(double[][]::new);
    }
}
