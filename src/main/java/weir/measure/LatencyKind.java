package weir.measure;

import java.util.Locale;

/** The latencies of a message, of an operation of several messages, and of the parts of a transaction. */
public enum LatencyKind {
    /** acked − due: the time that a user waits who sends at the due time. */
    RESPONSE,
    /** acked − sent: what other tools call latency. */
    SERVICE,
    /** How much earlier the message would have been sent if the sender's previous calls had returned immediately. */
    BACKPRESSURE,
    /** The rest of sent − due after {@link #BACKPRESSURE}, which the generator itself causes. */
    LATE,
    /** queued − sent: the time inside the send call. */
    BLOCKED,
    /** received − due. */
    E2E,
    BEGIN,
    /** Handing over the records of a transaction; without one, also waiting until all are acked. */
    SEND,
    /** The time to commit the offsets of the records that were read. */
    OFFSETS,
    COMMIT,
    ABORT,
    /** The time of all parts of a committed transaction or, without transactions, of an operation. */
    TRANSACTION,
    /**
     * callback − sent of an operation in a transaction. Kafka's producer-perf-test calls this latency. The operation
     * is acked only by the commit.
     */
    CALLBACK,
    /** The wait before an operation of a stream for the records that it reads and then writes again. */
    FETCH,
    /** due − received of a message that seems to arrive before it was due. Two clocks differ by at least this time. */
    EARLY,
    /** failed − due of an operation: the time after which its sender knew of the failure. */
    FAILURE,
    /** The lower bound of the response of an operation that failed or never ended. */
    BOUND,
    /** The response of successful operations: {@link #RESPONSE} without {@link #BOUND}; derived, never recorded. */
    SUCCESS;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static LatencyKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
