package weir.bridge.delivery;

/** The way out to one subscriber or dead letter sink. */
interface Outlet {
    /** Tries once; {@code heard} is told on the thread of the caller, at once or later. */
    void send(CarriedEvent event, Heard heard);

    /** Hears how a try ended. */
    interface Heard {
        void heard(Outcome outcome);
    }
}
