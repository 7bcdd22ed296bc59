package weir.cluster.admin;

import weir.cluster.ClusterUnavailable;

/** A view of a broker through the other brokers, which answer even if it does not. */
public interface BrokerObserver extends AutoCloseable {
    /**
     * The state of the broker in the topics of a trial.
     *
     * @param leads number of partitions that it leads
     * @param lags number of its replicas that are not in sync
     */
    record ReplicaCounts(int leads, int lags) {}

    /**
     * Asks the other brokers now. Each one that does not answer costs about a second.
     *
     * @throws ClusterUnavailable if no other broker answers
     */
    ReplicaCounts standing();

    @Override
    void close();
}
