package weir.run;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import weir.measure.PhaseTimes;
import weir.measure.Steady;
import weir.plan.WarmupSpec;
import weir.results.WindowRow;
import weir.results.value.Event;
import weir.worker.LoadPhase;
import weir.worker.Worker;

/** Runs the warm-up, and ends it when the load has settled where that was asked for. */
final class WarmUp {
    private final TrialRecorder recorder;
    private final Worker worker;
    private boolean settled = true;
    private boolean counted;
    private long startNanos;
    private long endNanos = Long.MIN_VALUE;

    WarmUp(TrialRecorder recorder, Worker worker) {
        this.recorder = recorder;
        this.worker = worker;
    }

    void run(WarmupSpec spec, BooleanSupplier stopped) {
        if (stopped.getAsBoolean()) {
            return;
        }
        PhaseTimes end = spec.untilSteady() ? untilSteady() : warmUp();
        counted = spec.counted();
        startNanos = end.startNanos();
        endNanos = end.endNanos();
    }

    private PhaseTimes warmUp() {
        return worker.run(LoadPhase.WARMUP, start -> recorder.mark(start, Event.PHASE, "warm-up"));
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
            return warmUp();
        } finally {
            recorder.unwatch(watch);
        }
    }

    /** False when the time was up before the load had settled. */
    boolean settled() {
        return settled;
    }

    /** A warm-up loads until the measured phase begins, unless its operations were counted; zero without one. */
    double seconds(long measuredNanos) {
        return endNanos == Long.MIN_VALUE ? 0 : ((counted ? endNanos : measuredNanos) - startNanos) / 1e9;
    }
}
