package weir.load.engine;

import java.util.function.Consumer;

/** The topic to which events are written that no subscriber took. */
public interface DeadLetters {
    /** Tells the identity of each of our messages that is there; false when they could not all be read by the deadline. */
    boolean read(Consumer<byte[]> into, long deadlineNanos);
}
