package weir.load.engine;

import java.time.Duration;
import java.util.List;
import weir.load.read.Receiver;

/** The port that reads the partitions of the load. */
public interface Consuming extends EnginePort {
    Receiver receiver(int reader, long[] from);

    /** Returns the committed offsets of the readers' group, or {@code from} if there is no group. */
    default long[] standing(long[] from) {
        return from;
    }

    /**
     * Returns the reader of an assigned partition: by its index if it existed at the start, otherwise by its name.
     * Workers may give an added partition different indexes.
     */
    static int readerOf(int index, String partition, int atStart, int readers) {
        return Math.floorMod(index < atStart ? index : partition.hashCode(), readers);
    }

    /** Returns when the readers of all workers have a position in every partition; throws at the limit. */
    void awaitPositions(Duration limit);

    Receiver verifier(List<Integer> partitions, long[] from);
}
