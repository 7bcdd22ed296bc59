package weir.feature.rehearsal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.feature.rehearsal.RehearsalResult.Part;
import weir.judge.trial.JudgedTrial;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Median;
import weir.results.WindowRow;
import weir.results.value.DisturbanceResult;
import weir.results.value.LatencyResult;

/** The judgement of operations by the events, windows and latencies of their trials. */
final class RehearsalJudge {
    private final JudgedTrial trial;
    private final SortedMap<Double, Latency> responses = new TreeMap<>();
    private final List<WindowRow> windows;

    /** One operation in one trial. */
    private record Rehearsed(
            DisturbanceResult operation,
            Part before,
            Part during,
            List<Part> parts,
            @Nullable Long lost) {
        double longest() {
            return Objects.requireNonNullElse(during.response().max(), 0.0);
        }
    }

    private RehearsalJudge(JudgedTrial trial) {
        this.trial = trial;
        this.windows = trial.windows();
        trial.latencies(
                tag -> tag.measured(LatencyKind.RESPONSE),
                (second, latency) -> responses.merge(second, latency, Latency::plus));
    }

    static List<RehearsalResult> of(List<JudgedTrial> trials) {
        Map<List<String>, List<Rehearsed>> all = new LinkedHashMap<>();
        for (JudgedTrial trial : trials) {
            List<OperationMark.Timed> marks = OperationMark.of(trial.events());
            if (marks.isEmpty()) {
                continue;
            }
            RehearsalJudge judge = new RehearsalJudge(trial);
            for (DisturbanceResult one : trial.result().disturbances()) {
                List<OperationMark.Timed> own = marks.stream()
                        .filter(timed -> timed.mark().operation().equals(one.name()))
                        .toList();
                if (!own.isEmpty()) {
                    all.computeIfAbsent(List.of(trial.result().variant(), one.name()), none -> new ArrayList<>())
                            .add(judge.rehearsed(one, own));
                }
            }
        }
        List<RehearsalResult> results = new ArrayList<>();
        all.forEach((key, rehearsed) -> results.add(result(key.get(0), rehearsed)));
        return results;
    }

    private static RehearsalResult result(String variant, List<Rehearsed> rehearsed) {
        Rehearsed worst =
                rehearsed.stream().max(Comparator.comparing(Rehearsed::longest)).orElseThrow();
        boolean ended = rehearsed.stream().allMatch(one -> one.operation().to() != null);
        return new RehearsalResult(
                variant,
                worst.operation().name(),
                worst.operation().what(),
                rehearsed.size(),
                ended ? Median.of(rehearsed, one -> one.during().seconds()) : null,
                Median.of(rehearsed, one -> one.before().response().p99()),
                Median.of(rehearsed, one -> one.during().response().p99()),
                worst.during().response().max(),
                rehearsed.stream().mapToLong(one -> one.during().failed()).sum(),
                rehearsed.stream()
                        .map(Rehearsed::lost)
                        .reduce(0L, (x, y) -> x == null || y == null ? null : Long.valueOf(x + y)),
                worst.parts());
    }

    private Rehearsed rehearsed(DisturbanceResult operation, List<OperationMark.Timed> marks) {
        double begin = trial.result().steps().get(0).from();
        double end = begin + trial.result().seconds();
        double to = Objects.requireNonNullElse(operation.to(), end);
        List<Part> parts = new ArrayList<>();
        Part before = part("before", begin, operation.from(), List.of());
        parts.add(before);
        for (int i = 0; i < marks.size(); ) {
            String subject = marks.get(i).mark().subject();
            int first = i;
            while (i < marks.size() && marks.get(i).mark().subject().equals(subject)) {
                i++;
            }
            double until = i < marks.size() ? marks.get(i).second() : to;
            parts.add(part(subject, marks.get(first).second(), until, marks.subList(first, i)));
        }
        parts.add(part("after", to, end, List.of()));
        return new Rehearsed(
                operation,
                before,
                part("during", operation.from(), to, List.of()),
                parts,
                trial.result().figures().count(Count.LOST));
    }

    private Part part(String subject, double from, double to, List<OperationMark.Timed> marks) {
        Latency response = Latency.sum(List.copyOf(responses
                .subMap(Math.floor(from), Math.max(Math.floor(from), Math.ceil(to)))
                .values()));
        List<WindowRow> within = windows.stream()
                .filter(row -> row.second() >= Math.floor(from) && row.second() < Math.ceil(to))
                .toList();
        Optional<Double> stop = at(marks, "stop");
        Optional<Double> sync = at(marks, "sync");
        return new Part(
                subject,
                from,
                to - from,
                stop.isPresent() && sync.isPresent() ? Double.valueOf(sync.get() - stop.get()) : null,
                sync.filter(second -> second <= to).map(second -> to - second).orElse(null),
                LatencyResult.of(response),
                within.stream().mapToLong(WindowRow::acked).sum(),
                within.stream().mapToLong(WindowRow::failed).sum());
    }

    private static Optional<Double> at(List<OperationMark.Timed> marks, String what) {
        return marks.stream()
                .filter(timed -> timed.mark().what().equals(what))
                .map(OperationMark.Timed::second)
                .findFirst();
    }
}
