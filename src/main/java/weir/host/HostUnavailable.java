package weir.host;

/** A machine that cannot be used; the message is one line that says which, why and what to do. */
public final class HostUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HostUnavailable(String message) {
        super(message);
    }
}
