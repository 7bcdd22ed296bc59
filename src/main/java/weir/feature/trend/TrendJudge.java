package weir.feature.trend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.trend.RunTrend.Change;
import weir.feature.trend.RunTrend.Gate;
import weir.feature.trend.RunTrend.Point;
import weir.feature.trend.RunTrend.Reason;
import weir.feature.trend.RunTrend.Run;
import weir.feature.trend.RunTrend.Series;
import weir.judge.Comparisons;
import weir.judge.RunDifferences;
import weir.measure.Known;
import weir.measure.Welch;
import weir.plan.NearestWord;
import weir.results.GateOutcome;
import weir.results.IncomparableRunsException;
import weir.results.value.NumberFormat;

/**
 * The judge of the trend over many runs of one experiment. It judges only runs that are like the newest run. It
 * excludes and reports runs with another load, another machine, or untrustworthy numbers.
 */
public final class TrendJudge {
    private static final double SURE = 3;

    private static final double BESIDE = 0.1;

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
     * Returns the trend of an experiment.
     *
     * @param metrics the metrics to judge; empty for all
     * @param damaged reason for each unreadable entry, in one line
     * @param gate true to decide whether any figure became worse
     * @param accepted run up to which all changes are accepted; empty for none
     * @throws IncomparableRunsException if the experiment has no usable run, or no run has one of the metrics
     */
    public static RunTrend of(
            String name,
            List<HistoryEntry> all,
            List<String> damaged,
            List<String> metrics,
            boolean gate,
            String accepted) {
        return new TrendJudge(name, all, metrics).judged(damaged, gate, accepted);
    }

    private RunTrend judged(List<String> damaged, boolean gate, String accepted) {
        List<Series> series = watched().parallelStream().map(this::series).toList();
        List<Run> reported = runs.all().stream().map(TrendJudge::reported).toList();
        List<String> missing = new ArrayList<>(damaged);
        if (!runs.missingFigures().isEmpty()) {
            missing.add(runs.missingFigures());
        }
        RunTrend.@Nullable Gate answer =
                gate ? new TrendGate(name, runs.names(), reported, series).judged(missing, accepted) : null;
        return new RunTrend(
                RunTrend.VERSION,
                name,
                RunDifferences.ofMachine(runs.newest().machine().facts()),
                reported,
                series,
                runs.leftOut(),
                Stream.concat(
                                series.stream().flatMap(this::vanished),
                                series.stream().flatMap(TrendJudge::correlated))
                        .toList(),
                answer,
                answer != null ? answer.outcome().exit() : damaged.isEmpty() ? 0 : TrendGate.USAGE);
    }

    record WatchedMetric(String variant, String metric, boolean primary, List<Point> points) {
        double[] values() {
            return points.stream().mapToDouble(Point::figure).toArray();
        }

        boolean moreIsBetter() {
            return Comparisons.moreIsBetter(metric);
        }
    }

    private List<WatchedMetric> watched() {
        List<WatchedMetric> watched = new ArrayList<>();
        Set<String> known = new LinkedHashSet<>();
        for (String variant : runs.variants()) {
            List<Integer> asking = runs.asking(variant);
            Map<String, Boolean> primary = primary(variant, asking);
            known.addAll(primary.keySet());
            primary.forEach((metric, first) -> {
                if (metrics.isEmpty() || metrics.stream().anyMatch(one -> is(metric, one))) {
                    List<Point> points = asking.stream()
                            .flatMap(at -> point(at, variant, metric))
                            .toList();
                    watched.add(new WatchedMetric(variant, metric, first, points));
                }
            });
        }
        for (String metric : metrics) {
            if (known.stream().noneMatch(one -> is(one, metric))) {
                throw new IncomparableRunsException(
                        "'" + metric + "': '" + name + "' has no such metric" + NearestWord.hint(metric, known));
            }
        }
        return watched;
    }

    private Map<String, Boolean> primary(String variant, List<Integer> asking) {
        Map<String, Boolean> primary = new LinkedHashMap<>();
        for (int i = asking.size() - 1; i >= 0; i--) {
            Set<String> figures = Objects.requireNonNull(
                            runs.all().get(asking.get(i)).figures().get(variant))
                    .keySet();
            String first = figures.iterator().next();
            figures.forEach(metric -> primary.putIfAbsent(metric, metric.equals(first)));
        }
        return primary;
    }

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

