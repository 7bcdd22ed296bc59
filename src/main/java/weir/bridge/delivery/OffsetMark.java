package weir.bridge.delivery;

/** The place of an event in its partition, of which is known if it is settled. The event itself may be gone by then. */
final class OffsetMark {
    /** The place of an event that stands in no partition. */
    static final OffsetMark NONE = new OffsetMark(-1);

    private final long offset;
    /** Written by the event loop, read by the thread that commits. */
    private volatile boolean settled;

    OffsetMark(long offset) {
        this.offset = offset;
    }

    long offset() {
        return offset;
    }

    void settle() {
        settled = true;
    }

    boolean settled() {
        return settled;
    }
}
