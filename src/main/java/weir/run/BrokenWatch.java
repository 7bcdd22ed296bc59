package weir.run;

import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import weir.measure.Steps;
import weir.plan.Demand;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.results.Row;

/**
 * Ends steps that say {@code stop: broken} once they are: three windows in a row that acknowledged less than 95 % of what
 * was offered, or failed. The first two windows of a step do not count.
 */
final class BrokenWatch implements Consumer<Row> {
    private static final int BAD_WINDOWS = 3;
    private static final int PATIENCE = 2;
    private static final double ENOUGH = 0.95;

    private final IntToDoubleFunction offered;
    private final Runnable stop;
    private int step;
    private int windows;
    private int bad;

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
        double[] rates = steps.steps().stream()
                .mapToDouble(step -> Demand.records(step.rate(), step.perProducer(), variant))
                .toArray();
        return new BrokenWatch(
                step -> step < Steps.MEASURE || step - Steps.MEASURE >= rates.length ? 0 : rates[step - Steps.MEASURE],
                stop);
    }

    // What is due is only counted when a sender comes to it, and one that is held up comes late.
    @Override
    public void accept(Row row) {
        if (row.step() != step) {
            step = row.step();
            windows = 0;
            bad = 0;
        }
        windows++;
        double rate = offered.applyAsDouble(step);
        boolean behind = row.failed() > 0 || row.acked() < ENOUGH * rate * row.seconds();
        bad = rate > 0 && windows > PATIENCE && behind ? bad + 1 : 0;
        if (bad == BAD_WINDOWS) {
            stop.run();
        }
    }
}
