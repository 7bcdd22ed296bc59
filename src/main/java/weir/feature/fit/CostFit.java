package weir.feature.fit;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;
import weir.measure.Interval;
import weir.measure.Welch;

/**
 * The cost of an operation: {@code cost = b₀ + b₁x₁ + b₂x₂ + …}. The fit minimizes squared relative errors, because
 * errors grow with the cost. Each interval is the wider of two intervals, see docs/explanation/fits.md.
 */
public final class CostFit {
    private static final int ROUNDS = 25;
    private static final double SMALLEST_WEIGHTED = 1e-3;

    private final double[] coefficients;
    /** The covariance matrix of the coefficients for relative errors with a standard deviation of 1. */
    private final double[][] unit;

    /** The half width of a confidence interval, in standard deviations of {@link #unit}. */
    private final double reach;

    private final double explained;

    private record Scatter(double variance, int degrees) {
        double reach() {
            return degrees < 1
                    ? Double.NaN
                    : TDistribution.of(degrees).inverseSurvivalProbability(Welch.LEVEL / 2) * Math.sqrt(variance);
        }
    }

    private CostFit(double[] coefficients, double[][] unit, Scatter trials, Scatter cells, double explained) {
        this.coefficients = coefficients;
        this.unit = unit;
        double wider = Math.max(trials.reach(), cells.reach());
        this.reach = Double.isNaN(wider) ? trials.reach() : wider;
        this.explained = explained;
    }

    public static boolean determined(double[][] counts) {
        double[][] rows = rows(counts);
        return rows.length > 0 && inverse(products(rows, ones(rows.length))).length > 0;
    }

    /** Fits a model. The counts x₁, x₂, … of the trials must determine every coefficient; costs are positive. */
    public static CostFit of(double[][] counts, double[] costs) {
        double[][] rows = rows(counts);
        double[] fitted = costs.clone();
        double[] coefficients = new double[rows[0].length];
        double[][] unit = {};
        // Weights use the fitted values, because weights by measured values would favour low values.
        for (int round = 0; round < ROUNDS; round++) {
            double[] weights = new double[costs.length];
            for (int i = 0; i < weights.length; i++) {
                double size = Math.max(fitted[i], SMALLEST_WEIGHTED * costs[i]);
                weights[i] = 1 / (size * size);
            }
            unit = inverse(products(rows, weights));
            if (unit.length == 0) {
                throw new IllegalArgumentException("too few different counts to determine every coefficient");
            }
            double[] right = new double[coefficients.length];
            for (int i = 0; i < rows.length; i++) {
                for (int j = 0; j < right.length; j++) {
                    right[j] += weights[i] * rows[i][j] * costs[i];
                }
            }
            coefficients = times(unit, right);
            for (int i = 0; i < rows.length; i++) {
                fitted[i] = dot(coefficients, rows[i]);
            }
        }
        return new CostFit(
                coefficients,
                unit,
                trials(fitted, costs, coefficients.length),
                cells(rows, fitted, costs, coefficients.length),
                explained(fitted, costs));
    }

    private static double off(double cost, double fitted) {
        return cost / Math.max(fitted, SMALLEST_WEIGHTED * cost) - 1;
    }

    private static Scatter trials(double[] fitted, double[] costs, int terms) {
        double sum = 0;
        for (int i = 0; i < costs.length; i++) {
            sum += off(costs[i], fitted[i]) * off(costs[i], fitted[i]);
        }
        return new Scatter(sum / Math.max(1, costs.length - terms), costs.length - terms);
    }

    private static Scatter cells(double[][] rows, double[] fitted, double[] costs, int terms) {
        double sum = 0;
        int cells = 0;
        for (int i = 0; i < rows.length; i++) {
            int first = first(rows, i);
            if (first == i) {
                double mean = 0;
                int members = 0;
                for (int j = i; j < rows.length; j++) {
                    if (Arrays.equals(rows[i], rows[j])) {
                        mean += off(costs[j], fitted[j]);
                        members++;
                    }
                }
                sum += mean * mean / members;
                cells++;
            }
        }
        return new Scatter(sum / Math.max(1, cells - terms), cells - terms);
    }

