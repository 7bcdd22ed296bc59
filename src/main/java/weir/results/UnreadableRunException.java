package weir.results;

/** The exception for a folder that is not a readable run. The message is one line for the user. */
public final class UnreadableRunException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnreadableRunException(String message) {
        super(message);
    }
}
