package weir.load.http;

/** The figures that a sender of the HTTP engine counts. */
enum HttpCount {
    /** Requests sent, each time. */
    SENT,
    /** Requests that were answered, or came to nothing. */
    DONE,
    /** Requests that were answered. */
    ANSWERED,
    RECORDS,
    /** Bytes of bodies. */
    BYTES,
    /** From sending requests to their answers. */
    LATENCY_NANOS,
    /** Requests sent once more. */
    RETRIES,
    /** Records given up. */
    ERRORS,
    /** Answers 429 and 503. */
    LATER,
    /** Requests of which it is not known what became. */
    LOST,
    /** Connections begun. */
    DIALLED
}
