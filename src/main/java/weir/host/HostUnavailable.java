package weir.host;

/** The exception for an unusable machine. Its message is one line with the machine, the reason and the remedy. */
public final class HostUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HostUnavailable(String message) {
        super(message);
    }
}
