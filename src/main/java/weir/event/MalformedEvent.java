package weir.event;

/** The exception for a message that is not a valid event; its text is for the sender of the event. */
public final class MalformedEvent extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEvent(String message) {
        super(message, null, false, false);
    }
}
