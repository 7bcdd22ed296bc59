package weir.load.engine;

import java.util.function.Consumer;

/** The topic with the events that no subscriber accepted. */
public interface DeadLetters {
    /**
     * Passes the identity of each message of Weir in the topic to {@code into}. Returns false if reading did not end
     * by the deadline.
     */
    boolean read(Consumer<byte[]> into, long deadlineNanos);
}
