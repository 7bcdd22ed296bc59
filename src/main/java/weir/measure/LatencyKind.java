package weir.measure;

import java.util.Locale;

/** The latencies of a message, of an operation of several messages, and of the parts of a transaction. */
public enum LatencyKind {
    /** acked − due: what a user who arrived on time waited. */
    RESPONSE,
    /** acked − sent: what other tools call latency. */
    SERVICE,
    /** The part of sent − due that an earlier blocked call of the same sender explains. */
    BACKPRESSURE,
    /** The rest of sent − due: the generator's own doing. */
    LATE,
    /** queued − sent: the time inside the send call. */
    BLOCKED,
    /** received − due. */
    E2E,
    BEGIN,
    /** Handing the records of a transaction over; without one, waiting until all are acked too. */
    SEND,
    /** Committing the offsets of what was read. */
    OFFSETS,
    COMMIT,
    ABORT,
    /** All parts of a transaction that was committed; of an operation, where there are none. */
    TRANSACTION,
    /**
     * Callback − sent of an operation in a transaction, which is acked only by the commit: what Kafka's producer-perf-test
     * calls latency.
     */
    CALLBACK,
    /** Waiting for records that a stream goes on to write, before the operation. */
    FETCH,
    /** due − received of a message that seems to have been received before it was due: two clocks differ by it at least. */
    EARLY,
    /** failed − due of an operation that failed: after how long its failure was known. */
    FAILURE,
    /** The response at which an operation stands that failed or never ended: at least so long. */
    BOUND,
    /** The response of what succeeded, without {@link #BOUND}; made of both, and never recorded. */
    SUCCESS;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static LatencyKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