    /** Each series has its own p, so that a new figure never removes a change that was found. */
    private Series series(WatchedMetric watched) {
        ChangePoints looked = ChangePoints.of(watched.values(), watched.primary() ? 1 : BESIDE);
        List<ChangePoints.Found> found = looked.found();
        LevelChange changes = new LevelChange(watched, runs.all(), found);
        return new Series(
                watched.variant(),
                watched.metric(),
                watched.primary(),
                watched.moreIsBetter(),
                watched.points(),
                changes.level(),
                IntStream.range(0, found.size()).mapToObj(changes::change).toList(),
                Known.of(looked.visible()),
                Math.max(0, ChangePoints.FEWEST - watched.points().size()));
    }

    private Stream<String> vanished(Series series) {
        int last = series.points().get(series.points().size() - 1).at();
        return last == runs.all().size() - 1
                ? Stream.of()
                : Stream.of(series.name() + ": the newest run lacks this figure; the last run with this figure is "
                        + runs.all().get(last).run() + ".");
    }

    private static Run reported(HistoryEntry run) {
        String kafka = run.variants().stream()
                .map(variant -> run.kafka(variant.values()))
                .distinct()
                .collect(Collectors.joining(", "));
        return new Run(run.run(), run.startedAt(), run.state(), run.weir(), kafka, run.labels());
    }

    /** Notes on series with dependent runs, for which the stated rate of false alarms is wrong. */
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
                ? Stream.of(series.name() + ": each run resembles the run before it (autocorrelation "
                        + NumberFormat.threeDigits(correlation)
                        + "), so false alarms are more frequent.")
                : Stream.of();
    }

    /**
     * The judge of the gate. The gate fails if a figure has become worse since the last accepted run and is still
     * worse. It is inconclusive if the machine changed at the same time, or if a series is too short.
     */
    private record TrendGate(String name, List<String> names, List<Run> runs, List<Series> series) {
        /** The exit code for a damaged entry without {@code --gate}. */
        static final int USAGE = 2;

        Gate judged(List<String> missing, String accepted) {
            check(accepted);
            List<Reason> worse = new ArrayList<>();
            List<Reason> blinding = new ArrayList<>();
            missing.forEach(line -> blinding.add(new Reason("", line)));
            String acceptable = "";
            for (Series one : series) {
                for (Change change : one.changes()) {
                    String run = runs.get(change.at()).run();
                    if (run.compareTo(accepted) > 0
                            && !change.undone()
                            && change.verdict().equals(Comparisons.WORSE)) {
                        (change.shared() ? blinding : worse).add(reason(one, change));
                        acceptable = run.compareTo(acceptable) > 0 ? run : acceptable;
                    }
                }
                if (one.primary() || series.stream().noneMatch(Series::primary)) {
                    blinding.addAll(blind(one, accepted));
                }
            }
            return !worse.isEmpty()
                    ? new Gate(accepted, GateOutcome.REGRESSION, worse, acceptable)
                    : new Gate(
                            accepted, blinding.isEmpty() ? GateOutcome.OPEN : GateOutcome.BLIND, blinding, acceptable);
        }

        private void check(String accepted) {
            if (accepted.isEmpty() || names.contains(accepted)) {
                return;
            }
            boolean older = HistoryEntry.names(accepted, name) && accepted.compareTo(names.get(0)) < 0;
            if (!older) {
                throw new IncomparableRunsException("--accept: '" + accepted + "' is not a run of '" + name
                        + "'; write the name of a run, such as the newest, " + names.get(names.size() - 1));
            }
        }

        private List<Reason> blind(Series one, String accepted) {
            if (one.missing() > 0) {
                return List.of(new Reason(
                        one.name(),
                        "too few runs: must be at least " + ChangePoints.FEWEST + ", found "
                                + one.points().size()));
            }
            int last = one.points().get(one.points().size() - 1).at();
            boolean gone = last < runs.size() - 1 && runs.get(last + 1).run().compareTo(accepted) > 0;
            return gone
                    ? List.of(new Reason(
                            one.name(),
                            "the newest run lacks this figure; the last run with this figure is "
                                    + runs.get(last).run()))
                    : List.of();
        }

        private Reason reason(Series one, Change change) {
            String text = NumberFormat.gain(change.ratio()) + " since "
                    + runs.get(change.at()).run();
            return new Reason(
                    one.name(),
                    change.shared()
                            ? text + ", but the machine changed, too: " + NumberFormat.listed(change.machine())
                            : text);
        }
    }
}
