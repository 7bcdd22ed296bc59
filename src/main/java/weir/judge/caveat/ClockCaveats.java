package weir.judge.caveat;

import org.jspecify.annotations.Nullable;
import weir.measure.Latency;
import weir.plan.CaveatType;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/** The caveats that doubt the time between two machines, whose clocks are one clock but for an error. */
public record ClockCaveats(CaveatCollector caveats) {
    private static final double SMALL = 0.1;
    private static final double MILLI = 1e6;

    /** A step in which e2e is hardly longer than what it may be wrong by. */
    public void error(StepResult step) {
        LatencyResult e2e = step.figures().e2e();
        @Nullable Double error = e2e.error();
        @Nullable Double half = e2e.p50();
        if (error != null && half != null && error > SMALL * half) {
            caveats.weakening(
                    "e2e of " + NumberFormat.step(step.label()),
                    error > half ? CaveatType.E2E_UNKNOWN : CaveatType.E2E_UNCERTAIN,
                    "at %s e2e was %s at p50, and the clocks of a sender and a reader are known to %s",
                    NumberFormat.step(step.label()),
                    NumberFormat.millis(half),
                    NumberFormat.millis(error));
        }
    }

    /** Messages of a step that were received before they were due, by so much: more than the error can be. */
    public void early(StepResult step, Latency early) {
        @Nullable Double error = step.figures().e2e().error();
        Latency beyond = early.between(error == null ? 0 : Math.round(error * MILLI), Long.MAX_VALUE);
        if (!beyond.empty()) {
            caveats.weakening(
                    "e2e of " + NumberFormat.step(step.label()),
                    CaveatType.RECEIVED_BEFORE_DUE,
                    "at %s %s messages were received before they were due, by up to %s, where the clocks are known to %s",
                    NumberFormat.step(step.label()),
                    NumberFormat.count(beyond.count()),
                    NumberFormat.millis(beyond.maxMillis()),
                    NumberFormat.millis(error == null ? 0.0 : error));
        }
    }

    /** The furthest, in milliseconds, that the clock of a worker jumped; NaN where none did. */
    public void jump(double millis) {
        if (millis > 0) {
            caveats.weakening(
                    "e2e, and when anything happened",
                    CaveatType.CLOCK_STEPPED,
                    "the clock of a worker and that of the conductor jumped apart by %s",
                    NumberFormat.millis(millis));
        }
    }
}
