package weir.event;

/** The reason why a message is not a valid event, for its sender. */
public final class MalformedEvent extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEvent(String message) {
        super(message, null, false, false);
    }
}
