package weir.cluster;

/** A Kafka that cannot be had; the message tells the user where, why and what to do. */
public final class ClusterUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClusterUnavailable(String message) {
        super(message);
    }

    public ClusterUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
