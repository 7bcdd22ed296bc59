package weir.results;

/** Runs that answer different questions; the message says which and what to do. */
public final class IncomparableRunsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public IncomparableRunsException(String message) {
        super(message);
    }
}
