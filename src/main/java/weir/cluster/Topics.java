package weir.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import weir.host.Journal;
import weir.plan.TopicSpec;

/** The topics of one trial: makes them, asks about them, deletes what it made. */
@SuppressWarnings("DoNotCallSuggester")
public final class Topics implements AutoCloseable {
    private Topics() {}

    /** Where a partition begins and ends; {@code stable} is the end that read_committed sees. */
    public record Offsets(long start, long end, long stable) {}

    /** One property of a topic or broker. An empty requested value means that nobody asked. */
    public record Property(
            String of, String name, String requested, String effective, String byDefault, String source) {}

    /** {@code naming} makes the name on the cluster from the name in the plan. */
    public static Topics on(Cluster cluster, UnaryOperator<String> naming, Journal journal) {
        throw new UnsupportedOperationException();
    }

    /** Makes the topics, after old ones of the same names are gone; returns when every broker knows their leaders. */
    public void create(Map<String, TopicSpec> specs) {
        throw new UnsupportedOperationException();
    }

    /** The names on the cluster of a topic of the plan: as many as its count. */
    public List<String> names(String topic) {
        throw new UnsupportedOperationException();
    }

    /** All partitions of a topic of the plan. */
    public List<Partition> partitions(String topic) {
        throw new UnsupportedOperationException();
    }

    public Map<Partition, Offsets> offsets(Collection<Partition> partitions) {
        throw new UnsupportedOperationException();
    }

    /** What was asked of our topics and of the brokers, and what holds. */
    public List<Property> properties(Map<String, String> askedOfBrokers) {
        throw new UnsupportedOperationException();
    }

    /** Broker properties that the brokers do not know. */
    public List<String> unknownBrokerProperties() {
        throw new UnsupportedOperationException();
    }

    /** Our partitions with fewer replicas in sync than they should have. */
    public List<Partition> underReplicated() {
        throw new UnsupportedOperationException();
    }

    /** Bytes of our topics on the disks of each broker. */
    public Map<Integer, Long> diskBytes() {
        throw new UnsupportedOperationException();
    }

    /** Deletes what was made here, and returns when it is gone. */
    public void delete() {
        throw new UnsupportedOperationException();
    }

    /** Ends the connection; does not delete. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
