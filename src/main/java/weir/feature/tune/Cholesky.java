package weir.feature.tune;

/** A symmetric positive matrix as the product of a lower triangle and its transpose (Golub and Van Loan, 4.2). */
final class Cholesky {
    private final double[][] lower;

    private Cholesky(double[][] lower) {
        this.lower = lower;
    }

    static Cholesky of(double[][] matrix) {
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
                if (i == j && !(sum > 0)) {
                    throw new IllegalArgumentException("row " + i + " of the matrix depends on the rows above it");
                }
                row[j] = i == j ? Math.sqrt(sum) : sum / above[j];
            }
        }
        return new Cholesky(lower);
    }

    /** Solves L y = {@code right}. */
    double[] forward(double[] right) {
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
    double[] solve(double[] right) {
        double[] x = forward(right);
        for (int i = x.length - 1; i >= 0; i--) {
            for (int k = i + 1; k < x.length; k++) {
                x[i] -= lower[k][i] * x[k];
            }
            x[i] /= lower[i][i];
        }
        return x;
    }

    double logDeterminant() {
        double sum = 0;
        for (int i = 0; i < lower.length; i++) {
            sum += 2 * Math.log(lower[i][i]);
        }
        return sum;
    }
}
