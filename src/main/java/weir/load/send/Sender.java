package weir.load.send;

import java.time.Duration;

/** One producer. */
public interface Sender extends AutoCloseable {
    /** Sends what is in the outbox, each message when it is due, until there will never be another. */
    void carry(Outbox outbox);

    /** After which time it gives a message up by itself. */
    Duration timeout();

    /** Ends a {@link #carry} that still hangs; what is in flight fails. No call of the outbox comes after it. */
    @Override
    void close();
}
