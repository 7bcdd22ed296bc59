package weir.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Ledger;
import weir.measure.PhaseTimes;
import weir.measure.Steps;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.property.Property;
import weir.results.value.TrialEnd;
import weir.worker.Finished;

/** A trial whose load has ended. */
record ConductedTrial(
        Instant startedAt,
        PhaseTimes measured,
        Finished finished,
        double cpuSeconds,
        double rssMib,
        WarmUp warmUp,
        List<Property> properties,
        TrialEnd.Clocks clocks,
        TrialProfiles.Taken profiles) {
    ConductedTrial {
        properties = List.copyOf(properties);
    }

    /** The account of its steps, as it is written down. */
    TrialEnd end(LoadSpec load, TrialRecorder recorder, Map<String, DisturbanceSpec> disturbances, String stopReason) {
        Ledger ledger = finished.ledger();
        Steps parts = recorder.parts();
        // A backlog is written before the steps that read it, so its account is that of all steps.
        boolean backlog = load.workload() == LoadSpec.Workload.CONSUME;
        List<TrialEnd.Step> steps = new ArrayList<>();
        List<TrialEnd.WorkerLatency> workers = new ArrayList<>();
        for (PhaseTimes.Step step : measured.steps()) {
            steps.add(new TrialEnd.Step(
                    step.step(),
                    step.label(),
                    recorder.second(step.startNanos()),
                    recorder.second(step.endNanos()),
                    (step.endNanos() - step.startNanos()) / 1e9,
                    backlog ? all(ledger, Steps.FILL) : parts.balance(ledger, step.step())));
            workers.addAll(recorder.workers(step.step()));
        }
        long lostBefore = ledger.balance(Steps.FILL, Steps.WARMUP).of(Count.LOST);
        return new TrialEnd(
                startedAt.truncatedTo(ChronoUnit.MILLIS).toString(),
                new TrialEnd.WarmedUp(warmUp.seconds(measured.startNanos()), warmUp.settled()),
                new TrialEnd.Measured(
                        recorder.second(measured.startNanos()),
                        recorder.second(measured.endNanos()),
                        steps,
                        all(ledger, backlog ? Steps.FILL : Steps.MEASURE),
                        lostBefore == Balance.UNKNOWN ? null : lostBefore,
                        load.operates() ? ledger.atomicity() : null,
                        workers,
                        backlog ? List.of() : disturbed(ledger, parts, disturbances)),
                new TrialEnd.Generator(cpuSeconds, rssMib, finished.jvm()),
                stopReason,
                properties,
                clocks);
    }

    private static Balance all(Ledger ledger, int first) {
        return ledger.balance(first, Integer.MAX_VALUE);
    }

    private static List<TrialEnd.Disturbed> disturbed(
            Ledger ledger, Steps parts, Map<String, DisturbanceSpec> disturbances) {
        List<TrialEnd.Disturbed> disturbed = new ArrayList<>();
        disturbances.forEach((name, what) -> {
            long from = what.at().toNanos();
            long to = what.length().isZero()
                    ? Long.MAX_VALUE
                    : from + what.length().toNanos();
            Balance balance = parts.balance(ledger, from, to);
            if (balance != null) {
                disturbed.add(new TrialEnd.Disturbed(name, balance));
            }
        });
        return disturbed;
    }
}
