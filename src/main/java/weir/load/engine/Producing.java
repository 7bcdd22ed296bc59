package weir.load.engine;

import java.util.List;
import weir.load.send.Sender;

/** The part of an engine that sends messages to the topics of the load. */
public interface Producing extends EnginePort {
    Sender sender(int producer);

    /**
     * Returns true if all acked messages, and all messages of an ended sender, are in the log. If false, a broker may
     * write them later.
     */
    default boolean confirms() {
        return true;
    }

    /**
     * Returns, for each of these partitions, the offset after the last record that was acknowledged to these senders; 0
     * if unknown.
     */
    long[] ackedEnds(List<String> partitions);
}
