package weir.run;

import java.util.function.Consumer;
import weir.judge.RateRule;
import weir.measure.Steps;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.results.WindowRow;

/**
 * Ends a trial of a search once nothing can save it: two windows in a row that acknowledged, or where somebody reads,
 * received less than 90 % of what was offered, or in which something failed. Those of the warm-up count, but for the first;
 * at least one second is measured, so that there is a reason to give.
 */
final class HopelessWatch implements Consumer<WindowRow> {
    private static final int BAD_WINDOWS = 2;
    private static final int PATIENCE = 1;

    private final double offeredPerSecond;
    private final Runnable stop;
    private int windows;
    private int bad;
    private boolean reads;
    private boolean over;

    /** Calls {@code stop} at most once; offered are records. */
    HopelessWatch(double offeredPerSecond, Runnable stop) {
        this.offeredPerSecond = offeredPerSecond;
        this.stop = stop;
    }

    /** The watch of a trial at one rate. */
    static HopelessWatch of(Variant variant, Runnable stop) {
        double offered = variant.load().rate() instanceof RateSpec.Fixed fixed
                ? Demand.records(fixed.rate(), fixed.perProducer(), variant)
                : 0;
        return new HopelessWatch(offered, stop);
    }

    @Override
    public synchronized void accept(WindowRow row) {
        reads |= row.received() > 0;
        windows++;
        // What is due is only counted when a sender comes to it, and one that is held up comes late.
        double wanted = offeredPerSecond * row.seconds();
        boolean behind =
                RateRule.hopeless(row.acked() / wanted) || (reads && RateRule.hopeless(row.received() / wanted));
        bad = windows > PATIENCE && (row.failed() > 0 || behind) ? bad + 1 : 0;
        if (!over && bad >= BAD_WINDOWS && row.step() >= Steps.MEASURE) {
            over = true;
            stop.run();
        }
    }

    /** True when nothing could save it. */
    synchronized boolean seen() {
        return over;
    }
}
