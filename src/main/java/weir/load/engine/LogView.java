package weir.load.engine;

import java.util.List;
import weir.measure.Ledger;

/** The view of the load's topics: partitions and offsets. Its methods name a partition by its index. */
public interface LogView extends EnginePort {
    /** The value of all ends when no broker answers at all, so that no broker can be elected as leader either. */
    long NO_BROKER = -2;

    /** The value of an end that brokers will never report. */
    long UNREPORTED = -3;

    int topics();

    /**
     * Returns the partitions, named like {@code topic-0}, topic by topic. Partitions added during the load follow as
     * they become known, so that an index never changes.
     */
    List<String> partitions();

    /**
     * Asks whether partitions were added.
     *
     * @throws TopicGone when a topic was deleted or recreated
     */
    default void update() {}

    /** Returns the offsets behind the last readable records; -1 for a partition without an answer. */
    long[] ends();

    /**
     * Returns the offsets behind the last records, including open transactions; -1 without an answer, {@link
     * #NO_BROKER} everywhere if no broker answers.
     */
    long[] logEnds();

    /**
     * Returns true when a record stays until it is read or expires, so that ends never fall. Otherwise records may
     * leave unread: ends can fall, and Weir queries them again as readers approach them.
     */
    default boolean lasting() {
        return true;
    }

    /**
     * Counts the records in a dead letter sink, after readers have reached the ends. Returns false if not all records
     * could be read by the deadline.
     */
    default boolean countParked(Ledger into, int runTag, long deadlineNanos) {
        return true;
    }

    long[] beginnings();

    /** Returns the offsets up to which no transaction is open; -1 without an answer. */
    default long[] stableEnds() {
        return ends();
    }
}
