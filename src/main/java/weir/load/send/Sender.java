package weir.load.send;

import java.time.Duration;

/** The producer of a load. */
public interface Sender extends AutoCloseable {
    /** Sends each message of the outbox at its due time, until the last message. */
    void carry(Outbox outbox);

    /** The time after which the sender gives up a message. */
    Duration timeout();

    /** Ends a {@link #carry} that hangs. Messages in flight fail, and the sender no longer uses the outbox. */
    @Override
    void close();
}
