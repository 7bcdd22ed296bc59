package weir.judge.trend;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.Comparisons;
import weir.judge.RunDifferences;
import weir.measure.Welch;
import weir.plan.NearestWord;
import weir.results.IncomparableRunsException;
import weir.results.history.HistoryEntry;
import weir.results.history.RunTrend;
import weir.results.history.RunTrend.Point;
import weir.results.history.RunTrend.Run;
import weir.results.history.RunTrend.Series;
import weir.results.value.NumberFormat;

/**
 * Many runs of one experiment as series. What is asked is what the newest run asked, on the machine it ran on: runs with
 * another load, another machine, or numbers that do not hold are left out, and told.
 */
public final class TrendJudge {
    /** Standard errors of an autocorrelation, beyond which it is none by chance. */
    private static final double SURE = 2;

    /** The runs that it takes to say so. */
    private static final int FOR_CORRELATION = 20;

    private final String name;
    private final TrendRuns runs;
    private final List<String> metrics;

    private TrendJudge(String name, List<HistoryEntry> all, List<String> metrics) {
        this.name = name;
        this.metrics = List.copyOf(metrics);
        runs = new TrendRuns(name, all);
    }

    /**
     * The trend of the experiment of this name.
     *
     * @param metrics those to look at; empty for all
     * @param gate whether to say if anything got worse
     * @param accepted the run up to which all changes are accepted; empty for none
     * @throws IncomparableRunsException when there are no such runs, or none has such a metric
     */
    public static RunTrend of(
            String name, List<HistoryEntry> all, List<String> metrics, boolean gate, String accepted) {
        return new TrendJudge(name, all, metrics).judged(gate, accepted);
    }

    private RunTrend judged(boolean gate, String accepted) {
        List<Watched> watched = watched();
        List<Series> series = watched.parallelStream()
                .map(one -> series(one, watched.stream().filter(one::sharesWith).count()))
                .toList();
        List<Run> told = runs.all().stream().map(TrendJudge::told).toList();
        RunTrend.@Nullable Gate answer =
                gate ? new TrendGate(name, told, series, runs.unheard()).judged(accepted) : null;
        return new RunTrend(
                RunTrend.VERSION,
                name,
                RunDifferences.ofMachine(runs.newest().machine().facts()),
                told,
                series,
                runs.leftOut(),
                Stream.concat(vanished(), series.stream().flatMap(TrendJudge::correlated))
                        .toList(),
                answer,
                answer == null ? 0 : TrendGate.exit(answer));
    }

    /**
     * A figure of a variant, to be judged. Primary figures share one level and all others another, so that the chance of
     * any false alarm is at most twice that of one series; figures that were chosen share one.
     */
    private record Watched(String variant, String metric, boolean primary, boolean chosen, List<Point> points) {
        boolean sharesWith(Watched other) {
            return chosen || primary == other.primary;
        }
    }

    private List<Watched> watched() {
        List<Watched> watched = new ArrayList<>();
        Set<String> known = new LinkedHashSet<>();
        runs.newest().figures().forEach((variant, figures) -> {
            List<Integer> asking = runs.asking(variant);
            String primary = figures.keySet().iterator().next();
            known.addAll(figures.keySet());
            for (String metric : figures.keySet()) {
                if (metrics.isEmpty() || metrics.stream().anyMatch(one -> is(metric, one))) {
                    List<Point> points = asking.stream()
                            .flatMap(at -> point(at, variant, metric))
                            .toList();
                    watched.add(new Watched(variant, metric, metric.equals(primary), !metrics.isEmpty(), points));
                }
            }
        });
        for (String metric : metrics) {
            if (known.stream().noneMatch(one -> is(one, metric))) {
                throw new IncomparableRunsException(
                        "'" + metric + "': '" + name + "' has no such metric" + NearestWord.hint(metric, known));
            }
        }
        return watched;
    }

    /** True for the metric that is asked for; {@code response p99} is also that of every step. */
    private static boolean is(String metric, String asked) {
        return metric.equals(asked) || metric.startsWith(asked + " at ");
    }

    private Stream<Point> point(int at, String variant, String metric) {
        List<Double> trials = Objects.requireNonNull(
                        runs.all().get(at).figures().get(variant))
                .getOrDefault(metric, List.of());
        double[] values = trials.stream().mapToDouble(value -> value).sorted().toArray();
        double mean = Welch.geometricMean(values);
        return Double.isFinite(mean)
                ? Stream.of(new Point(at, mean, values[0], values[values.length - 1]))
                : Stream.of();
    }

    private Series series(Watched watched, long sharing) {
        List<Point> points = watched.points();
        double[] values = points.stream().mapToDouble(Point::figure).toArray();
        List<ChangePoints.Found> found = ChangePoints.of(values, 1.0 / sharing);
        double visible = ChangePoints.visible(values, 1.0 / sharing);
        boolean moreIsBetter = Comparisons.moreIsBetter(watched.metric());
        List<Integer> places = points.stream().map(Point::at).toList();
        LevelChange changes = new LevelChange(
                watched.variant(),
                moreIsBetter,
                places.stream().map(runs.all()::get).toList(),
                places,
                values,
                found);
        return new Series(
                watched.variant(),
                watched.metric(),
                watched.primary(),
                moreIsBetter,
                points,
                changes.level(),
                IntStream.range(0, found.size()).mapToObj(changes::told).toList(),
                Double.isFinite(visible) ? (Double) visible : null,
                Math.max(0, ChangePoints.FEWEST - values.length));
    }

    /** Figures that the run before the newest had, and that one has not: nobody watches them now. */
    private Stream<String> vanished() {
        if (runs.all().size() < 2) {
            return Stream.of();
        }
        HistoryEntry before = runs.all().get(runs.all().size() - 2);
        return before.figures().entrySet().stream().flatMap(variant -> {
            Map<String, List<Double>> now = runs.newest().figures().getOrDefault(variant.getKey(), Map.of());
            return variant.getValue().keySet().stream()
                    .filter(metric -> !now.containsKey(metric))
                    .map(metric -> variant.getKey() + ", " + metric + ": the newest run has no such figure, and "
                            + before.run() + " had one.");
        });
    }

    private static Run told(HistoryEntry run) {
        return new Run(run.run(), run.startedAt(), run.state(), run.weir(), LevelChange.kafka(run), run.labels());
    }

    /** The stated rate of false alarms is that of runs that know nothing of each other. */
    private static Stream<String> correlated(Series series) {
        int since = series.changes().isEmpty()
                ? 0
                : series.changes().get(series.changes().size() - 1).at();
        double[] logs = Welch.logs(
                series.points().stream()
                        .filter(point -> point.at() >= since)
                        .mapToDouble(Point::figure)
                        .toArray(),
                1);
        if (logs.length < FOR_CORRELATION || Welch.variance(logs) == 0) {
            return Stream.of();
        }
        double mean = Welch.mean(logs);
        double together = 0;
        for (int i = 1; i < logs.length; i++) {
            together += (logs[i] - mean) * (logs[i - 1] - mean);
        }
        double correlation = together / (Welch.variance(logs) * (logs.length - 1));
        return correlation > SURE / Math.sqrt(logs.length)
                ? Stream.of(series.name() + ": each run resembles the one before it (autocorrelation "
                        + NumberFormat.threeDigits(correlation)
                        + "), so false alarms are more frequent than the stated 2 in 100.")
                : Stream.of();
    }
}
