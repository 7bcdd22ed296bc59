package weir.load.wire;

/** The counts of a sender or receiver of the wire engine. */
enum WireCount {
    /** Answered requests; with acks=0, written requests. */
    REQUESTS,
    BATCHES,
    RECORDS,
    /** Bytes of batches on the network. */
    BYTES,
    /** Bytes of the same batches, uncompressed. */
    RAW_BYTES,
    LATENCY_NANOS,
    /** Nanoseconds from the first record of a batch to the request of the batch. */
    QUEUE_NANOS,
    THROTTLE_MILLIS,
    RETRIES,
    ERRORS,
    /** Started requests, including unanswered ones. */
    BEGUN
}
