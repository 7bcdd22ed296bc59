package weir.results;

/** The exception for runs of different workloads. The message names the differences and the remedy. */
public final class IncomparableRunsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public IncomparableRunsException(String message) {
        super(message);
    }
}
