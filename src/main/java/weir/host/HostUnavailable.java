package weir.host;

/** A machine that cannot be used. The message is one line with the machine, the reason and the remedy. */
public final class HostUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HostUnavailable(String message) {
        super(message);
    }
}
