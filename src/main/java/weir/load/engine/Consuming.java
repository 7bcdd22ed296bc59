package weir.load.engine;

import java.time.Duration;
import java.util.List;
import weir.load.read.Receiver;

/** The part of an engine that reads the partitions of the load. */
public interface Consuming extends EnginePort {
    Receiver receiver(int reader, long[] from);

    /** Returns the committed offsets of the readers' group, or {@code from} if there is no group. */
    default long[] standing(long[] from) {
        return from;
    }

    /** Returns true if the readers are members of a share group, so that they have no positions. */
    default boolean shares() {
        return false;
    }

    /** Returns the offset of each partition before which the share group is done; {@code known} without an answer. */
    default long[] progress(long[] known) {
        return known;
    }

    /**
     * Returns the number of the reader of an assigned partition. It follows from the index for a partition that existed
     * at the start. It follows from the name for an added partition, because workers may give it different indexes.
     */
    static int readerOf(int index, String partition, int atStart, int readers) {
        return Math.floorMod(index < atStart ? index : partition.hashCode(), readers);
    }

    /** Waits until the readers of all workers have a position in every partition; throws an exception at the limit. */
    void awaitPositions(Duration limit);

    Receiver verifier(List<Integer> partitions, long[] from);
}
