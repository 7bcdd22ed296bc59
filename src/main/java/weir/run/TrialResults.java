package weir.run;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.judge.FigureCalculation;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.StepJudge;
import weir.judge.TrialSeries;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.plan.Expectation;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.Trial;
import weir.results.AtomicityResult;
import weir.results.CatchUpResult;
import weir.results.Figures;
import weir.results.GeneratorResult;
import weir.results.LagResult;
import weir.results.StepResult;
import weir.results.TrialResult;
import weir.results.TrialWriter;
import weir.worker.PhaseEnd;

/** Makes the result of a trial from what the trial left in memory. */
final class TrialResults {
    private static final double SECOND = 1e9;

    private final Trial trial;
    private final TrialOutcome outcome;
    private final GeneratorCeilings.Ceiling ceiling;
    private final boolean offered;
    private final List<Expectation> limits;

    /** @param limits those that its steps are held against */
    TrialResults(Trial trial, TrialOutcome outcome, GeneratorCeilings.Ceiling ceiling, List<Expectation> limits) {
        this.limits = limits;
        this.trial = trial;
        this.outcome = outcome;
        this.ceiling = ceiling;
        this.offered = !trial.variant().load().rate().closed();
    }

    TrialResult result() {
        PhaseEnd measured = outcome.measured();
        List<StepResult> steps = new ArrayList<>();
        double seconds = 0;
        for (PhaseEnd.Step step : measured.steps()) {
            StepResult result = step(step);
            steps.add(result);
            seconds += result.seconds();
        }
        Figures all = figures(
                Steps.MEASURE,
                outcome.lastStep(),
                measured.startNanos(),
                measured.endNanos(),
                seconds,
                FigureCalculation.atomicity(outcome.finished().ledger().atomicity()));
        boolean reads = trial.variant().load().workload() == LoadSpec.Workload.DELIVER;
        TrialResult unjudged = new TrialResult(
                trial.number(),
                trial.variant().name(),
                trial.repeat(),
                outcome.startedAt().truncatedTo(ChronoUnit.MILLIS).toString(),
                seconds,
                trial.variant().values(),
                all,
                List.of(),
                generator(all, seconds),
                steps,
                catchUp(all, seconds));
        return unjudged.with(new StepJudge(
                        limits,
                        step -> outcome.tally().total(step, step),
                        outcome.tally().course(),
                        reads)
                .judged(unjudged));
    }

    private @Nullable CatchUpResult catchUp(Figures all, double seconds) {
        Long due = all.due();
        boolean catchesUp = trial.variant().load().catchesUp();
        return catchesUp && due != null && seconds > 0 ? CatchUpJudge.of(outcome, due / seconds) : null;
    }

    private StepResult step(PhaseEnd.Step step) {
        double seconds = (step.endNanos() - step.startNanos()) / SECOND;
        Figures figures = figures(step.step(), step.step(), step.startNanos(), step.endNanos(), seconds, null);
        return new StepResult(
                figures.offeredPerSecond(),
                step.step(),
                step.label(),
                outcome.tally().second(step.startNanos()),
                seconds,
                figures,
                offered ? drainedAfter(step, figures) : null,
                queueGrowth(step, figures),
                null);
    }

    /** Only of a rate that is the same all the time; what was aborted stays due for ever. */
    private @Nullable Double queueGrowth(PhaseEnd.Step step, Figures figures) {
        RateSpec rate = trial.variant().load().rate();
        Double perSecond = figures.offeredPerSecond();
        boolean level = rate instanceof RateSpec.Fixed || rate instanceof RateSpec.Steps;
        if (!level || perSecond == null || figures.ackedPerSecond() == null || known(figures.aborted()) > 0) {
            return null;
        }
        double from = outcome.tally().second(step.startNanos());
        double to = outcome.tally().second(step.endNanos());
        TrialSeries course = outcome.tally().course();
        return RateRule.growth(course.queue(from, to, perSecond), perSecond, course.calmest(from, to));
    }

    /** Seconds from a step's end to the last answer or arrival; null when some never came. */
    private @Nullable Double drainedAfter(PhaseEnd.Step step, Figures figures) {
        long missing = known(figures.unsent()) + known(figures.unresolved()) + known(figures.unread());
        long lost = known(figures.failed()) + known(figures.lost());
        if (missing + lost > 0 || known(figures.due()) == 0) {
            return null;
        }
        double ended = outcome.tally().total(step.step(), step.step()).endedNanos() / SECOND;
        return Math.max(0, ended - outcome.tally().second(step.endNanos()));
    }

    private static long known(@Nullable Long count) {
        return count == null ? 0 : count;
    }

    /** {@code atomicity} is only known of a trial as a whole. */
    private Figures figures(
            int first, int last, long startNanos, long endNanos, double seconds, @Nullable AtomicityResult atomicity) {
        double from = outcome.tally().second(startNanos);
        double to = outcome.tally().second(endNanos);
        LoadSpec load = trial.variant().load();
        Numbers numbers = outcome.tally().total(first, last);
        Figures figures = FigureCalculation.step(
                numbers, outcome.balance(first, last), seconds, offered, load.workload(), lag(from, to));
        return load.operates() ? figures.with(FigureCalculation.operations(numbers, seconds, atomicity)) : figures;
    }

    private LagResult lag(double from, double to) {
        ProbeSeries readings = outcome.tally().readings();
        double max = readings.max("readers", "lag.records", from, to);
        if (Double.isNaN(max)) {
            return LagResult.NONE;
        }
        double age = readings.max("readers", "lag.seconds", from, to);
        return new LagResult(
                (long) max, (long) readings.last("readers", "lag.records", from, to), Double.isNaN(age) ? null : age);
    }

    /** By the records of the seconds in which the CPU was used: a backlog that is read was written in another phase. */
    private GeneratorResult generator(Figures all, double seconds) {
        double records = seconds * Math.max(known(all.ackedPerSecond()), known(all.receivedPerSecond()));
        @Nullable Double cpu = records == 0 ? null : outcome.generator().cpuSeconds() * SECOND / records;
        return new GeneratorResult(
                cpu,
                outcome.generator().rssMib(),
                ceiling.perSecond(),
                ceiling.note(),
                ceiling.alone(),
                trial.variant().load().processes());
    }

    private static double known(@Nullable Double perSecond) {
        return perSecond == null ? 0 : perSecond;
    }

    /** The curves of the measured steps, for the report. */
    void spectrum(TrialWriter writer) {
        for (PhaseEnd.Step step : outcome.measured().steps()) {
            Numbers numbers = outcome.tally().total(step.step(), step.step());
            for (LatencyKind metric : LatencyKind.values()) {
                writer.spectrum(metric, step.step(), numbers.latency(metric));
            }
        }
    }
}
