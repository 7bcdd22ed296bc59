package weir.bridge.delivery;

/** An event on its way to one subscriber. Belongs to the {@link Dispatcher}. */
final class HeldEvent {
    private final CarriedEvent event;
    private final int partition;
    private final OffsetMark mark;
    private final long beginNanos;
    /** When its first request was about to be written. */
    private long firstOutNanos = CarriedEvent.NO_TIME;

    private int failures;
    private boolean parking;

    /**
     * An event that waits from now on.
     *
     * @param partition of the topic; 0 where there is no topic
     * @param mark its place in the partition
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

    /** One more try that came to nothing; returns how many there are now. */
    int fail() {
        return ++failures;
    }

    /** From now on it goes to the dead letter sink, which has its own tries. */
    void park() {
        parking = true;
        failures = 0;
    }

    boolean parking() {
        return parking;
    }
}
