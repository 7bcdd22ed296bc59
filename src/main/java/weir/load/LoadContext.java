package weir.load;

import java.util.function.LongSupplier;
import weir.load.engine.Engine;
import weir.load.send.ProcessPauses;
import weir.load.send.StepClock;
import weir.measure.Ledger;
import weir.measure.Recorder;
import weir.measure.Series;
import weir.measure.Steps;

/** The context that the senders, readers and phases of one load share. */
public record LoadContext(
        LoadPlan plan,
        Engine engine,
        LongSupplier clock,
        StepClock steps,
        LoadThreads threads,
        ProcessPauses pauses,
        Ledger ledger,
        Series windows) {
    public static final long SECOND = 1_000_000_000L;

    public long now() {
        return clock.getAsLong();
    }

    Recorder recorder() {
        return new Recorder(
                plan.originNanos(), SECOND, plan.keepsSingles() ? Steps.MEASURE : Integer.MAX_VALUE, windows::add);
    }
}
