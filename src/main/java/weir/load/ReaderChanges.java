package weir.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import weir.plan.DisturbanceSpec;
import weir.plan.ReaderChange;

/**
 * The changes of a load's readers, at their times. Each worker follows the numbers of all readers, and changes its own.
 * One thread calls it.
 */
final class ReaderChanges {
    private final List<Integer> present;
    private final Consumer<Integer> join;
    private final BiConsumer<Integer, ReaderChange> leave;
    private final BiConsumer<Integer, ReaderChange> hold;
    private int next;
    private Deque<Change> ahead = new ArrayDeque<>();

    private record Change(long nanos, Runnable what) {}

    /** @param hold called with {@link ReaderChange#NONE} to continue */
    ReaderChanges(
            int readers,
            Consumer<Integer> join,
            BiConsumer<Integer, ReaderChange> leave,
            BiConsumer<Integer, ReaderChange> hold) {
        this.present = new ArrayList<>(IntStream.range(0, readers).boxed().toList());
        this.next = readers;
        this.join = join;
        this.leave = leave;
        this.hold = hold;
    }

    void begin(Collection<DisturbanceSpec> during, long startNanos) {
        List<Change> all = new ArrayList<>();
        for (DisturbanceSpec each : during) {
            ReaderChange what = each.readers();
            if (!what.none()) {
                List<Integer> changed = new ArrayList<>();
                all.add(new Change(startNanos + each.at().toNanos(), () -> changed.addAll(change(what))));
                if (each.length().compareTo(Duration.ZERO) > 0) {
                    long end = startNanos + each.at().plus(each.length()).toNanos();
                    all.add(new Change(end, () -> undo(what, changed)));
                }
            }
        }
        all.sort(Comparator.comparing(Change::nanos));
        ahead = new ArrayDeque<>(all);
    }

    /** Makes the changes that are due. */
    void tend(long nowNanos) {
        while (!ahead.isEmpty() && ahead.element().nanos <= nowNanos) {
            ahead.remove().what.run();
        }
    }

    private List<Integer> change(ReaderChange what) {
        if (what.joining() > 0) {
            List<Integer> joining =
                    IntStream.range(next, next + what.joining()).boxed().toList();
            next += what.joining();
            joining(joining);
            return joining;
        }
        // The last ones, so that reader 0 always stays.
        List<Integer> leaving = List.copyOf(present.subList(present.size() - what.leaving(), present.size()));
        if (what.how() == ReaderChange.How.PAUSE) {
            leaving.forEach(reader -> hold.accept(reader, what));
        } else {
            leaving(leaving, what);
        }
        return leaving;
    }

    private void undo(ReaderChange what, List<Integer> changed) {
        if (what.joining() > 0) {
            leaving(changed, new ReaderChange(0, changed.size(), ReaderChange.How.CLOSE));
        } else if (what.how() == ReaderChange.How.PAUSE) {
            changed.forEach(reader -> hold.accept(reader, ReaderChange.NONE));
        } else {
            joining(changed);
        }
    }

    private void joining(List<Integer> readers) {
        present.addAll(readers);
        readers.forEach(join);
    }

    private void leaving(List<Integer> readers, ReaderChange how) {
        present.removeAll(readers);
        readers.forEach(reader -> leave.accept(reader, how));
    }
}
