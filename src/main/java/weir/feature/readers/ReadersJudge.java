package weir.feature.readers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.readers.ReadersFeature.Ability;
import weir.feature.readers.ReadersResult.Reader;
import weir.feature.readers.RebalanceResult.InVariant;
import weir.judge.ProbeSeries;
import weir.judge.trial.JudgedTrial;
import weir.load.read.ReaderActivity;
import weir.measure.DisturbanceReadings;
import weir.measure.Interval;
import weir.measure.Known;
import weir.measure.Median;
import weir.results.value.DisturbanceResult;

/**
 * The judgement of readers by the readings of their trials. A rebalance belongs to the last change of the trial before
 * it: the begin or the end of any disturbance.
 */
final class ReadersJudge {
    private static final String END = " (end)";

    private final JudgedTrial trial;
    private final ProbeSeries readings;
    private final double begin;
    private final double end;
    private final List<Cause> causes = new ArrayList<>();

    /** A change, in seconds since the trial's first window, until the next change. */
    private record Cause(String name, String what, double from, double to) {}

    /** The rebalance after one cause in one trial, with the lengths of its pauses. */
    private record Rebalance(
            Cause cause,
            @Nullable Double first,
            @Nullable Double last,
            List<Double> pauses,
            double moved,
            double gap) {}

    ReadersJudge(JudgedTrial trial) {
        this.trial = trial;
        this.readings = ProbeSeries.of(
                trial.folder(),
                (source, metric) -> source.startsWith(ReaderActivity.READER + "-")
                        || metric.equals(ReaderActivity.OWNER)
                        || metric.equals(DisturbanceReadings.READ_GAP));
        this.begin = trial.result().steps().get(0).from();
        this.end = begin + trial.result().seconds();
        SortedMap<Double, String[]> changes = new TreeMap<>(Map.of(begin, new String[] {"", ""}));
        for (DisturbanceResult one : trial.result().disturbances()) {
            changes.put(one.from(), new String[] {one.name(), one.what()});
            if (one.to() != null && one.to() < end) {
                changes.put(one.to(), new String[] {one.name() + END, "the end of: " + one.what()});
            }
        }
        changes.forEach((from, cause) -> {
            double to = changes.keySet().stream()
                    .filter(next -> next > from)
                    .findFirst()
                    .orElse(end);
            causes.add(new Cause(cause[0], cause[1], from, to));
        });
    }

    private String variant() {
        return trial.result().variant();
    }

    static List<RebalanceResult> rebalances(List<ReadersJudge> trials) {
        Map<String, Map<String, List<Rebalance>>> all = new LinkedHashMap<>();
        Set<String> asked = new HashSet<>();
        for (ReadersJudge judge : trials) {
            for (Cause cause : judge.causes) {
                Rebalance one = judge.rebalance(cause);
                if (one.last() != null) {
                    all.computeIfAbsent(cause.name(), none -> new LinkedHashMap<>())
                            .computeIfAbsent(judge.variant(), none -> new ArrayList<>())
                            .add(one);
                }
                String path = "during." + cause.name().replace(END, "") + ".consumers";
                if (judge.trial.result().settings().containsKey(path)) {
                    asked.add(cause.name());
                }
            }
        }
        List<RebalanceResult> results = new ArrayList<>();
        all.forEach((cause, variants) -> {
            List<InVariant> each = new ArrayList<>();
            variants.forEach((variant, some) -> each.add(result(variant, some)));
            String what = variants.values().iterator().next().get(0).cause().what();
            results.add(new RebalanceResult(cause, what, asked.contains(cause), each));
        });
        return results;
    }

    private static InVariant result(String variant, List<Rebalance> some) {
        Cause cause = some.get(0).cause();
        double[] pauses = some.stream()
                .flatMap(one -> one.pauses().stream())
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        double[] each = some.stream()
                .filter(one -> !one.pauses().isEmpty())
                .mapToDouble(one -> Collections.max(one.pauses()))
                .filter(pause -> pause > 0)
                .toArray();
        double gap = some.stream().mapToDouble(Rebalance::gap).max().orElse(0);
        boolean timed = !cause.name().isEmpty();
        return new InVariant(
                variant,
                cause.name(),
                some.size(),
                timed ? Median.of(some, Rebalance::first) : null,
                timed ? Median.of(some, Rebalance::last) : null,
                some.stream().mapToInt(one -> one.pauses().size()).max().orElse(0),
                pauses.length == 0 ? null : Double.valueOf(Median.of(pauses)),
                pauses.length == 0 ? null : Double.valueOf(pauses[pauses.length - 1]),
                each.length < 2 ? null : Interval.ofMean(each),
                Median.of(some, Rebalance::moved),
                gap == 0 ? null : Double.valueOf(gap));
    }