    private static int first(double[][] rows, int like) {
        int first = 0;
        while (!Arrays.equals(rows[first], rows[like])) {
            first++;
        }
        return first;
    }

    private static double explained(double[] fitted, double[] costs) {
        double left = 0;
        double all = 0;
        double mean = 0;
        double weights = 0;
        for (int i = 0; i < costs.length; i++) {
            mean += costs[i] / (fitted[i] * fitted[i]);
            weights += 1 / (fitted[i] * fitted[i]);
        }
        mean /= weights;
        for (int i = 0; i < costs.length; i++) {
            left += off(costs[i], fitted[i]) * off(costs[i], fitted[i]);
            all += (costs[i] - mean) * (costs[i] - mean) / (fitted[i] * fitted[i]);
        }
        return all == 0 ? Double.NaN : 1 - left / all;
    }

    /** The coefficient b₀ for number 0, b₁ for number 1, and so on. */
    public Interval coefficient(int number) {
        double[] only = new double[coefficients.length];
        only[number] = 1;
        return linear(only);
    }

    public double at(double... counts) {
        return dot(coefficients, row(counts));
    }

    private Interval linear(double[] combination) {
        double value = dot(coefficients, combination);
        double half = reach * Math.sqrt(Math.max(0, product(combination, combination)));
        return new Interval(value, value - half, value + half);
    }

    /**
     * Returns the smallest x₁ with {@code b₀ + b₂x₂ + … <= share · b₁x₁}. Fieller's method gives its interval. NaN if
     * the interval of b₁ includes 0.
     *
     * @param others x₂, x₃, …
     */
    public Interval smallest(double share, double... others) {
        double[] rest = new double[coefficients.length];
        rest[0] = 1;
        System.arraycopy(others, 0, rest, 2, others.length);
        double[] own = new double[coefficients.length];
        own[1] = share;
        double top = dot(coefficients, rest);
        double bottom = dot(coefficients, own);
        double a = bottom * bottom - reach * reach * product(own, own);
        double b = top * bottom - reach * reach * product(rest, own);
        double c = top * top - reach * reach * product(rest, rest);
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

    private double product(double[] x, double[] y) {
        return dot(times(unit, x), y);
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

    private static double[] ones(int length) {
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[][] products(double[][] rows, double[] weights) {
        int terms = rows[0].length;
        double[][] products = new double[terms][terms];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < terms; j++) {
                for (int k = 0; k < terms; k++) {
                    products[j][k] += weights[i] * rows[i][j] * rows[i][k];
                }
            }
        }
        return products;
    }

    /** Inverts by Gauss and Jordan, after scaling each row and column to size 1; empty without an inverse. */
    private static double[][] inverse(double[][] matrix) {
        int n = matrix.length;
        double[] size = new double[n];
        double[][] left = new double[n][2 * n];
        for (int i = 0; i < n; i++) {
            size[i] = Math.sqrt(matrix[i][i]);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                left[i][j] = matrix[i][j] / (size[i] * size[j]);
            }
            left[i][n + i] = 1;
        }
        for (int column = 0; column < n; column++) {
            int pivot = column;
            for (int i = column + 1; i < n; i++) {
                pivot = Math.abs(left[i][column]) > Math.abs(left[pivot][column]) ? i : pivot;
            }
            if (!(Math.abs(left[pivot][column]) > 1e-10)) {
                return new double[0][];
            }
            double[] swapped = left[pivot];
            left[pivot] = left[column];
            left[column] = swapped;
            double by = left[column][column];
            for (int j = 0; j < 2 * n; j++) {
                left[column][j] /= by;
            }
            for (int i = 0; i < n; i++) {
                double factor = i == column ? 0 : left[i][column];
                for (int j = 0; j < 2 * n; j++) {
                    left[i][j] -= factor * left[column][j];
                }
            }
        }
        double[][] inverse = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                inverse[i][j] = left[i][n + j] / (size[i] * size[j]);
            }
        }
        return inverse;
    }

    private static double[] times(double[][] matrix, double[] vector) {
        return Arrays.stream(matrix).mapToDouble(row -> dot(row, vector)).toArray();
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }
}
