package weir.cluster.admin;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import weir.cluster.ClusterUnavailable;
import weir.plan.TopicSpec;
import weir.plan.property.Property;

/** The topics of one trial on a cluster. */
public interface Topics extends AutoCloseable {
    /**
     * Creates the missing topics, and waits until every broker knows their leaders. After a failure, some topics may
     * exist: call {@link #delete}.
     */
    void create(Map<String, TopicSpec> asked);

    List<String> names(String topic);

    /**
     * The effective properties of brokers and topics. {@code unknown} receives a line about each broker or topic that
     * the cluster does not describe.
     */
    List<Property> properties(Consumer<String> unknown);

    List<String> unknownBrokerProperties();

    TransactionalIds transactionalIds();

    ConsumerGroups groups();

    int feature(String name);

    List<TopicPartitionLeader> underReplicated();

    /** The leader of each partition of all topics; 0 if it has none. */
    List<Integer> leaders();

    /** The node that leads the metadata quorum. */
    int activeController();

    /** The sum of the end offsets of all partitions: the records ever appended plus transaction markers. */
    long appended();

    /** A view of a broker through the other brokers. Request it while the broker still answers. */
    BrokerObserver outside(int broker);

    void delete();

    @Override
    void close();

    /** A view of a broker through the other brokers, for a broker that does not answer. */
    interface BrokerObserver extends AutoCloseable {
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

    /** One partition of a topic. */
    record TopicPartitionLeader(String topic, int number) {
        @Override
        public String toString() {
            return topic + "-" + number;
        }
    }

    /** The transactional ids with a common prefix that have an open transaction. */
    record TransactionalIds(AdminAnswers answers) {
        public List<String> inUse(String prefix) {
            ListTransactionsOptions open = new ListTransactionsOptions()
                    .filterStates(List.of(
                            TransactionState.ONGOING, TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT));
            try {
                return answers
                        .to(
                                "transactions",
                                admin -> admin.listTransactions(open).all())
                        .stream()
                        .map(TransactionListing::transactionalId)
                        .filter(id -> id.startsWith(prefix))
                        .sorted()
                        .toList();
            } catch (UnsupportedVersionException before30) {
                // No broker can list the ids. Weir counts producers that lose their id to another producer (fencing).
                return List.of();
            }
        }

        /** Ends the open transactions and fences the producers that began them. */
        public void end(String prefix) {
            List<String> open = inUse(prefix);
            if (!open.isEmpty()) {
                answers.to(
                        "the end of our transactions",
                        admin -> admin.fenceProducers(open).all());
            }
        }
    }
}
