package weir.results;

/** Runs that answer different questions; the message names them and the remedy. */
public final class IncomparableRunsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public IncomparableRunsException(String message) {
        super(message);
    }
}
