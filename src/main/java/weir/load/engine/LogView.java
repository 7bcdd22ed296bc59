package weir.load.engine;

import java.util.List;
import weir.measure.Ledger;

/** A view of the load's topics: partitions and offsets. All offsets are in the order of {@link #partitions}. */
public interface LogView extends EnginePort {
    /** The value of all ends if no broker answers, so that no broker can become leader. */
    long NO_BROKER = -2;

    /** The value of an end that brokers never report. */
    long UNREPORTED = -3;

    int topics();

    /** Returns the partitions, such as {@code topic-0}. Added ones come last, so that an index never changes. */
    List<String> partitions();

    /**
     * Asks whether partitions were added.
     *
     * @throws TopicGone if a topic was deleted or recreated
     */
    default void update() {}

    /** Returns the offsets after the last readable records; -1 for a partition without an answer. */
    long[] ends();

    /**
     * Returns the offsets after the last records, including open transactions; -1 without an answer, {@link #NO_BROKER}
     * everywhere if no broker answers.
     */
    long[] logEnds();

    /**
     * Returns true if a record stays until it is read or expires, so that ends never fall. If false, ends may fall, and
     * Weir queries them again as readers approach them.
     */
    default boolean lasting() {
        return true;
    }

    /** Counts the records in a dead letter sink, after readers have reached the ends; false at the deadline. */
    default boolean countParked(Ledger into, int runTag, long deadlineNanos) {
        return true;
    }

    long[] beginnings();

    /** Returns the offsets up to which no transaction is open; -1 without an answer. */
    default long[] stableEnds() {
        return ends();
    }
}
