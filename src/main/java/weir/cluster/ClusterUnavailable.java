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
}
