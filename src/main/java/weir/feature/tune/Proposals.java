package weir.feature.tune;

import java.util.ArrayList;
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
}
