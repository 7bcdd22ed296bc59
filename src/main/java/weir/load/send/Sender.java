package weir.load.send;

import java.time.Duration;

/** The producer of a load. */
public interface Sender extends AutoCloseable {
    /** Sends each message of the outbox when it is due, until the last one. */
    void carry(Outbox outbox);

    /** The time after which the sender gives up a message. */
    Duration timeout();

    /** Ends a {@link #carry} that hangs; messages in flight fail, and no call of the outbox follows. */
    @Override
    void close();
}
