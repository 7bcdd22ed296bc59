package weir.load;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.Property;

/**
 * What carries messages to and from Kafka: makes senders and receivers, and knows the partitions, which go by their index
 * here.
 */
public interface Engine extends AutoCloseable {
    /** How many topics there are. */
    int topics();

    /** The partitions of the load's topics, named like {@code topic-0}, topic by topic. */
    List<String> partitions();

    /** The offsets behind the last readable records; -1 for a partition that nobody answers for just now. */
    long[] ends();

    /**
     * The offsets behind the last records, also of those that an open transaction keeps from who reads committed ones; -1
     * where nobody answers, {@link weir.load.read.EndOffsetQuery#NO_BROKER} everywhere if no broker does.
     */
    long[] logEnds();

    /** The offsets behind the last records that the senders here had acknowledged; 0 where nobody told. */
    long[] ackedEnds();

    /** The offsets of the oldest records that are still there. */
    long[] beginnings();

    /** From where readers go on who would begin at {@code from}: where their group stands, if it has been there before. */
    default long[] standing(long[] from) {
        return from;
    }

    /** One more sender, for the producer of this number. */
    Sender sender(int producer);

    /**
     * One more producer for operations of several records, in transactions, or of a stream, which then begins to read at
     * {@code from}.
     */
    default Operator operator(int producer, long[] from) {
        throw new UnsupportedOperationException("this engine only carries operations of one record");
    }

    /** How many of the topics, the first ones, a stream reads; the others are written. */
    default int sourceTopics() {
        return 0;
    }

    /** Whether what is acked, or was sent by a sender that has ended, is written; otherwise a broker may still be at it. */
    default boolean confirms() {
        return true;
    }

    /** How many of the partitions, the first ones, a stream reads. */
    default int sourcePartitions() {
        return 0;
    }

    /** The offsets that a stream has committed in the partitions it reads; -1 where it has none. */
    default long[] streamed() {
        return new long[0];
    }

    /** The offsets behind the last records that no open transaction keeps back; -1 where nobody answers. */
    default long[] stableEnds() {
        return ends();
    }

    /** One more receiver, for the reader of this number among all readers of the load; it starts at {@code from}. */
    Receiver receiver(int reader, long[] from);

    /** Returns when the readers of all workers have a position in every partition; throws at the limit. */
    void awaitPositions(Duration limit);

    /** A receiver of these partitions only, outside any group. */
    Receiver verifier(List<Integer> partitions, long[] from);

    /** Tells the figures by which the engine explains itself; once a second. */
    void look(Figures into);

    /** The effective configuration of each kind of client. */
    List<Property> properties();

    /**
     * What the first client of each kind itself knew at its end: numbers, or texts, by the names that Kafka's tools give
     * them. Empty for an engine without clients.
     */
    default SortedMap<String, Object> metrics() {
        return new TreeMap<>();
    }

    /** What is worth knowing before anything is measured. */
    List<String> notes();

    @Override
    void close();

    /** Takes one figure. */
    interface Figures {
        void figure(String metric, double value);
    }
}
