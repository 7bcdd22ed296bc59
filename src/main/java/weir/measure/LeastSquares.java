package weir.measure;

import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/** A fit of a linear model by weighted least squares: one coefficient for each column of the rows. */
public final class LeastSquares {
    /** The least share of a column that the columns before it must not explain. */
    private static final double DETERMINED = 1e-10;

    private final Cholesky equations;
    private final double[] coefficients;

    private LeastSquares(Cholesky equations, double[] right) {
        this.equations = equations;
        this.coefficients = equations.solve(right);
    }

    /**
     * Fits a model to the values of the rows; empty if the rows do not determine each coefficient.
     *
     * @param ridge keeps the equations solvable; zero for an exact fit
     */
    public static Optional<LeastSquares> of(double[][] rows, double[] values, double[] weights, double ridge) {
        double[][] products = products(rows, weights);
        double[] right = new double[products.length];
        for (int j = 0; j < right.length; j++) {
            products[j][j] += ridge;
            for (int i = 0; i < rows.length; i++) {
                right[j] += weights[i] * rows[i][j] * values[i];
            }
        }
        return Cholesky.of(products, DETERMINED).map(equations -> new LeastSquares(equations, right));
    }

    /** Returns the weighted sum of the products of each pair of columns. */
    public static double[][] products(double[][] rows, double[] weights) {
        int columns = rows[0].length;
        double[][] products = new double[columns][columns];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < columns; j++) {
                for (int k = 0; k < columns; k++) {
                    products[j][k] += weights[i] * rows[i][j] * rows[i][k];
                }
            }
        }
        return products;
    }

    /** Returns the value of the model for a row. */
    public double at(double... row) {
        return dot(coefficients, row);
    }

    /** Returns the covariance of the model's values for two rows; errors have the variance 1 at the weight 1. */
    public double covariance(double[] one, double[] other) {
        return dot(equations.solve(one), other);
    }

    /**
     * Returns half of the width of a 95 % interval, in standard deviations of {@link #covariance}; NaN without a degree
     * of freedom.
     *
     * @param squares the weighted sum of the squares of all errors
     */
    public static double reach(double squares, int degrees) {
        return degrees < 1
                ? Double.NaN
                : TDistribution.of(degrees).inverseSurvivalProbability(Welch.LEVEL / 2) * Math.sqrt(squares / degrees);
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    /** A symmetric positive matrix as the product of a lower triangle and its transpose (Golub and Van Loan, 4.2). */
    public static final class Cholesky {
        private final double[][] lower;

        private Cholesky(double[][] lower) {
            this.lower = lower;
        }

        /**
         * Returns the factor; empty if a row depends on the rows above it.
         *
         * @param least the share of a diagonal element above which its row does not depend on others
         */
        public static Optional<Cholesky> of(double[][] matrix, double least) {
            double[][] lower = new double[matrix.length][];
            for (int i = 0; i < matrix.length; i++) {
                double[] row = new double[i + 1];
                lower[i] = row;
                for (int j = 0; j <= i; j++) {
                    double[] above = lower[j];
                    double sum = matrix[i][j];
                    for (int k = 0; k < j; k++) {
                        sum -= row[k] * above[k];
                    }
                    if (i == j && !(sum > least * matrix[i][i])) {
                        return Optional.empty();
                    }
                    row[j] = i == j ? Math.sqrt(sum) : sum / above[j];
                }
            }
            return Optional.of(new Cholesky(lower));
        }

        /** Solves L y = {@code right}. */
        public double[] forward(double[] right) {
            double[] y = right.clone();
            for (int i = 0; i < y.length; i++) {
                double[] row = lower[i];
                double sum = y[i];
                for (int k = 0; k < i; k++) {
                    sum -= row[k] * y[k];
                }
                y[i] = sum / row[i];
            }
            return y;
        }

        /** Solves A x = {@code right} for the decomposed matrix A. */
        public double[] solve(double[] right) {
            double[] x = forward(right);
            for (int i = x.length - 1; i >= 0; i--) {
                for (int k = i + 1; k < x.length; k++) {
                    x[i] -= lower[k][i] * x[k];
                }
                x[i] /= lower[i][i];
            }
            return x;
        }

        public double logDeterminant() {
            double sum = 0;
            for (int i = 0; i < lower.length; i++) {
                sum += 2 * Math.log(lower[i][i]);
            }
            return sum;
        }
    }
}
