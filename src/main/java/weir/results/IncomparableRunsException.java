package weir.results;

/** Runs that answer different questions. The message names the differences and the remedy. */
public final class IncomparableRunsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public IncomparableRunsException(String message) {
        super(message);
    }
}
