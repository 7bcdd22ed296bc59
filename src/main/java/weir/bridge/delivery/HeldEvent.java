package weir.bridge.delivery;

/** An event on its way to one subscriber. Belongs to the {@link Dispatcher}. */
final class HeldEvent {
    private final CarriedEvent event;
    private final int partition;
    private final OffsetMark mark;
    private final long beginNanos;
    /** When its first request was about to be written. */
    private long firstOutNanos = CarriedEvent.NO_TIME;
    /** Tries that came to nothing. */
    int failures;

    /** The place of an event in its partition, and whether it is settled. The event itself may be gone by then. */
    static final class OffsetMark {
        /** The place of an event that stands in no partition. */
        static final OffsetMark NONE = new OffsetMark(-1);

        final long offset;
        /** Written by the event loop, read by the thread that commits. */
        volatile boolean settled;

        OffsetMark(long offset) {
            this.offset = offset;
        }
    }

    /**
     * An event that waits from now on.
     *
     * @param partition of the topic; 0 where there is no topic
     * @param beginNanos when it was queued or fetched
     */
    HeldEvent(CarriedEvent event, int partition, OffsetMark mark, long beginNanos) {
        this.event = event;
        this.partition = partition;
        this.mark = mark;
        this.beginNanos = beginNanos;
    }

    CarriedEvent event() {
        return event;
    }

    int partition() {
        return partition;
    }

    OffsetMark mark() {
        return mark;
    }

    long beginNanos() {
        return beginNanos;
    }

    long firstOutNanos() {
        return firstOutNanos;
    }

    void out(long nanos) {
        if (firstOutNanos == CarriedEvent.NO_TIME) {
            firstOutNanos = nanos;
        }
    }
}
