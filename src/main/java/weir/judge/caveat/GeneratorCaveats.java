package weir.judge.caveat;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import weir.judge.RateRule;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.plan.syntax.CaveatType;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;

/**
 * The caveats about the generator's effect on the numbers. {@code where} is the generator's machine, or empty for a
 * single machine. A missing reading is NaN.
 */
public record GeneratorCaveats(CaveatCollector caveats) {
    static final CaveatType GENERATOR_PAUSED = CaveatType.named("generator-paused");
    public static final CaveatType GENERATOR_NEAR_ITS_LIMIT = CaveatType.named("generator-near-its-limit");

    private static final double MOST = 0.5;
    private static final double PAUSE_MILLIS = 20;
    private static final double PAUSE_SHARE = 0.1;

    private static final double CPU_SHARE = 0.9;

    private static final double STANDSTILL_PERCENT = 25;

    /** The lowest CPU use, in cores, of a process at its own limit. A process below it waits for others. */
    public static final double BUSY_CORES = 0.5;

    private static final double CEILING_SHARE = 0.8;
    private static final double BEHIND_PERCENT = 50;
    private static final double OWN_SHARE = 0.25;

    public void late(List<StepResult> steps) {
        steps.forEach(step -> late(
                step,
                "the generator itself was",
                step.figures().late(),
                "the",
                step.figures().response()));
    }

    /** Checks each of several workers, because the messages of the others hide one late worker. */
    public void late(StepResult step, List<TrialEnd.WorkerLatency> workers, IntFunction<String> where) {
        if (!caveats.have(RateRule.GENERATOR_LATE)) {
            workers.forEach(worker -> late(
                    step,
                    "worker " + (worker.worker() + 1) + " of " + workers.size() + where.apply(worker.worker())
                            + " was itself",
                    worker.late(),
                    "its",
                    worker.response()));
        }
    }

    private void late(StepResult step, String who, LatencyResult late, String whose, LatencyResult response) {
        @Nullable Double lateMillis = late.p99();
        @Nullable Double millis = response.p99();
        if (lateMillis != null && millis != null && RateRule.generatorLate(lateMillis, millis)) {
            String at = NumberFormat.step(step.label());
            String took = NumberFormat.latency(response, 99);
            caveats.addAs("late", RateRule.GENERATOR_LATE, at, who, NumberFormat.latency(late, 99), whose, took);
        }
    }

    /**
     * Checks whether the machine stopped a process for {@code percent} of the step. The process sends on time when it
     * runs, but it sees answers late.
     */
    public void standstill(StepResult step, String where, double percent) {
        if (percent > STANDSTILL_PERCENT && !caveats.have(RateRule.GENERATOR_LATE)) {
            String at = NumberFormat.step(step.label());
            caveats.addAs("standstill", RateRule.GENERATOR_LATE, at, where, percent);
        }
    }

    /** Checks the rates that the generator missed. A blocked sender is backpressure, not late. */
    public void rate(List<StepResult> steps) {
        for (StepResult step : steps) {
            double achieved = RateRule.achieved(step.figures());
            double late = Known.orNaN(step.figures().late().mean());
            double backpressure =
                    Known.orNaN(step.figures().latency(LatencyKind.BACKPRESSURE).mean());
            double response = Known.orNaN(step.figures().response().mean());
            if (!RateRule.sustained(achieved)
                    && late > RateRule.LATE_MILLIS
                    && late > backpressure
                    && late > MOST * response) {
                caveats.add(
                        RateRule.RATE_MISSED,
                        NumberFormat.step(step.label()),
                        NumberFormat.percent(achieved),
                        NumberFormat.millis(late),
                        NumberFormat.millis(backpressure));
            }
        }
    }

    /** Checks the longest JVM pauses, in milliseconds, unless they are far below the calmest step's response. */
    public void pauses(
            String whereCollected,
            double collectorMillis,
            String wherePaused,
            double safepointMillis,
            List<StepResult> steps) {
        double calmest = Known.orZero(
                Known.least(steps, step -> step.figures().response().p99()));
        double pause = Math.max(PAUSE_MILLIS, PAUSE_SHARE * calmest);
        if (collectorMillis > pause) {
            String longest = NumberFormat.millis(collectorMillis);
            caveats.addAs("collector", GENERATOR_PAUSED, whereCollected, longest);
        } else if (safepointMillis > pause) {
            String longest = NumberFormat.millis(safepointMillis);
            caveats.addAs("safepoint", GENERATOR_PAUSED, wherePaused, longest);
        }
    }

    /**
     * Compares the records per second of the plan with the generator's ceiling, its rate into a null target. The null
     * target may be behind the same slow network as the brokers. So the caveat also requires that the generator is busy
     * or late.
     */
    public void ceiling(double most, double ceiling, double cores, LatencyResult late) {
        @Nullable Double lateMillis = late.p99();
        boolean isLate = lateMillis != null && lateMillis > RateRule.LATE_MILLIS;
        caveats.addIf(
                most > CEILING_SHARE * ceiling && (cores >= BUSY_CORES || isLate),
                "ceiling",
                GENERATOR_NEAR_ITS_LIMIT,
                NumberFormat.rate(most),
                NumberFormat.percent(most / ceiling),
                NumberFormat.rate(ceiling),
                cores >= BUSY_CORES
                        ? String.format(Locale.ROOT, "it used %.1f cores", cores)
                        : "it was late by " + NumberFormat.millis(lateMillis) + " at p99");
    }

    /**
     * Finds a sender that recovers slowly from a delay: it is not late, but it contributes to a missed rate.
     *
     * @param behind percent of the step in which senders were behind; {@code own} is the part outside the system's
     *     calls
     */
    public void behind(StepResult step, String where, double behind, double own) {
        if (!RateRule.sustained(RateRule.achieved(step.figures()))
                && behind > BEHIND_PERCENT
                && own > OWN_SHARE * behind
                && !caveats.have(RateRule.GENERATOR_LATE)) {
            String at = NumberFormat.step(step.label());
            String share = NumberFormat.percent(own / behind);
            caveats.addAs("behind", GENERATOR_NEAR_ITS_LIMIT, at, where, share);
        }
    }

    public void cpu(String where, double cores, int available) {
        caveats.addIf(cores > CPU_SHARE * available, "cpu", GENERATOR_NEAR_ITS_LIMIT, cores, available, where);
    }
}
