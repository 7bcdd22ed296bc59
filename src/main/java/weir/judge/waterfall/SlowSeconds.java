package weir.judge.waterfall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import weir.measure.Median;
import weir.results.WindowRow;
import weir.results.value.StepResult;

/**
 * The seconds of each step in which the response p99 was highest, a tenth of them, beside the others: what brokers do longer in
 * them than in others makes the tail longer, as far as it comes in seconds of its own.
 *
 * @param slow how many looks at the brokers, {@code others} all others
 * @param slowP99 the median of their response p99, in milliseconds
 */
public record SlowSeconds(
        int slow, int others, double slowP99, double othersP99, StageTimes inSlow, StageTimes inOthers) {
    private static final int FEWEST = 10;
    /** A moment between two seconds belongs to the nearer one. */
    private static final double HALF = 0.5;

    private static final double SHARE = 0.1;

    /** A stage counts in whole milliseconds: a smaller difference of means says little. */
    private static final double LEAST_MILLIS = 0.5;

    private static final double LEAST_SHARE = 0.1;
    private static final double MICROS = 1000;

    /** A look and the highest response p99 of its seconds. */
    private record Ranked(double p99, StageTimes times) {}

    /** None where no step is long enough. */
    static Stream<SlowSeconds> of(List<StepResult> steps, List<WindowRow> rows, RequestSeries produced) {
        List<Ranked> slow = new ArrayList<>();
        List<Ranked> others = new ArrayList<>();
        List<RequestSeries.Look> looks = produced.together();
        NavigableMap<Double, Double> p99 = new TreeMap<>();
        rows.forEach(row -> p99.merge(row.second(), row.response().p99(), SlowSeconds::higher));
        for (StepResult step : steps) {
            List<Ranked> ranked = looks.stream()
                    .filter(look ->
                            look.from() >= step.from() - HALF && look.to() <= step.from() + step.seconds() + HALF)
                    .map(look -> new Ranked(highest(p99, look), look.times()))
                    .filter(one -> !Double.isNaN(one.p99()) && one.times().whole())
                    .sorted(Comparator.comparingDouble(Ranked::p99).reversed())
                    .toList();
            if (ranked.size() >= FEWEST) {
                int most = (int) Math.ceil(SHARE * ranked.size());
                slow.addAll(ranked.subList(0, most));
                others.addAll(ranked.subList(most, ranked.size()));
            }
        }
        return slow.isEmpty()
                ? Stream.empty()
                : Stream.of(new SlowSeconds(
                        slow.size(), others.size(), median(slow), median(others), sum(slow), sum(others)));
    }

    private static double highest(NavigableMap<Double, Double> p99, RequestSeries.Look look) {
        return p99.subMap(look.from() - HALF, look.to() - HALF).values().stream()
                .reduce(Double.NaN, SlowSeconds::higher);
    }

    private static double higher(double one, double other) {
        return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
    }

    private static double median(List<Ranked> looks) {
        return Median.of(looks.stream().mapToDouble(Ranked::p99).toArray());
    }

    private static StageTimes sum(List<Ranked> looks) {
        return looks.stream().map(Ranked::times).reduce(StageTimes.NONE, StageTimes::plus);
    }

    /** Milliseconds that a stage took longer in slow seconds than in others, on average, to the microsecond. */
    public double longer(RequestTime time) {
        return Math.rint((inSlow.mean(time) - inOthers.mean(time)) * MICROS) / MICROS;
    }

    /** The stages that were longer by more than rounding and by a good part of the tail, the longest first. */
    public List<RequestTime> behind() {
        double least = Math.max(LEAST_MILLIS, LEAST_SHARE * (slowP99 - othersP99));
        return RequestTime.STAGES.stream()
                .filter(stage -> longer(stage) >= least)
                .sorted(Comparator.comparingDouble(this::longer).reversed())
                .toList();
    }
}
