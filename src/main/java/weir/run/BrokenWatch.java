package weir.run;

import java.util.function.Consumer;
import weir.plan.RateSpec;
import weir.results.Row;
import weir.worker.Worker;

/**
 * Ends steps that say {@code stop: broken} once they are: three windows in a row that acknowledged less than 95 % of
 * what was due, or failed. The first two windows of a step do not count.
 */
final class BrokenWatch implements AutoCloseable {
    private static final int BAD_WINDOWS = 3;
    private static final int PATIENCE = 2;
    private static final double ENOUGH = 0.95;

    private final Worker worker;
    private final Tally tally;
    private final Consumer<Row> watch = this::row;
    private int step;
    private int windows;
    private int bad;

    private BrokenWatch(Worker worker, Tally tally) {
        this.worker = worker;
        this.tally = tally;
    }

    static BrokenWatch of(RateSpec rate, Worker worker, Tally tally) {
        BrokenWatch broken = new BrokenWatch(worker, tally);
        if (rate instanceof RateSpec.Steps steps && steps.stopWhenBroken()) {
            tally.watch(broken.watch);
        }
        return broken;
    }

    private void row(Row row) {
        if (row.step() != step) {
            step = row.step();
            windows = 0;
            bad = 0;
        }
        windows++;
        bad = windows > PATIENCE && (row.failed() > 0 || row.acked() < ENOUGH * row.due()) ? bad + 1 : 0;
        if (bad == BAD_WINDOWS) {
            tally.mark("broken", "the steps after this one are left out");
            worker.stop();
        }
    }

    @Override
    public void close() {
        tally.unwatch(watch);
    }
}
