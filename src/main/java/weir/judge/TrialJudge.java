package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.plan.CaveatType;
import weir.results.PlannedLoad;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.WindowRow;
import weir.results.value.AtomicityResult;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.LagResult;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/**
 * The result of a trial, made from its folder alone. A trial that was killed has no end: its ledger was never closed, so
 * nothing is said about losses, and its steps, which are not judged, last as long as there are windows that began in them.
 */
public final class TrialJudge {
    private static final double SECOND = 1e9;

    private final TrialFolder folder;
    private final PlannedLoad load;
    private final @Nullable TrialEnd end;
    private final List<WindowRow> windows;
    private final SortedMap<Integer, Numbers> numbers;
    private final TrialSeries series = new TrialSeries();
    private final ProbeSeries readings;

    /** Reads what there is. */
    public TrialJudge(TrialFolder folder) {
        this.folder = folder;
        load = folder.started().load();
        end = folder.end();
        windows = folder.windows();
        numbers = folder.numbers();
        windows.forEach(series::add);
        readings = ProbeSeries.of(folder.readings((source, metric) -> source.startsWith("readers")));
    }

    /** The result as it was written down, or else made now. */
    public static TrialResult result(TrialFolder folder) {
        return folder.finished() ? folder.result() : new TrialJudge(folder).made();
    }

    /** The result made anew, whether or not one was written down. */
    public TrialResult made() {
        return end == null ? killed() : ended(end);
    }

    /** Writes the curves of the measured steps, for the report. */
    public void spectrum(TrialWriter writer) {
        numbers.tailMap(Steps.MEASURE).forEach((step, of) -> {
            for (LatencyKind metric : LatencyKind.values()) {
                writer.spectrum(metric, step, of.latency(metric));
            }
        });
    }

    /** The reasons to doubt a trial's numbers as they were written down; one that was killed has that reason. */
    public static List<Caveat> caveats(TrialFolder folder) {
        return folder.finished()
                ? folder.caveats()
                : List.of(Caveat.of(
                        CaveatType.INTERRUPTED,
                        folder.started().trial(),
                        "the trial did not come to its end" + why(folder)
                                + ": it has no ledger, so what was lost, duplicated or reordered is not known"));
    }

    private static String why(TrialFolder folder) {
        return folder.events().stream()
                .filter(event -> event.name().equals(Event.FAILED))
                .map(event -> " (" + event.text() + ")")
                .findFirst()
                .orElse("");
    }

    /** The trials that came to their end. */
    static List<TrialResult> whole(List<TrialResult> trials, List<Caveat> caveats) {
        Set<Integer> cut = caveats.stream()
                .filter(caveat -> caveat.is(CaveatType.INTERRUPTED))
                .map(Caveat::trial)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return trials.stream().filter(trial -> !cut.contains(trial.trial())).toList();
    }

    private TrialResult ended(TrialEnd end) {
        TrialEnd.Measured measured = end.measured();
        List<StepResult> steps = new ArrayList<>();
        double seconds = 0;
        for (TrialEnd.Step step : measured.steps()) {
            steps.add(step(step));
            seconds += step.seconds();
        }
        Figures figures =
                figures(total(), measured.balance(), measured.from(), measured.to(), seconds, measured.atomicity());
        TrialResult unjudged = trial(end.startedAt(), seconds, figures, generator(end, figures, seconds), steps)
                .with(CatchUpJudge.of(folder, end, readings, windows, figures, seconds));
        return unjudged.with(new StepJudge(end.limits(), this::numbers, series, load.reads()).judged(unjudged));
    }

    private TrialResult killed() {
        List<StepResult> steps = windows.stream()
                .map(WindowRow::step)
                .filter(step -> step >= Steps.MEASURE)
                .distinct()
                .sorted()
                .map(this::cut)
                .toList();
        double from = steps.isEmpty() ? 0 : steps.get(0).from();
        double seconds = steps.stream().mapToDouble(StepResult::seconds).sum();
        StepResult last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
        double to = last == null ? 0 : last.from() + last.seconds();
        Figures figures = figures(total(), null, from, to, seconds, null);
        return trial(folder.started().startedAt(), seconds, figures, GeneratorResult.NONE, steps);
    }

