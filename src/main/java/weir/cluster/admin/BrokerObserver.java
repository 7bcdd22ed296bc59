package weir.cluster.admin;

import weir.cluster.ClusterUnavailable;

/** A view of a broker through the other brokers, for a broker that does not answer. */
public interface BrokerObserver extends AutoCloseable {
    /**
     * The role of the broker in the topics of a trial.
     *
     * @param leads the number of partitions with this broker as leader
     * @param lags the number of its replicas that are not in sync
     */
    record ReplicaCounts(int leads, int lags) {}

    /**
     * Asks the other brokers. A broker that does not answer costs about a second.
     *
     * @throws ClusterUnavailable if no other broker answers
     */
    ReplicaCounts standing();

    @Override
    void close();
}
