package weir.load.send;

import java.time.Duration;

/** The producer of a load. */
public interface Sender extends AutoCloseable {
    /** Sends each message of the outbox when it is due, until the last one. */
    void carry(Outbox outbox);

    /** The time after which the sender gives up a message. */
    Duration timeout();

    /** Ends a {@link #carry} that hangs. Messages in flight fail, and the sender does not use the outbox any more. */
    @Override
    void close();
}
