package weir.load.http;

/** The figures that a receiver of events by HTTP counts. */
enum ReceiverCount {
    /** Events taken. */
    EVENTS,
    /** Requests that were no events, or not allowed. */
    REFUSED,
    /** Events answered with an error on purpose, and not taken. */
    FAILED,
    /** Connections that were opened. */
    OPENED,
    /** Connections that have ended. */
    CLOSED
}
