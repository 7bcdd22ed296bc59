package weir.feature.waterfall;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.measure.Median;
import weir.measure.Percentile;
import weir.results.WindowRow;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/**
 * A comparison of the slow seconds of each step with the step's other seconds. Slow seconds are the tenth of the
 * seconds with the highest response p99. The page docs/explanation/where-time-goes.md has the rule.
 *
 * @param atLeast true if both p99s are lower bounds, because messages without an answer reach the p99 of a step
 */
public record SlowSeconds(SecondsGroup slow, SecondsGroup others, boolean atLeast) {
    private static final int FEWEST = 10;
    private static final double HALF = 0.5;

    private static final double TENTH = 10;

    /** The smallest meaningful difference of means, because stages count in whole milliseconds. */
    private static final double LEAST_MILLIS = 0.5;

    private static final double LEAST_SHARE = 0.1;
    private static final double MICROS = 1000;

    /** The slow seconds, or all others: their response p99 and mean request times, in milliseconds. */
    public record SecondsGroup(String name, int looks, double p99, Map<RequestTime, Double> means) {
        public SecondsGroup {
            means = Collections.unmodifiableMap(new EnumMap<>(means));
        }

        private static SecondsGroup of(String name, List<Split> splits, Function<Split, List<Ranked>> half) {
            Map<RequestTime, Double> means = new EnumMap<>(RequestTime.class);
            for (RequestTime time : RequestTime.values()) {
                means.put(
                        time,
                        weighted(
                                splits,
                                split -> half.apply(split).stream()
                                        .map(Ranked::times)
                                        .reduce(StageTimes.NONE, StageTimes::plus)
                                        .mean(time)));
            }
            return new SecondsGroup(
                    name,
                    splits.stream().mapToInt(split -> half.apply(split).size()).sum(),
                    weighted(
                            splits,
                            split -> Median.of(half.apply(split).stream()
                                    .mapToDouble(Ranked::p99)
                                    .toArray())),
                    means);
        }
    }

    private record Ranked(double p99, StageTimes times) {}

    private record Split(List<Ranked> slow, List<Ranked> others) {}

    static Stream<SlowSeconds> of(List<StepResult> steps, List<WindowRow> rows, RequestSeries produced) {
        List<RequestSeries.Look> looks = produced.together();
        NavigableMap<Double, Double> p99 = new TreeMap<>();
        rows.forEach(row -> p99.merge(row.second(), row.response().p99(), SlowSeconds::higher));
        List<Split> splits = new ArrayList<>();
        for (StepResult step : steps) {
            List<Ranked> ranked = looks.stream()
                    .filter(look ->
                            look.from() >= step.from() - HALF && look.to() < step.from() + step.seconds() + HALF)
                    .map(look -> new Ranked(highest(p99, look), look.times()))
                    .filter(one -> !Double.isNaN(one.p99()) && one.times().whole())
                    .sorted(Comparator.comparingDouble(Ranked::p99).reversed())
                    .toList();
            if (ranked.size() >= FEWEST) {
                int most = (int) Percentile.rank(TENTH, ranked.size());
                splits.add(new Split(ranked.subList(0, most), ranked.subList(most, ranked.size())));
            }
        }
        return splits.isEmpty()
                ? Stream.empty()
                : Stream.of(new SlowSeconds(
                        SecondsGroup.of("slowest", splits, Split::slow),
                        SecondsGroup.of("others", splits, Split::others),
                        steps.stream()
                                .anyMatch(step -> step.figures().response().isBound(99))));
    }

    private static double highest(NavigableMap<Double, Double> p99, RequestSeries.Look look) {
        return p99.subMap(look.from() - HALF, look.to() - HALF).values().stream()
                .reduce(Double.NaN, SlowSeconds::higher);
    }

    private static double higher(double one, double other) {
        return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
    }

    private static double weighted(List<Split> splits, ToDoubleFunction<Split> figure) {
        double sum = 0;
        int weight = 0;
        for (Split split : splits) {
            sum += split.slow().size() * figure.applyAsDouble(split);
            weight += split.slow().size();
        }
        return sum / weight;
    }

    /** Returns {@code slow mean - other mean} of a stage in milliseconds, rounded to microseconds. */
    public double longer(RequestTime time) {
        double difference = slow.means.getOrDefault(time, Double.NaN) - others.means.getOrDefault(time, Double.NaN);
        return Math.rint(difference * MICROS) / MICROS;
    }

    String p99(SecondsGroup half) {
        return (atLeast ? "≥ " : "") + NumberFormat.millis(half.p99);
    }

    public List<RequestTime> behind() {
        double least = Math.max(LEAST_MILLIS, LEAST_SHARE * (slow.p99 - others.p99));
        return RequestTime.STAGES.stream()
                .filter(stage -> longer(stage) >= least)
                .sorted(Comparator.comparingDouble(this::longer).reversed())
                .toList();
    }
}
