package weir.load;

import java.util.function.Consumer;
import weir.measure.Series;
import weir.measure.Snapshot;

/** Adds the windows of all threads up and passes each on when it is over. What comes later is passed on as a further part. */
final class WindowMerger {
    private final Series series = new Series();
    private final Consumer<Snapshot> out;

    WindowMerger(Consumer<Snapshot> out) {
        this.out = out;
    }

    /** From any thread; the snapshot may be used again afterwards. */
    void add(Snapshot part) {
        series.add(part);
    }

    /** Passes on all windows before {@code index}. */
    void pass(long index) {
        series.take(index).forEach(out);
    }
}
