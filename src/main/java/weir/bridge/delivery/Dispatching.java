package weir.bridge.delivery;

/** Hears what becomes of the events of one {@link Dispatcher}. */
interface Dispatching {
    /** The last that is heard of an event. */
    void settled(HeldEvent event, Fate fate, Outcome outcome);

    /** It is tried again, later. */
    void retried(HeldEvent event);

    /** The end of an event. */
    enum Fate {
        DELIVERED,
        /** The dead letter sink has it. */
        PARKED,
        /** Neither the subscriber nor a dead letter sink took it. */
        DROPPED
    }
}
