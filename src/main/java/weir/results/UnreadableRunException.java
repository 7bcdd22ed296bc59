package weir.results;

/** A folder that cannot be read as a run. The message is one line for the user. */
public final class UnreadableRunException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnreadableRunException(String message) {
        super(message);
    }
}
