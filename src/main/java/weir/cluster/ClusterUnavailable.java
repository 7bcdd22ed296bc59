package weir.cluster;

/** A Kafka cluster that cannot be reached or started. The message gives the address, the reason and the remedy. */
public final class ClusterUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClusterUnavailable(String message) {
        super(message);
    }

    public ClusterUnavailable(String message, Throwable cause) {
        super(message, cause);
    }

    /** The message of the last cause that has a message. */
    public static String deepest(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null && cause.getCause().getMessage() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
