package weir.run;

import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import weir.judge.RateRule;
import weir.measure.Steps;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.results.WindowRow;

/**
 * Ends steps that say {@code stop: broken} once they are: three windows in a row acknowledged less than 95 % of what was
 * offered, or failed, and so far the step as a whole is what a {@link RateRule} calls broken, so that no step is called
 * better than what it was ended for. The first two windows of a step are not among the three.
 */
final class BrokenWatch implements Consumer<WindowRow> {
    private static final int BAD_WINDOWS = 3;
    private static final int PATIENCE = 2;

    private final IntToDoubleFunction offered;
    private final Runnable stop;
    private int step;
    private int windows;
    private int bad;
    private double due;
    private double acked;
    private double failed;
    private boolean over;

    /** Calls {@code stop} when it breaks; {@code offered} are the records per second of a step, 0 beside steps. */
    BrokenWatch(IntToDoubleFunction offered, Runnable stop) {
        this.offered = offered;
        this.stop = stop;
    }

    /** One that never stops where the steps do not say so. */
    static BrokenWatch of(Variant variant, Runnable stop) {
        if (!(variant.load().rate() instanceof RateSpec.Steps steps) || !steps.stopWhenBroken()) {
            return new BrokenWatch(step -> 0, stop);
        }
        double[] rates = steps.parts(variant.load().senders()).stream()
                .mapToDouble(part -> part.perSecond() * Demand.records(variant))
                .toArray();
        return new BrokenWatch(
                step -> step < Steps.MEASURE || step - Steps.MEASURE >= rates.length ? 0 : rates[step - Steps.MEASURE],
                stop);
    }

    // What is due is only counted when a sender comes to it, and one that is held up comes late.
    @Override
    public void accept(WindowRow row) {
        if (row.step() != step) {
            step = row.step();
            windows = 0;
            bad = 0;
            due = 0;
            acked = 0;
            failed = 0;
        }
        windows++;
        double wanted = offered.applyAsDouble(step) * row.seconds();
        due += wanted;
        acked += row.acked();
        failed += row.failed();
        boolean behind = row.failed() > 0 || RateRule.broken(row.acked() / wanted, 0, wanted);
        bad = wanted > 0 && windows > PATIENCE && behind ? bad + 1 : 0;
        boolean whole = RateRule.broken(acked / due, failed, due);
        if (bad >= BAD_WINDOWS && whole && !over) {
            over = true;
            stop.run();
        }
    }
}
