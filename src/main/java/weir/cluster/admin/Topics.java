package weir.cluster.admin;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import weir.plan.TopicSpec;
import weir.plan.property.Property;

/** The topics of one trial on a cluster. */
public interface Topics extends AutoCloseable {
    /**
     * Makes the topics that are not said to exist; returns when every broker knows their leaders. Where it fails some may have
     * been made: {@link #delete} deletes them.
     */
    void create(Map<String, TopicSpec> asked);

    /** The names on the cluster of a topic of the plan: as many as its count. */
    List<String> names(String topic);

    /** The properties of brokers and topics that hold, as far as the cluster describes them; {@code unknown} hears of the rest. */
    List<Property> properties(Consumer<String> unknown);

    List<String> unknownBrokerProperties();

    TransactionalIds transactionalIds();

    ConsumerGroups groups();

    int feature(String name);

    List<TopicPartitionLeader> underReplicated();

    /** The broker that leads each partition, of all topics; 0 where nobody does. */
    List<Integer> leaders();

    /** The ends of all partitions of all topics, added up: the records ever appended, and the markers of transactions. */
    long appended();

    /** A broker as the others see it; to be asked for while it is well. */
    OutsideView outside(int broker);

    void delete();

    @Override
    void close();
}
