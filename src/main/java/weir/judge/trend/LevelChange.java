package weir.judge.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import weir.judge.Comparisons;
import weir.judge.RunDifferences;
import weir.measure.Welch;
import weir.results.CanaryResults;
import weir.results.RequestedExperiment;
import weir.results.RunComparison.Difference;
import weir.results.history.HistoryEntry;
import weir.results.history.RunTrend;
import weir.results.value.NumberFormat;

/** A change of level between two stretches of a series: how large it is, and what else changed there. */
final class LevelChange {
    /** The places that are looked at for something that changed, the likeliest first: a change may be found a run or two off. */
    private static final int[] NEAR = {0, 1, -1, 2, -2};

    /** The runs on either side that tell whether the machine changed with the figure. */
    private static final int BESIDE = 10;

    private final String variant;
    private final boolean moreIsBetter;
    /** The runs of the series, and where each stands among all. */
    private final List<HistoryEntry> runs;

    private final List<Integer> places;
    private final double[] values;
    private final List<ChangePoints.Found> found;

    LevelChange(
            String variant,
            boolean moreIsBetter,
            List<HistoryEntry> runs,
            List<Integer> places,
            double[] values,
            List<ChangePoints.Found> found) {
        this.variant = variant;
        this.moreIsBetter = moreIsBetter;
        this.runs = runs;
        this.places = places;
        this.values = values.clone();
        this.found = found;
    }

    /** One of the changes of the series. */
    RunTrend.Change told(int index) {
        int first = index == 0 ? 0 : found.get(index - 1).at();
        int at = found.get(index).at();
        int end = index + 1 < found.size() ? found.get(index + 1).at() : values.length;
        double[] before = stretch(first, at);
        double[] after = stretch(at, end);
        Welch welch = Welch.of(after, before);
        boolean worse = worse(welch);
        double gain = Math.log(welch.ratio()) * (moreIsBetter ? 1 : -1);
        MachineDrift drift = MachineDrift.between(
                canaries(Math.max(first, at - BESIDE), at), canaries(at, Math.min(end, at + BESIDE)));
        int differing = differing(at);
        return new RunTrend.Change(
                places.get(at),
                places.get(at - 1),
                found.get(index).seen() - at,
                Welch.geometricMean(before),
                Welch.geometricMean(after),
                welch.ratio(),
                Double.isFinite(welch.low()) ? (Double) welch.low() : null,
                Double.isFinite(welch.high()) ? (Double) welch.high() : null,
                worse ? Comparisons.WORSE : Comparisons.BETTER,
                worse && undone(before),
                differences(differing),
                places.get(differing),
                drift.words(),
                drift.explains(gain));
    }

    private double[] stretch(int from, int to) {
        return ChangePoints.withoutOutliers(Arrays.copyOfRange(values, from, to));
    }

    /** The level since the last change. */
    double level() {
        int latest = found.isEmpty() ? 0 : found.get(found.size() - 1).at();
        return Welch.geometricMean(stretch(latest, values.length));
    }

    private boolean worse(Welch welch) {
        return welch.ratio() > 1 != moreIsBetter;
    }

    /** True unless the latest runs are, for sure, still worse than those before the change. */
    private boolean undone(double[] before) {
        int latest = found.get(found.size() - 1).at();
        Welch still = Welch.of(stretch(latest, values.length), before);
        return !worse(still) || still.p() > Welch.LEVEL;
    }

    private List<CanaryResults> canaries(int from, int to) {
        return runs.subList(from, to).stream().map(HistoryEntry::canaries).toList();
    }

    /** The run at which something else changed, if that was at the change or near it. */
    private int differing(int at) {
        for (int off : NEAR) {
            int near = at + off;
            if (near > 0
                    && near < runs.size()
                    && differences(near).stream().anyMatch(one -> one.kind() != Difference.Kind.LABEL)) {
                return near;
            }
        }
        return at;
    }

    /** The differences of a run from the one before it. */
    private List<Difference> differences(int at) {
        List<HistoryEntry> two = List.of(runs.get(at - 1), runs.get(at));
        List<Difference> differences = labels(two);
        List<RequestedExperiment.Variant> asked =
                two.stream().map(run -> TrendRuns.asked(run, variant)).toList();
        List<Difference> others = RunDifferences.of(
                two.stream().map(HistoryEntry::machine).toList(),
                two.stream().map(HistoryEntry::weir).toList(),
                asked.stream().map(one -> Map.of("", one)).toList(),
                List.of(kafka(two.get(0), asked.get(0)), kafka(two.get(1), asked.get(1))));
        others.stream().filter(one -> !follows(one, others)).forEach(differences::add);
        return differences;
    }

    private static List<Difference> labels(List<HistoryEntry> two) {
        Set<String> names = new LinkedHashSet<>();
        two.forEach(run -> names.addAll(run.labels().keySet()));
        List<Difference> differences = new ArrayList<>();
        for (String name : names) {
            List<String> values = two.stream()
                    .map(run -> run.labels().getOrDefault(name, NumberFormat.MISSING))
                    .toList();
            if (values.stream().distinct().count() > 1) {
                differences.add(new Difference(Difference.Kind.LABEL, name, values));
            }
        }
        return differences;
    }

    /** True for a property in force that a setting says. */
    private static boolean follows(Difference property, List<Difference> all) {
        String name = property.name().substring(property.name().lastIndexOf(' ') + 1);
        return property.kind() == Difference.Kind.PROPERTY
                && all.stream()
                        .anyMatch(other -> other.kind() == Difference.Kind.SETTING
                                && other.name().endsWith("." + name));
    }

    private static String kafka(HistoryEntry run, RequestedExperiment.Variant asked) {
        return asked.values()
                .getOrDefault("cluster.kafka", run.machine().facts().getOrDefault("kafka", NumberFormat.MISSING));
    }

    /** The releases of Kafka in a run, as far as they are known. */
    static String kafka(HistoryEntry run) {
        return run.variants().stream()
                .map(variant -> kafka(run, variant))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
