package weir.feature.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The availability of the cluster behind a server. It is lost when something timed out and the brokers answered
 * nothing since that request, until they answer again. Safe for many threads.
 */
public final class Availability {
    private final LongSupplier acks;
    private final AtomicLong answers = new AtomicLong();
    private volatile boolean lost;

    /** {@code acks} returns the number of records that the brokers acknowledged. */
    public Availability(LongSupplier acks) {
        this.acks = acks;
    }

    /** The number of answers so far, to be kept with each request. */
    public long answers() {
        return answers.get() + acks.getAsLong();
    }

    public void answered() {
        answers.incrementAndGet();
        lost = false;
    }

    /**
     * Takes the fault of a request. A full buffer of the producer is no sign that the brokers are lost.
     *
     * @param after the number of answers when the request was made
     */
    public void failed(long after, @Nullable Exception fault) {
        boolean silence = fault instanceof TimeoutException || fault instanceof NetworkException;
        if (silence && !(fault instanceof BufferExhaustedException) && answers() == after) {
            lost = true;
        }
    }

    public boolean lost() {
        return lost;
    }
}
