package weir.feature.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;
import weir.feature.trend.TrendJudge.WatchedMetric;
import weir.judge.Comparisons;
import weir.judge.RunDifferences;
import weir.measure.Canary;
import weir.measure.Welch;
import weir.results.CanaryResults;
import weir.results.PropertyDifference;
import weir.results.RequestedExperiment;
import weir.results.RunComparison.Difference;
import weir.results.value.NumberFormat;

/** A change of a figure's level between two parts of a series: its size, and other differences between the runs. */
final class LevelChange {
    private static final int[] NEAR = {0, 1, -1, 2, -2};

    /** The p of a nominal 99 % interval, which contains 96 to 99 % of true changes at the largest difference. */
    private static final double INTERVAL = 0.01;

    private static final int BESIDE = 10;

    private final WatchedMetric watched;
    private final List<HistoryEntry> runs;
    private final double[] values;
    private final List<ChangePoints.Found> found;
    private final double noise;
    private final int degrees;

    LevelChange(WatchedMetric watched, List<HistoryEntry> all, List<ChangePoints.Found> found) {
        this.watched = watched;
        this.runs = watched.points().stream().map(point -> all.get(point.at())).toList();
        this.values = watched.values();
        this.found = found;
        double squares = 0;
        for (int i = 0; i <= found.size(); i++) {
            double[] logs = Welch.logs(stretch(start(i), start(i + 1)), 1);
            squares += logs.length < 2 ? 0 : (logs.length - 1) * Welch.variance(logs);
        }
        degrees = Math.max(1, values.length - found.size() - 1);
        noise = Math.max(ChangePoints.QUIETEST, Math.sqrt(squares / degrees));
    }

    private int place(int at) {
        return watched.points().get(at).at();
    }

    private int start(int level) {
        return level == 0
                ? 0
                : level > found.size() ? values.length : found.get(level - 1).at();
    }

    RunTrend.Change change(int index) {
        int first = start(index);
        int at = start(index + 1);
        int end = start(index + 2);
        double[] before = stretch(first, at);
        double[] after = stretch(at, end);
        double change = Math.log(Welch.geometricMean(after) / Welch.geometricMean(before));
        double half = margin(before.length, after.length, INTERVAL);
        double gain = watched.moreIsBetter() ? change : -change;
        boolean worse = gain < 0;
        MachineDrift drift = MachineDrift.between(
                canaries(Math.max(first, at - BESIDE), at), canaries(at, Math.min(end, at + BESIDE)));
        int nearby = nearby(at);
        return new RunTrend.Change(
                place(at),
                place(at - 1),
                found.get(index).seen() - at,
                Welch.geometricMean(before),
                Welch.geometricMean(after),
                Math.exp(change),
                Math.exp(change - half),
                Math.exp(change + half),
                worse ? Comparisons.WORSE : Comparisons.BETTER,
                worse && index + 1 < found.size() && undone(before),
                differences(at),
                place(nearby),
                nearby == at ? List.of() : withoutLabels(differences(nearby)),
                drift.words(),
                drift.explains(gain));
    }

    private double[] stretch(int from, int to) {
        return ChangePoints.withoutOutliers(Arrays.copyOfRange(values, from, to));
    }

    double level() {
        return Welch.geometricMean(stretch(start(found.size()), values.length));
    }

    private double margin(int before, int after, double level) {
        return TDistribution.of(degrees).inverseSurvivalProbability(level / 2)
                * noise
                * Math.sqrt(1.0 / before + 1.0 / after);
    }

    private boolean undone(double[] before) {
        double[] now = stretch(start(found.size()), values.length);
        double still =
                Math.log(Welch.geometricMean(now) / Welch.geometricMean(before)) * (watched.moreIsBetter() ? -1 : 1);
        return still <= margin(before.length, now.length, Welch.LEVEL);
    }

    private List<CanaryResults> canaries(int from, int to) {
        return runs.subList(from, to).stream().map(HistoryEntry::canaries).toList();
    }

