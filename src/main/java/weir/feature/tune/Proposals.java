package weir.feature.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import weir.measure.LeastSquares.Cholesky;

/**
 * The choice of the next point to measure. The first points are spread over the space. Each later point is the point
 * that, in the best case, enlarges the hypervolume of the front most.
 */
final class Proposals {
    static final int SPREAD = 10;

    private static final double OPTIMISM = 2.5;

    private static final double MARGIN = 0.1;

    private static final int REFIT = 5;

    private final SettingSpace space;
    private final List<SettingSpace.Point> start;
    private final ToIntFunction<SettingSpace.Point> durability;
    private final List<SettingSpace.Point> measured = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();
    private final List<Double> latencies = new ArrayList<>();
    private GaussianProcess.Parameters ofRates = GaussianProcess.Parameters.USUAL;
    private GaussianProcess.Parameters ofLatencies = GaussianProcess.Parameters.USUAL;

    /**
     * @param first points to measure first, such as the points of the goals
     * @param durability returns the rank of a point's durability class
     */
    Proposals(
            SettingSpace space,
            List<SettingSpace.Point> first,
            ToIntFunction<SettingSpace.Point> durability,
            Random random) {
        this.space = space;
        this.durability = durability;
        Set<SettingSpace.Point> begin = new LinkedHashSet<>(first);
        begin.addAll(space.latinHypercube(Math.min(SPREAD, space.points().size()), random));
        this.start = List.copyOf(begin);
    }

    void add(SettingSpace.Point point, double rate, double latency) {
        measured.add(point);
        rates.add(Math.log(rate));
        latencies.add(Math.log(latency));
        if (measured.size() % REFIT == 0) {
            ofRates = GaussianProcess.fitted(space, measured, array(rates), ofRates);
            ofLatencies = GaussianProcess.fitted(space, measured, array(latencies), ofLatencies);
        }
    }

    SettingSpace.Point next() {
        Optional<SettingSpace.Point> begins =
                start.stream().filter(point -> !measured.contains(point)).findFirst();
        if (begins.isPresent()) {
            return begins.get();
        }
        Models models = new Models();
        List<ParetoFront.Values> known = new LinkedHashSet<>(measured)
                .stream().map(point -> models.values(point, 0)).toList();
        ParetoFront.Values reference = worst(known);
        List<ParetoFront.Values> front = ParetoFront.of(known);
        Function<SettingSpace.Point, ParetoFront.Values> atBest = point -> models.values(point, OPTIMISM);
        return most(space.points(), atBest, front, reference, Double.NEGATIVE_INFINITY)
                .orElse(start.get(0));
    }

    List<SettingSpace.Point> best(int count) {
        Models models = new Models();
        Map<SettingSpace.Point, ParetoFront.Values> expected = new LinkedHashMap<>();
        Stream.concat(measured.stream(), space.points().stream())
                .forEach(point -> expected.computeIfAbsent(point, one -> models.values(one, 0)));
        ParetoFront.Values reference = worst(List.copyOf(expected.values()));
        List<SettingSpace.Point> chosen = new ArrayList<>();
        List<ParetoFront.Values> front = new ArrayList<>();
        while (chosen.size() < count) {
            Optional<SettingSpace.Point> best = most(
                    expected.keySet(),
                    point -> Objects.requireNonNull(expected.get(point)),
                    front,
                    reference,
                    ParetoFront.hypervolume(front, reference));
            if (best.isEmpty()) {
                break;
            }
            chosen.add(best.get());
            front.add(models.values(best.get(), 0));
        }
        return chosen;
    }

    /** Returns the first point that enlarges the hypervolume most; empty if none exceeds {@code least}. */
    private static Optional<SettingSpace.Point> most(
            Collection<SettingSpace.Point> points,
            Function<SettingSpace.Point, ParetoFront.Values> values,
            List<ParetoFront.Values> front,
            ParetoFront.Values reference,
            double least) {
        Optional<SettingSpace.Point> best = Optional.empty();
        double most = least;
        for (SettingSpace.Point point : points) {
            List<ParetoFront.Values> with = new ArrayList<>(front);
            with.add(values.apply(point));
            double covered = ParetoFront.hypervolume(with, reference);
            if (covered > most) {
                most = covered;
                best = Optional.of(point);
            }
        }
        return best;
    }

    private final class Models {
        private final GaussianProcess rate = new GaussianProcess(space, measured, array(rates), ofRates);
        private final GaussianProcess latency = new GaussianProcess(space, measured, array(latencies), ofLatencies);

        private ParetoFront.Values values(SettingSpace.Point point, double optimism) {
            GaussianProcess.Prediction ofRate = rate.at(point);
            GaussianProcess.Prediction ofLatency = latency.at(point);
            return new ParetoFront.Values(
                    ofRate.mean() + optimism * ofRate.deviation(),
                    ofLatency.mean() - optimism * ofLatency.deviation(),
                    durability.applyAsInt(point));
        }
    }

    /** A reference slightly below the worst point, so that points with one equal figure still cover an area. */
    private static ParetoFront.Values worst(List<ParetoFront.Values> points) {
        return new ParetoFront.Values(
                points.stream().mapToDouble(ParetoFront.Values::rate).min().orElse(0) - MARGIN,
                points.stream().mapToDouble(ParetoFront.Values::latency).max().orElse(0) + MARGIN,
                0);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(value -> value).toArray();
    }

    /**
     * A model of one figure over a {@link SettingSpace}: a Gaussian process on the figure's logarithm. The covariance
     * is a sum over single settings, pairs of settings, and exact points. So the model predicts untried combinations
     * (Rasmussen and Williams 2006, chapters 2 and 5; the sum over subsets is from Duvenaud, Nickisch and Rasmussen
     * 2011).
     */
    static final class GaussianProcess {
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
            this.covariance = Cholesky.of(matrix, 0).orElseThrow();
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
                double similarity = space.similarity(axis, a, b);
                sum += similarity;
                squares += similarity * similarity;
            }
            double[] shares = SHARES[parameters.shares];
            double pairs = axes < 2 ? sum / axes : (sum * sum - squares) / (axes * (axes - 1.0));
            // Different points never reach this sum. Comparing their values costs more than everything else here.
            double own = sum == axes && a.equals(b) ? 1 - shares[0] - shares[1] : 0;
            double signal = SIGNALS[parameters.signal];
            return signal * signal * (shares[0] * sum / axes + shares[1] * pairs + own);
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
}
