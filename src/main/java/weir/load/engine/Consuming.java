package weir.load.engine;

import java.time.Duration;
import java.util.List;
import weir.load.read.Receiver;

/** The port that reads the partitions of the load. */
public interface Consuming extends EnginePort {
    /** One more receiver, for the reader of this number among all readers of the load; it starts at {@code from}. */
    Receiver receiver(int reader, long[] from);

    /** Where readers go on that would begin at {@code from}: at the offsets of their group, if it has been there before. */
    default long[] standing(long[] from) {
        return from;
    }

    /**
     * The reader of a partition that is assigned: by its index if it was there at the start, and by its name if it was added,
     * for then not every worker gives it the same index.
     */
    static int readerOf(int index, String partition, int atStart, int readers) {
        return Math.floorMod(index < atStart ? index : partition.hashCode(), readers);
    }

    /** Returns when the readers of all workers have a position in every partition; throws at the limit. */
    void awaitPositions(Duration limit);

    /** A receiver of these partitions only, outside any group. */
    Receiver verifier(List<Integer> partitions, long[] from);
}
