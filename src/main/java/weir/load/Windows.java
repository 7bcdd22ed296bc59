package weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.measure.Snapshot;

/** Adds the windows of all threads up and passes each on when it is over. What comes later is passed on as a further part. */
final class Windows {
    private final SortedMap<Long, Snapshot> open = new TreeMap<>();
    private final Consumer<Snapshot> out;

    Windows(Consumer<Snapshot> out) {
        this.out = out;
    }

    /** From any thread; the snapshot may be used again afterwards. */
    synchronized void add(Snapshot part) {
        Snapshot sum = open.get(part.index());
        open.put(part.index(), sum == null ? part.copy() : sum.plus(part));
    }

    /** Passes on all windows before {@code index}. */
    void pass(long index) {
        List<Snapshot> over;
        synchronized (this) {
            SortedMap<Long, Snapshot> head = open.headMap(index);
            over = new ArrayList<>(head.values());
            head.clear();
        }
        over.forEach(out);
    }
}
