package weir.measure;

import java.util.Locale;

/** The latencies of a message, of an operation of several messages, and of the parts of a transaction. */
public enum LatencyKind {
    /** acked − due: the waiting time of a user who sends at the due time. */
    RESPONSE,
    /** acked − sent: what other tools call latency. */
    SERVICE,
    /** How much earlier the message would have been sent if the sender's previous calls had returned immediately. */
    BACKPRESSURE,
    /** The rest of sent − due after {@link #BACKPRESSURE}, which the generator causes. */
    LATE,
    /** queued − sent: the time inside the send call. */
    BLOCKED,
    /** received − due. */
    E2E,
    /** The end of a reader's work − due. */
    PROCESSED,
    /** The time between the last record of a reader before a rebalance and its first record after the rebalance. */
    PAUSE,
    /** The time to serialize a value, which is part of {@link #BLOCKED}. */
    SERIALIZE,
    /** The time to deserialize a value, before its record counts as received. */
    DESERIALIZE,
    BEGIN,
    /** The time to pass the records of a transaction to the client; without transactions, until all are acked. */
    SEND,
    /** The time to commit the offsets of a stream's records. */
    OFFSETS,
    COMMIT,
    ABORT,
    /** The time of a whole committed transaction; without transactions, of an operation. */
    TRANSACTION,
    /** callback − sent of an operation in a transaction, which only the commit acks. */
    CALLBACK,
    /** The time for which an operation of a stream waits for its records. */
    FETCH,
    /** due − received of a message that seems to arrive before its due time: the least clock difference. */
    EARLY,
    /** failed − due of an operation: the time until its sender knew of the failure. */
    FAILURE,
    /** The lower bound of the response of an operation that failed or never ended. */
    BOUND,
    /** The response of successful operations: {@link #RESPONSE} without {@link #BOUND}; computed, never recorded. */
    SUCCESS;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static LatencyKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
