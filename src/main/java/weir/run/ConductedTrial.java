package weir.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Ledger;
import weir.measure.PhaseTimes;
import weir.measure.Steps;
import weir.plan.LoadSpec;
import weir.plan.property.Property;
import weir.results.value.AtomicityResult;
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
    TrialEnd end(LoadSpec load, TrialRecorder recorder, String stopReason) {
        Ledger ledger = finished.ledger();
        int last = measured.steps().get(measured.steps().size() - 1).step();
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
                    backlog ? ledger.balance(Steps.FILL, last) : ledger.balance(step.step())));
            workers.addAll(recorder.workers(step.step()));
        }
        long lostBefore = ledger.balance(Steps.FILL, Steps.WARMUP).of(Count.LOST);
        return new TrialEnd(
                startedAt.truncatedTo(ChronoUnit.MILLIS).toString(),
                new TrialEnd.WarmedUp(warmUp.seconds(), warmUp.settled()),
                new TrialEnd.Measured(
                        recorder.second(measured.startNanos()),
                        recorder.second(measured.endNanos()),
                        steps,
                        ledger.balance(backlog ? Steps.FILL : Steps.MEASURE, last),
                        lostBefore == Balance.UNKNOWN ? null : lostBefore,
                        load.operates() ? AtomicityResult.of(ledger.atomicity()) : null,
                        workers),
                new TrialEnd.Generator(cpuSeconds, rssMib, finished.jvm()),
                stopReason,
                properties,
                clocks);
    }
}
