package weir.load.engine;

import java.util.List;
import weir.load.send.Sender;

/** The part of an engine that sends messages to the topics of the load. */
public interface Producing extends EnginePort {
    Sender sender(int producer);

    /**
     * Returns true when acked messages, and all messages of a sender that has ended, are written to the log. If false,
     * a broker may still write them later.
     */
    default boolean confirms() {
        return true;
    }

    /**
     * Returns, for each of these partitions, the offset behind the last record that was acknowledged to these senders;
     * 0 if unknown.
     */
    long[] ackedEnds(List<String> partitions);
}
