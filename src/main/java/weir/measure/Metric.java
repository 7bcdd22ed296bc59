package weir.measure;

/** The latencies of a message. */
public enum Metric {
    /** acked − due: what a user who arrived on time waited. */
    RESPONSE,
    /** acked − sent: what other tools call latency. */
    SERVICE,
    /** The part of sent − due that an earlier blocked call of the same sender explains. */
    HELD,
    /** The rest of sent − due: the generator's own doing. */
    LATE,
    /** queued − sent: the time inside the send call. */
    BLOCKED,
    /** received − due. */
    E2E;

    /** The word in reports and files. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
