package weir.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.CaveatType;

/**
 * The result of a trial that was killed, from its windows and its histogram log: everything up to its last second. Its
 * ledger was never closed, so nothing is said about losses; a count belongs to the step in which its window began.
 */
public final class UnfinishedTrial {
    private final TrialFolder.Started started;
    private final List<WindowRow> rows;
    private final List<Event> events;
    private final SortedMap<String, Latency> latencies;

    private UnfinishedTrial(TrialFolder folder) {
        started = folder.started();
        rows = folder.windows();
        events = folder.events();
        latencies = folder.latencies();
    }

    /** The trials that came to their end. */
    public static List<TrialResult> without(List<TrialResult> trials, List<Caveat> caveats) {
        Set<Integer> cut = caveats.stream()
                .filter(caveat -> caveat.is(CaveatType.INTERRUPTED))
                .map(Caveat::trial)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return trials.stream().filter(trial -> !cut.contains(trial.trial())).toList();
    }

    static Caveat caveat(TrialFolder folder) {
        return Caveat.of(
                CaveatType.INTERRUPTED,
                folder.started().trial(),
                "the trial did not come to its end" + why(folder)
                        + ": it has no ledger, so what was lost, duplicated or reordered is not known");
    }

    private static String why(TrialFolder folder) {
        return folder.events().stream()
                .filter(event -> event.name().equals(Event.FAILED))
                .map(event -> " (" + event.text() + ")")
                .findFirst()
                .orElse("");
    }

    static TrialResult result(TrialFolder folder) {
        UnfinishedTrial unfinished = new UnfinishedTrial(folder);
        List<StepResult> steps = unfinished.rows.stream()
                .map(WindowRow::step)
                .filter(step -> step >= Steps.MEASURE)
                .distinct()
                .sorted()
                .map(unfinished::step)
                .toList();
        List<WindowRow> measured = unfinished.rows.stream()
                .filter(row -> row.step() >= Steps.MEASURE)
                .toList();
        return new TrialResult(
                unfinished.started.trial(),
                unfinished.started.variant(),
                unfinished.started.repeat(),
                unfinished.started.startedAt(),
                seconds(measured),
                unfinished.started.settings(),
                unfinished.figures(
                        measured, steps.stream().map(StepResult::step).toList()),
                List.of(),
                GeneratorResult.NONE,
                steps);
    }

    private StepResult step(int step) {
        List<WindowRow> own = rows.stream().filter(row -> row.step() == step).toList();
        double from = own.get(0).second();
        String label = events.stream()
                .filter(event -> event.name().equals(Event.STEP) && Math.abs(event.second() - from) < 1.5)
                .map(Event::text)
                .findFirst()
                .orElse("step " + (step - Steps.MEASURE + 1));
        Figures figures = figures(own, List.of(step));
        boolean paced = PlannedRate.of(started.settings()).paced();
        return new StepResult(paced ? figures.offeredPerSecond() : null, step, label, from, seconds(own), figures);
    }

    private Figures figures(List<WindowRow> own, List<Integer> steps) {
        double seconds = seconds(own);
        long due = sum(own, WindowRow::due);
        long sent = sum(own, WindowRow::sent);
        long acked = sum(own, WindowRow::acked);
        long received = sum(own, WindowRow::received);
        return new Figures(
                perSecond((double) due, seconds),
                due,
                null,
                sent,
                acked,
                sum(own, WindowRow::failed),
                null,
                null,
                received,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                perSecond((double) acked, seconds),
                received == 0 ? null : perSecond((double) received, seconds),
                perSecond(
                        Math.max(sum(own, WindowRow::bytesAcked), sum(own, WindowRow::bytesReceived)) / 1048576.0,
                        seconds),
                latency(LatencyKind.RESPONSE, steps),
                latency(LatencyKind.SERVICE, steps),
                latency(LatencyKind.BACKPRESSURE, steps),
                latency(LatencyKind.LATE, steps),
                latency(LatencyKind.BLOCKED, steps),
                latency(LatencyKind.E2E, steps),
                LagResult.NONE);
    }

    private LatencyResult latency(LatencyKind metric, List<Integer> steps) {
        List<Latency> parts = new ArrayList<>();
        for (int step : steps) {
            Latency part = latencies.get(metric.word() + "@" + step);
            if (part != null) {
                parts.add(part);
            }
        }
        return parts.stream().reduce(Latency::plus).map(LatencyResult::of).orElse(LatencyResult.NONE);
    }

    private static double seconds(List<WindowRow> own) {
        return own.stream().mapToDouble(WindowRow::seconds).sum();
    }

    private static long sum(List<WindowRow> own, ToLongFunction<WindowRow> count) {
        return own.stream().mapToLong(count).sum();
    }

    private static @Nullable Double perSecond(double count, double seconds) {
        return seconds > 0 ? count / seconds : null;
    }
}
