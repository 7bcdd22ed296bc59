package weir.cluster.admin;

import weir.cluster.ClusterUnavailable;

/** A view of a broker through the others, which answer whatever happens to it. */
public interface BrokerObserver extends AutoCloseable {
    /**
     * The standing of the broker in the topics of a trial.
     *
     * @param leads partitions that it leads
     * @param lags partitions of which it has a replica that is not in sync
     */
    record ReplicaCounts(int leads, int lags) {}

    /**
     * Asks now, which takes about a second for each of the others that does not answer.
     *
     * @throws ClusterUnavailable when none of them answers
     */
    ReplicaCounts standing();

    @Override
    void close();
}
