package weir.load.engine;

import java.util.List;
import weir.measure.Ledger;

/** The port that asks for the topics, partitions and offsets of the load; partitions go by their index here. */
public interface LogView extends EnginePort {
    /** In place of an end where no broker at all answers, so that no leader is being elected either. */
    long NO_BROKER = -2;

    /** In place of an end that nobody will ever tell. */
    long UNTOLD = -3;

    int topics();

    /**
     * The partitions of the load's topics, named like {@code topic-0}: topic by topic at the start. Those that are added while
     * the load runs follow as they become known, so that an index stays.
     */
    List<String> partitions();

    /**
     * Asks whether partitions were added.
     *
     * @throws TopicGone when a topic is another one now
     */
    default void update() {}

    /** The offsets behind the last readable records; -1 for a partition that nobody answers for just now. */
    long[] ends();

    /** The offsets behind the last records, also of those in open transactions; -1 where nobody answers, {@link #NO_BROKER} everywhere if no broker does. */
    long[] logEnds();

    /**
     * True when a record stays until it is read or expires, so that an end stays where it was. Otherwise what stands before an
     * end may go another way and never be read: the ends fall then, and are asked for again while readers come near.
     */
    default boolean lasting() {
        return true;
    }

    /**
     * Books what is in a dead letter sink instead of with readers, once they have come to the ends; false when that could not
     * all be seen by the deadline.
     */
    default boolean bookParked(Ledger into, int runTag, long deadlineNanos) {
        return true;
    }

    long[] beginnings();

    /** The offsets behind the last records that no open transaction keeps back; -1 where nobody answers. */
    default long[] stableEnds() {
        return ends();
    }
}
