package weir.measure;

import java.util.Locale;

/** The latencies of a message, of an operation of several messages, and of the parts of a transaction. */
public enum LatencyKind {
    /** acked − due: what a user who arrived on time waited. */
    RESPONSE,
    /** acked − sent: what other tools call latency. */
    SERVICE,
    /** How much earlier the message would have been sent if the sender's previous calls had returned at once. */
    BACKPRESSURE,
    /** The rest of sent − due, which the generator itself causes. */
    LATE,
    /** queued − sent: the time inside the send call. */
    BLOCKED,
    /** received − due. */
    E2E,
    BEGIN,
    /** Handing over the records of a transaction; without one, also waiting until all are acked. */
    SEND,
    /** Committing the offsets of the records that were read. */
    OFFSETS,
    COMMIT,
    ABORT,
    /** All parts of a committed transaction; without transactions, of an operation. */
    TRANSACTION,
    /**
     * Callback − sent of an operation in a transaction, which is acked only by the commit: what Kafka's producer-perf-test
     * calls latency.
     */
    CALLBACK,
    /** Waiting, before the operation, for the records that a stream will write. */
    FETCH,
    /** due − received of a message that seems to be received before it was due: two clocks differ by at least this. */
    EARLY,
    /** failed − due of an operation: the time after which its failure was known. */
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
