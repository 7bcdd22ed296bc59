package weir.feature.hosts;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.caveat.MachineCaveats;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.plan.syntax.CaveatType;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** The caveats about the clocks of several machines. */
final class ClockCaveats implements FeatureCaveats {
    private static final CaveatType E2E_UNKNOWN = CaveatType.named("e2e-unknown");
    private static final CaveatType E2E_UNCERTAIN = CaveatType.named("e2e-uncertain");
    private static final CaveatType RECEIVED_BEFORE_DUE = CaveatType.named("received-before-due");

    private static final double SMALL = 0.1;

    @Override
    public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
        for (StepResult step : result.steps()) {
            String at = NumberFormat.step(step.label());
            double error = Objects.requireNonNullElse(step.figures().e2e().error(), 0.0);
            @Nullable Double half = step.figures().e2e().p50();
            if (half != null && error > SMALL * half) {
                CaveatType type = error > half ? E2E_UNKNOWN : E2E_UNCERTAIN;
                caveats.add(type, at, NumberFormat.millis(half), NumberFormat.millis(error));
            }
            Latency early = files.of(step.step()).latency(LatencyKind.EARLY);
            Latency beyond = early.between(Math.round(error * 1e6), Long.MAX_VALUE);
            if (!beyond.empty()) {
                caveats.add(
                        RECEIVED_BEFORE_DUE,
                        at,
                        NumberFormat.count(beyond.count()),
                        NumberFormat.millis(beyond.maxMillis()),
                        NumberFormat.millis(error));
            }
        }
        TrialEnd.Measured measured = files.end().measured();
        double jump = files.readings().max("generator", "clock.jump.ms", measured.from(), measured.to());
        if (jump > 0 && !result.steps().isEmpty()) {
            caveats.found(
                    MachineCaveats.CLOCK_STEPPED,
                    "the clock of a worker and that of the conductor jumped apart by " + NumberFormat.millis(jump),
                    "e2e, and when anything happened");
        }
    }
}
