package weir.load.engine;

import java.util.List;
import weir.load.send.Sender;

/** The port that sends messages to the topics of the load. */
public interface Producing extends EnginePort {
    /** One more sender, for the producer of this number. */
    Sender sender(int producer);

    /** Acked messages, and those of a sender that has ended, are written; otherwise a broker may still be at it. */
    default boolean confirms() {
        return true;
    }

    /** The offsets behind the last records of these partitions that the senders here had acknowledged; 0 where nobody told. */
    long[] ackedEnds(List<String> partitions);
}
