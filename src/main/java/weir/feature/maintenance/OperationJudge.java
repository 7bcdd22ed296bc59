package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.maintenance.OperationResult.Gaps;
import weir.feature.maintenance.OperationResult.Part;
import weir.judge.ProbeSeries;
import weir.judge.trial.JudgedTrial;
import weir.measure.Count;
import weir.measure.DisturbanceReadings;
import weir.measure.Known;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Median;
import weir.measure.Reading;
import weir.results.WindowRow;
import weir.results.value.DisturbanceResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;

/** The judgement of operations by the events, windows, latencies and readings of their trials. */
final class OperationJudge {
    private final JudgedTrial trial;
    private final SortedMap<Double, Latency> responses;
    private final SortedMap<Double, Latency> e2e;
    private final List<WindowRow> windows;
    private final List<Reading> gaps = new ArrayList<>();
    private final ProbeSeries readings = new ProbeSeries();

    /** One operation in one trial. */
    private record JudgedOperation(
            DisturbanceResult operation, List<Part> parts, Part whole, Figures figures, int repeat) {}

    private OperationJudge(JudgedTrial trial) {
        this.trial = trial;
        this.windows = trial.windows();
        this.responses = latencies(LatencyKind.RESPONSE);
        this.e2e = latencies(LatencyKind.E2E);
        trial.folder()
                .readings(
                        (source, metric) ->
                                OperationMark.noted(source) || source.startsWith(DisturbanceReadings.PARTITION + "-"),
                        reading -> {
                            if (OperationMark.noted(reading.source())) {
                                readings.add(reading);
                            } else {
                                gaps.add(reading);
                            }
                        });
    }

    private SortedMap<Double, Latency> latencies(LatencyKind kind) {
        SortedMap<Double, Latency> seconds = new TreeMap<>();
        trial.latencies(tag -> tag.measured(kind), (second, latency) -> seconds.merge(second, latency, Latency::plus));
        return seconds;
    }

    static List<OperationResult> of(List<JudgedTrial> trials) {
        Map<List<String>, List<JudgedOperation>> all = new LinkedHashMap<>();
        for (JudgedTrial trial : trials) {
            Map<String, List<OperationMark.Timed>> marks = OperationMark.of(trial.events()).stream()
                    .collect(Collectors.groupingBy(timed -> timed.mark().operation()));
            if (marks.isEmpty()) {
                continue;
            }
            OperationJudge judge = new OperationJudge(trial);
            for (DisturbanceResult one : trial.result().disturbances()) {
                if (marks.containsKey(one.name())) {
                    all.computeIfAbsent(List.of(trial.result().variant(), one.name()), none -> new ArrayList<>())
                            .add(judge.judged(one, marks.get(one.name())));
                }
            }
        }
        List<OperationResult> results = new ArrayList<>();
        all.forEach((key, judged) -> results.add(result(key.get(0), judged)));
        return results;
    }

    private static OperationResult result(String variant, List<JudgedOperation> judged) {
        JudgedOperation worst = judged.stream()
                .max(Comparator.comparing(one -> one.whole().acks().longest()))
                .orElseThrow();
        boolean ended = judged.stream().allMatch(one -> one.operation().to() != null);
        return new OperationResult(
                variant,
                worst.operation().name(),
                worst.operation().what(),
                judged.size(),
                worst.repeat(),
                ended ? Median.of(judged, one -> one.whole().seconds()) : null,
                Median.of(judged, one -> one.parts().get(0).response().p99()),
                Median.of(judged, one -> one.whole().response().p99()),
                worst.whole().acks().longest(),
                judged.stream()
                        .mapToDouble(one -> one.whole().reads().longest())
                        .max()
                        .orElse(0),
                judged.stream().mapToLong(one -> one.whole().failed()).sum(),
                sum(judged, Count.LOST),
                sum(judged, Count.DUPLICATED),
                sum(judged, Count.REORDERED),
                sum(judged, Count.REREAD),
                worst.parts());
    }

