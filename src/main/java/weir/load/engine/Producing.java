package weir.load.engine;

import java.util.List;
import weir.load.send.Sender;

/** The port that sends messages to the topics of the load. */
public interface Producing extends EnginePort {
    Sender sender(int producer);

    /**
     * Returns true when acked messages, and all messages of an ended sender, are written; otherwise a broker may still
     * write them.
     */
    default boolean confirms() {
        return true;
    }

    /**
     * Returns the offsets behind the last records of these partitions that these senders had acknowledged; 0 if
     * unknown.
     */
    long[] ackedEnds(List<String> partitions);
}
