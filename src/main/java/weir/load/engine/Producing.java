package weir.load.engine;

import java.util.List;
import weir.load.send.Sender;
import weir.measure.PartitionGaps;

/** The part of an engine that sends messages to the topics of the load. */
public interface Producing extends EnginePort {
    /** The note of an engine with acks=0. */
    String UNCONFIRMED = "acks=0: brokers confirm no record, so acked means written to the socket";

    Sender sender(int producer);

    /** Returns true if all messages that are acked, or of an ended sender, are in the log already. */
    default boolean confirms() {
        return true;
    }

    /** Returns, by partition, the offset after the last record that these senders got an ack for; 0 if unknown. */
    long[] ackedEnds(List<String> partitions);

    /** Returns the longest time without an ack of each partition since the last call. */
    default List<PartitionGaps.Gap> gaps() {
        return List.of();
    }
}
