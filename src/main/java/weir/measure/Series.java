package weir.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** All windows of a trial, merged from many recorders and workers. Safe for many threads. */
public final class Series {
    private final Windows open = new Windows();
    private final TreeMap<Integer, Numbers> totals = new TreeMap<>();

    /** The windows of a trial that are not yet taken. Safe for many threads. */
    public static final class Windows {
        private final TreeMap<Long, Snapshot> open = new TreeMap<>();

        public synchronized void add(Snapshot snapshot) {
            open.computeIfAbsent(snapshot.index(), Snapshot::new).add(snapshot);
        }

        public synchronized List<Snapshot> take(long index) {
            var before = open.headMap(index);
            List<Snapshot> taken = new ArrayList<>(before.values());
            before.clear();
            return taken;
        }
    }

    public synchronized void add(Snapshot snapshot) {
        open.add(snapshot);
        for (int step : snapshot.steps()) {
            totals.computeIfAbsent(step, s -> new Numbers()).add(snapshot.numbers(step));
        }
    }

    /**
     * Takes the windows before {@code index} that were not taken yet, in order; all windows with Long.MAX_VALUE. Later
     * parts form another window with the same index, so no event is lost.
     */
    public List<Snapshot> take(long index) {
        return open.take(index);
    }

    public synchronized Numbers total(int first, int last) {
        Numbers total = new Numbers();
        totals.subMap(first, true, last, true).values().forEach(total::add);
        return total;
    }

    public Numbers total(int step) {
        return total(step, step);
    }
}