    private static @Nullable Long sum(List<JudgedOperation> judged, Count count) {
        List<@Nullable Long> each = judged.stream()
                .<@Nullable Long>map(one -> one.figures().count(count))
                .toList();
        return each.contains(null)
                ? null
                : Long.valueOf(each.stream().mapToLong(Objects::requireNonNull).sum());
    }

    private JudgedOperation judged(DisturbanceResult operation, List<OperationMark.Timed> marks) {
        double begin = trial.result().steps().get(0).from();
        double end = begin + trial.result().seconds();
        double to = Objects.requireNonNullElse(operation.to(), end);
        List<Part> parts = new ArrayList<>();
        parts.add(part("before", begin, operation.from(), Map.of(), ""));
        for (int i = 0; i < marks.size(); ) {
            String subject = marks.get(i).mark().subject();
            Map<String, Double> own = new TreeMap<>();
            double from = marks.get(i).second();
            while (i < marks.size() && marks.get(i).mark().subject().equals(subject)) {
                own.put(marks.get(i).mark().what(), marks.get(i).second());
                i++;
            }
            parts.add(part(subject, from, i < marks.size() ? marks.get(i).second() : to, own, operation.name()));
        }
        // An operation may end after the measured time.
        parts.add(part("after", Math.min(to, end), end, Map.of(), ""));
        return new JudgedOperation(
                operation,
                parts,
                part("during", operation.from(), to, Map.of(), ""),
                trial.result().figures(),
                trial.result().repeat());
    }

    private Part part(String subject, double from, double to, Map<String, Double> marks, String operation) {
        List<WindowRow> within = windows.stream()
                .filter(row -> row.second() >= Math.floor(from) && row.second() < Math.ceil(to))
                .toList();
        Double stop = marks.get(OperationMark.STOP);
        Double sync = marks.get(OperationMark.SYNC);
        String source = OperationMark.source(operation, subject);
        return new Part(
                subject,
                from,
                to - from,
                stop == null || sync == null ? null : Double.valueOf(sync - stop),
                sync == null || sync > to ? null : Double.valueOf(to - sync),
                noted(source, OperationMark.LED_BEFORE),
                noted(source, OperationMark.LED_AFTER),
                noted(source, OperationMark.MOVED_MIB),
                noted(source, OperationMark.MOVED_RATE),
                response(responses, from, to),
                response(e2e, from, to),
                gaps(DisturbanceReadings.ACK_GAP, from, to),
                gaps(DisturbanceReadings.READ_GAP, from, to),
                within.stream()
                        .mapToDouble(WindowRow::lag)
                        .filter(lag -> !Double.isNaN(lag))
                        .mapToLong(Math::round)
                        .max()
                        .orElse(0),
                sum(within, WindowRow::acked),
                sum(within, WindowRow::failed),
                sum(within, row -> row.of(Count.ABORTED)));
    }

    private static long sum(List<WindowRow> rows, ToLongFunction<WindowRow> count) {
        return rows.stream().mapToLong(count).sum();
    }

    private @Nullable Double noted(String source, String metric) {
        return Known.of(readings.last(source, metric, Double.NEGATIVE_INFINITY, Double.MAX_VALUE));
    }

    private static LatencyResult response(SortedMap<Double, Latency> seconds, double from, double to) {
        double first = Math.floor(from);
        return LatencyResult.of(Latency.sum(
                seconds.subMap(first, Math.max(first, Math.ceil(to))).values()));
    }

    /** Returns the longest gap of each partition that overlaps this time. */
    private Gaps gaps(String metric, double from, double to) {
        Map<String, Double> longest = new TreeMap<>();
        for (Reading gap : gaps) {
            if (gap.metric().equals(metric) && gap.second() > from && gap.second() - gap.value() / 1e3 < to) {
                longest.merge(gap.source(), gap.value(), Math::max);
            }
        }
        double[] each = longest.values().stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return each.length == 0 ? Gaps.NONE : new Gaps(each.length, Median.of(each), each[each.length - 1]);
    }
}
