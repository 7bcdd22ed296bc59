package weir.load.engine;

import java.util.function.Consumer;

/** The topic with the events that no subscriber accepted. */
public interface DeadLetters {
    /** Passes on the identity of each message of this run there; false if reading does not end by the deadline. */
    boolean read(Consumer<byte[]> into, long deadlineNanos);
}
