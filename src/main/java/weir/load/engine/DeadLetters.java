package weir.load.engine;

import java.util.function.Consumer;

/** The topic with the events that no subscriber accepted. */
public interface DeadLetters {
    /** Passes on the identity of each message of this run in the topic; false if the deadline ends the reading. */
    boolean read(Consumer<byte[]> into, long deadlineNanos);
}
