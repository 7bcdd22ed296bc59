package weir.run;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import weir.measure.PhaseTimes;
import weir.measure.Steady;
import weir.plan.WarmupSpec;
import weir.results.WindowRow;
import weir.worker.LoadPhase;
import weir.worker.Worker;

/** Runs the warm-up, and ends it when the load has settled where that was asked for. */
final class WarmUp {
    private final TrialRecorder recorder;
    private final Worker worker;
    private boolean settled = true;
    private double seconds;
    private long endNanos = Long.MIN_VALUE;

    WarmUp(TrialRecorder recorder, Worker worker) {
        this.recorder = recorder;
        this.worker = worker;
    }

    void run(WarmupSpec spec, BooleanSupplier stopped) {
        if (stopped.getAsBoolean()) {
            return;
        }
        PhaseTimes end = spec instanceof WarmupSpec.UntilSteady ? untilSteady() : worker.run(LoadPhase.WARMUP);
        seconds = (end.endNanos() - end.startNanos()) / 1e9;
        endNanos = end.endNanos();
    }

    private PhaseTimes untilSteady() {
        Steady steady = new Steady();
        settled = false;
        Consumer<WindowRow> watch = row -> {
            double latency = Double.isNaN(row.response().p50())
                    ? row.e2e().p50()
                    : row.response().p50();
            if (!settled && steady.add(Math.max(row.acked(), row.received()) / row.seconds(), latency)) {
                settled = true;
                worker.stop();
            }
        };
        recorder.watch(watch);
        try {
            return worker.run(LoadPhase.WARMUP);
        } finally {
            recorder.unwatch(watch);
        }
    }

    /** False when the time was up before the load had settled. */
    boolean settled() {
        return settled;
    }

    double seconds() {
        return seconds;
    }

    /** When it is over, which may be in a moment: who asks for the next stage is told ahead. Long ago without one. */
    long endNanos() {
        return endNanos;
    }
}