    private TrialResult trial(
            String startedAt, double seconds, Figures figures, GeneratorResult generator, List<StepResult> steps) {
        TrialFolder.Started started = folder.started();
        return new TrialResult(
                started.trial(),
                started.variant(),
                started.repeat(),
                startedAt,
                seconds,
                started.settings(),
                figures,
                List.of(),
                generator,
                steps);
    }

    private StepResult step(TrialEnd.Step step) {
        Figures figures = figures(numbers(step.step()), step.balance(), step.from(), step.to(), step.seconds(), null);
        return new StepResult(
                figures.offeredPerSecond(),
                step.step(),
                step.label(),
                step.from(),
                step.seconds(),
                figures,
                load.offered() ? drainedAfter(step, figures) : null,
                queueGrowth(step.from(), step.to(), figures),
                null);
    }

    /** A step of a trial that was killed, as far as it got. */
    private StepResult cut(int step) {
        List<WindowRow> own = windows.stream().filter(row -> row.step() == step).toList();
        double from = own.get(0).second();
        double seconds = own.stream().mapToDouble(WindowRow::seconds).sum();
        String label = folder.events().stream()
                .filter(event -> event.name().equals(Event.STEP) && Math.abs(event.second() - from) < 1.5)
                .map(Event::text)
                .findFirst()
                .orElse("step " + (step - Steps.MEASURE + 1));
        Figures figures = figures(numbers(step), null, from, from + seconds, seconds, null);
        return new StepResult(
                figures.offeredPerSecond(),
                step,
                label,
                from,
                seconds,
                figures,
                null,
                queueGrowth(from, from + seconds, figures),
                null);
    }

    private Figures figures(
            Numbers of,
            @Nullable Balance balance,
            double from,
            double to,
            double seconds,
            @Nullable AtomicityResult atomicity) {
        return FigureCalculation.of(of, balance, seconds, load, lag(from, to), atomicity);
    }

    private Numbers numbers(int step) {
        return numbers.getOrDefault(step, new Numbers());
    }

    private Numbers total() {
        return numbers.tailMap(Steps.MEASURE).values().stream().reduce(new Numbers(), Numbers::plus);
    }

    /** Only of a rate that is the same all the time; what was aborted stays due for ever. */
    private @Nullable Double queueGrowth(double from, double to, Figures figures) {
        Double perSecond = figures.offeredPerSecond();
        if (!load.even()
                || perSecond == null
                || figures.ackedPerSecond() == null
                || figures.orZero(Count.ABORTED) > 0) {
            return null;
        }
        return RateRule.growth(series.queue(from, to, perSecond), perSecond, series.calmest(from, to));
    }

    /** Seconds from a step's end to the last answer or arrival; null when some never came. */
    private @Nullable Double drainedAfter(TrialEnd.Step step, Figures figures) {
        long missing = figures.orZero(Count.UNSENT) + figures.orZero(Count.UNRESOLVED) + figures.orZero(Count.UNREAD);
        long lost = figures.orZero(Count.FAILED) + figures.orZero(Count.LOST);
        if (missing + lost > 0 || figures.orZero(Count.DUE) == 0) {
            return null;
        }
        return Math.max(0, numbers(step.step()).endedNanos() / SECOND - step.to());
    }

    private LagResult lag(double from, double to) {
        double max = readings.max("readers", "lag.records", from, to);
        if (Double.isNaN(max)) {
            return LagResult.NONE;
        }
        double age = readings.max("readers", "lag.seconds", from, to);
        return new LagResult(
                (long) max, (long) readings.last("readers", "lag.records", from, to), Double.isNaN(age) ? null : age);
    }

    /** By the records of the seconds in which the CPU was used: a backlog that is read was written in another phase. */
    private GeneratorResult generator(TrialEnd end, Figures all, double seconds) {
        double records = seconds * Math.max(known(all.ackedPerSecond()), known(all.receivedPerSecond()));
        GeneratorResult found = end.generator().result();
        return new GeneratorResult(
                records == 0 ? null : end.generator().cpuSeconds() * SECOND / records,
                found.rssMiB(),
                found.ceilingPerSecond(),
                found.ceilingNote(),
                found.alone(),
                load.processes());
    }

    private static double known(@Nullable Double perSecond) {
        return perSecond == null ? 0 : perSecond;
    }
}
