package weir.feature.tune;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A model of one figure over a {@link SettingSpace}: a Gaussian process on the figure's logarithm. The covariance is a
 * sum over single settings, pairs of settings, and exact points. So the model predicts untried combinations (Rasmussen
 * and Williams 2006, chapters 2 and 5; the sum over subsets is from Duvenaud, Nickisch and Rasmussen 2011).
 */
final class GaussianProcess {
    private static final double[][] SHARES = {{0.97, 0.02}, {0.85, 0.14}, {0.6, 0.38}};

    private static final double[] NOISES = {0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32};

    private static final double[] SIGNALS = {0.01, 0.03, 0.1, 0.3, 1, 3};

    private static final double USUAL_NOISE = 0.1;

    private final SettingSpace space;
    private final List<SettingSpace.Point> at;
    private final double mean;
    private final Parameters parameters;
    private final Cholesky covariance;
    private final double[] weights;

    record Parameters(int shares, int signal, int noise) {
        static final Parameters USUAL = new Parameters(1, 3, 3);

        private double variance() {
            return SIGNALS[signal] * SIGNALS[signal];
        }

        private double noiseDeviation() {
            return NOISES[noise];
        }

        private List<Parameters> neighbours() {
            return Stream.of(
                            new Parameters(shares - 1, signal, noise),
                            new Parameters(shares + 1, signal, noise),
                            new Parameters(shares, signal - 1, noise),
                            new Parameters(shares, signal + 1, noise),
                            new Parameters(shares, signal, noise - 1),
                            new Parameters(shares, signal, noise + 1))
                    .filter(Parameters::tried)
                    .toList();
        }

        private boolean tried() {
            return shares >= 0
                    && shares < SHARES.length
                    && signal >= 0
                    && signal < SIGNALS.length
                    && noise >= 0
                    && noise < NOISES.length;
        }
    }

    record Prediction(double mean, double deviation) {}

    GaussianProcess(SettingSpace space, List<SettingSpace.Point> at, double[] logs, Parameters parameters) {
        this.space = space;
        this.at = List.copyOf(at);
        this.parameters = parameters;
        this.mean = Arrays.stream(logs).average().orElse(0);
        double[][] matrix = new double[logs.length][];
        for (int i = 0; i < logs.length; i++) {
            matrix[i] = new double[i + 1];
            for (int j = 0; j <= i; j++) {
                matrix[i][j] = covariance(at.get(i), at.get(j));
            }
            matrix[i][i] += parameters.noiseDeviation() * parameters.noiseDeviation();
        }
        this.covariance = Cholesky.of(matrix);
        this.weights =
                covariance.solve(Arrays.stream(logs).map(log -> log - mean).toArray());
    }

    static Parameters fitted(SettingSpace space, List<SettingSpace.Point> at, double[] logs, Parameters from) {
        GaussianProcess best = new GaussianProcess(space, at, logs, from);
        double likelihood = best.logLikelihood(logs);
        boolean better = true;
        while (better) {
            better = false;
            for (Parameters next : best.parameters.neighbours()) {
                GaussianProcess other = new GaussianProcess(space, at, logs, next);
                double its = other.logLikelihood(logs);
                if (its > likelihood) {
                    best = other;
                    likelihood = its;
                    better = true;
                }
            }
        }
        return best.parameters;
    }

    Prediction at(SettingSpace.Point point) {
        double[] toMeasured = new double[at.size()];
        double guess = mean;
        for (int i = 0; i < toMeasured.length; i++) {
            toMeasured[i] = covariance(point, at.get(i));
            guess += toMeasured[i] * weights[i];
        }
        double known = 0;
        for (double part : covariance.forward(toMeasured)) {
            known += part * part;
        }
        return new Prediction(guess, Math.sqrt(Math.max(0, covariance(point, point) - known)));
    }

    private double covariance(SettingSpace.Point a, SettingSpace.Point b) {
        int axes = space.axes().size();
        double sum = 0;
        double squares = 0;
        for (int axis = 0; axis < axes; axis++) {
            double likeness = space.likeness(axis, a, b);
            sum += likeness;
            squares += likeness * likeness;
        }
        double[] shares = SHARES[parameters.shares];
        double pairs = axes < 2 ? sum / axes : (sum * sum - squares) / (axes * (axes - 1.0));
        // Different points never reach this sum. Comparing their values costs more than everything else here.
        double own = sum == axes && a.equals(b) ? 1 - shares[0] - shares[1] : 0;
        return parameters.variance() * (shares[0] * sum / axes + shares[1] * pairs + own);
    }

    private double logLikelihood(double[] logs) {
        double fit = 0;
        for (int i = 0; i < logs.length; i++) {
            fit += (logs[i] - mean) * weights[i];
        }
        double unusual = Math.log(parameters.noiseDeviation() / USUAL_NOISE);
        return -fit / 2 - covariance.logDeterminant() / 2 - unusual * unusual / 2;
    }
}