    private int nearby(int at) {
        for (int off : NEAR) {
            int near = at + off;
            if (near > 0
                    && near < runs.size()
                    && !withoutLabels(differences(near)).isEmpty()) {
                return near;
            }
        }
        return at;
    }

    private static List<Difference> withoutLabels(List<Difference> differences) {
        return differences.stream()
                .filter(one -> one.kind() != Difference.Kind.LABEL)
                .toList();
    }

    private List<Difference> differences(int at) {
        List<HistoryEntry> two = List.of(runs.get(at - 1), runs.get(at));
        List<Difference> differences = new ArrayList<>();
        PropertyDifference.differing(two.stream().map(HistoryEntry::labels).toList())
                .forEach((name, values) -> differences.add(new Difference(Difference.Kind.LABEL, name, values)));
        List<Difference> others = RunDifferences.of(two.stream()
                .map(run -> {
                    RequestedExperiment.Variant asked = TrendRuns.asked(run, watched.variant());
                    return new RunDifferences.ComparedRun(
                            run.machine(), run.weir(), run.kafka(asked.values()), Map.of("", asked));
                })
                .toList());
        others.stream().filter(one -> !follows(one, others)).forEach(differences::add);
        return differences;
    }

    private static boolean follows(Difference property, List<Difference> all) {
        String name = property.name().substring(property.name().lastIndexOf(' ') + 1);
        return property.kind() == Difference.Kind.PROPERTY
                && all.stream()
                        .anyMatch(other -> other.kind() == Difference.Kind.SETTING
                                && other.name().endsWith("." + name));
    }

    /**
     * The change in the speed of the idle machine, by the machine benchmarks before and after the change of level.
     *
     * @param words each benchmark that changed, with its change
     * @param gain logarithm of the speedup in the benchmark that changed most; 0 if none changed
     */
    record MachineDrift(List<String> words, double gain) {
        MachineDrift {
            words = List.copyOf(words);
        }

        static MachineDrift between(List<CanaryResults> before, List<CanaryResults> after) {
            List<String> words = new ArrayList<>();
            double most = 0;
            for (Canary work : works(after)) {
                Welch welch = Welch.of(speeds(after, work), speeds(before, work), Welch.STRICT_LEVEL);
                double gain = Math.log(welch.ratio());
                if (welch.fewest() >= ChangePoints.SIDE
                        && welch.p() <= Welch.STRICT_LEVEL
                        && Math.abs(gain) > Math.log(1 + work.least())) {
                    words.add(String.format(
                            Locale.ROOT,
                            "%s %s %s",
                            work.name(),
                            NumberFormat.threeDigits(100 * Math.abs(welch.ratio() - 1)) + " %",
                            gain > 0 ? "faster" : "slower"));
                    most = Math.abs(gain) > Math.abs(most) ? gain : most;
                }
            }
            return new MachineDrift(words, most);
        }

        /** True if the gain has the sign of {@code ofFigure}, also a logarithm, and at least half of its size. */
        boolean explains(double ofFigure) {
            return gain * ofFigure > 0 && Math.abs(gain) >= Math.abs(ofFigure) / 2;
        }

        private static Stream<Canary> all(CanaryResults results) {
            return Stream.concat(results.before().stream(), results.after().stream());
        }

        private static List<Canary> works(List<CanaryResults> runs) {
            List<Canary> works = new ArrayList<>();
            for (Canary canary : (Iterable<Canary>) runs.stream().flatMap(MachineDrift::all)::iterator) {
                if (works.stream().noneMatch(other -> other.same(canary))) {
                    works.add(canary);
                }
            }
            return works;
        }

        private static double[] speeds(List<CanaryResults> runs, Canary work) {
            return runs.stream()
                    .mapToDouble(run -> Welch.geometricMean(all(run).filter(canary -> canary.same(work))
                            .mapToDouble(canary -> work.moreIsBetter() ? canary.median() : 1 / canary.median())
                            .toArray()))
                    .filter(Double::isFinite)
                    .toArray();
        }
    }
}