    private Rebalance rebalance(Cause cause) {
        List<Double> changes = readings.bySource(ReaderActivity.READER, ReaderActivity.PARTITIONS).values().stream()
                .flatMap(all -> all.subMap(cause.from(), cause.to()).keySet().stream())
                .sorted()
                .toList();
        // A reader may have several pauses after one cause. The longest one is its pause.
        List<Double> pauses = readings.bySource(ReaderActivity.READER, ReaderActivity.PAUSE).values().stream()
                .map(all -> all.subMap(cause.from(), cause.to()).values().stream()
                        .max(Double::compare)
                        .orElse(-1.0))
                .filter(pause -> pause >= 0)
                .toList();
        double gap = readings.bySource(DisturbanceReadings.PARTITION, DisturbanceReadings.READ_GAP).values().stream()
                .flatMap(all -> all.subMap(cause.from(), cause.to()).values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        return new Rebalance(
                cause,
                changes.isEmpty() ? null : Double.valueOf((changes.get(0) - cause.from()) * 1e3),
                changes.isEmpty() ? null : Double.valueOf((changes.get(changes.size() - 1) - cause.from()) * 1e3),
                pauses,
                moved(cause),
                gap);
    }

    private double moved(Cause cause) {
        return readings.bySource(DisturbanceReadings.PARTITION, ReaderActivity.OWNER).values().stream()
                .filter(owners -> {
                    SortedMap<Double, Double> before = owners.headMap(cause.from());
                    SortedMap<Double, Double> within = owners.subMap(cause.from(), cause.to());
                    return !before.isEmpty()
                            && !within.isEmpty()
                            && !Objects.equals(before.get(before.lastKey()), within.get(within.lastKey()));
                })
                .count();
    }

    static List<ReadersResult> readers(Map<String, Ability> working, List<ReadersJudge> trials) {
        Map<String, List<ReadersJudge>> variants = trials.stream()
                .filter(judge -> working.containsKey(judge.variant()))
                .collect(Collectors.groupingBy(ReadersJudge::variant, LinkedHashMap::new, Collectors.toList()));
        List<ReadersResult> results = new ArrayList<>();
        variants.forEach((variant, own) -> {
            Ability ability = Objects.requireNonNull(working.get(variant));
            results.add(new ReadersResult(
                    variant,
                    own.size(),
                    ability.ceiling(),
                    Median.of(own, judge -> judge.trial.result().figures().receivedPerSecond()),
                    own.stream().mapToLong(ReadersJudge::overlaps).sum(),
                    each(own, ability.threads())));
        });
        return results;
    }

    private static List<Reader> each(List<ReadersJudge> trials, int threads) {
        Map<String, List<Reader>> all = new TreeMap<>(
                Comparator.comparingInt((String name) -> Integer.parseInt(name.replaceAll("[^0-9]", ""))));
        for (ReadersJudge judge : trials) {
            judge.readings
                    .bySource(ReaderActivity.READER, ReaderActivity.RECORDS)
                    .keySet()
                    .forEach(name ->
                            all.computeIfAbsent(name, none -> new ArrayList<>()).add(judge.reader(name, threads)));
        }
        List<Reader> readers = new ArrayList<>();
        all.forEach((name, some) -> readers.add(new Reader(
                name,
                Median.of(some, Reader::rate),
                Median.of(some, Reader::e2e),
                Median.of(some, Reader::e2eMax),
                Median.of(some, Reader::lag),
                Median.of(some, Reader::working),
                Median.of(some, Reader::fetching),
                Median.of(some, Reader::committing))));
        return readers;
    }

    private long overlaps() {
        return Math.round(readings.bySource(ReaderActivity.READER, ReaderActivity.OVERLAPS).values().stream()
                .flatMap(all -> all.values().stream())
                .mapToDouble(Double::doubleValue)
                .sum());
    }

    private Reader reader(String name, int threads) {
        Function<String, @Nullable Double> mean = metric -> Known.of(readings.mean(name, metric, begin, end));
        Double working = mean.apply(ReaderActivity.WORKING);
        Double received = mean.apply(ReaderActivity.RECEIVED);
        Double sum = mean.apply(ReaderActivity.E2E_SUM);
        return new Reader(
                name,
                mean.apply(ReaderActivity.RECORDS),
                received == null || sum == null ? null : Double.valueOf(sum / received),
                Known.of(readings.max(name, ReaderActivity.E2E_MAX, begin, end)),
                Known.of(readings.max(name, ReaderActivity.LAG, begin, end)),
                working == null ? null : Double.valueOf(Math.min(100, working / threads)),
                mean.apply(ReaderActivity.FETCHING),
                mean.apply(ReaderActivity.COMMITTING));
    }
}
