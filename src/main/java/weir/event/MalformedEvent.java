package weir.event;

/** A message that claims to be an event and is none, in words for whoever sent it. */
public final class MalformedEvent extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEvent(String message) {
        super(message, null, false, false);
    }
}
