package weir.cluster.admin;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import weir.cluster.Broker;
import weir.plan.property.Property;

/**
 * A snapshot of a cluster as its brokers describe it.
 *
 * @param unknown the configured properties that the brokers do not know
 * @param quotas a sentence for each quota of a user, client or address
 */
public record ClusterSurvey(
        String bootstrap,
        List<Broker> brokers,
        SurveyAnswer<SortedMap<Integer, SortedMap<String, Property>>> properties,
        SurveyAnswer<List<String>> unknown,
        SurveyAnswer<List<Topic>> topics,
        SurveyAnswer<Quorum> quorum,
        SurveyAnswer<Level> metadata,
        SurveyAnswer<List<Disk>> disks,
        SurveyAnswer<List<String>> quotas) {
    public ClusterSurvey {
        brokers = List.copyOf(brokers);
    }

    /**
     * A topic of the cluster.
     *
     * @param config the properties that are relevant to advice, by name
     */
    public record Topic(String name, boolean internal, List<Partition> partitions, SortedMap<String, String> config) {
        public Topic {
            partitions = List.copyOf(partitions);
            config = new TreeMap<>(config);
        }

        /** The lowest number of replicas of any partition of the topic. */
        public int replication() {
            return partitions.stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .min()
                    .orElse(0);
        }
    }

    /** A partition and its replicas, by broker id; the leader is -1 if there is none. */
    public record Partition(int number, int leader, List<Integer> replicas, List<Integer> inSync) {
        public Partition {
            replicas = List.copyOf(replicas);
            inSync = List.copyOf(inSync);
        }
    }

    /**
     * The controllers.
     *
     * @param lags the number of metadata records that each voter lacks, by voter id
     * @param silent the voters that have not fetched for seconds
     */
    public record Quorum(int leader, SortedMap<Integer, Long> lags, SortedSet<Integer> silent) {
        public Quorum {
            lags = new TreeMap<>(lags);
            silent = new TreeSet<>(silent);
        }
    }

    /** The metadata version in force, and the highest that all brokers support; 0 if there is none. */
    public record Level(int holds, int highest) {
        Level with(int held, int known) {
            return new Level(Math.max(holds, held), highest == 0 ? known : Math.min(highest, known));
        }
    }

    /**
     * A log folder of a broker.
     *
     * @param error empty for a healthy folder
     * @param bytes the size of its file system; -1 if the broker does not report it
     */
    public record Disk(int broker, String folder, String error, long bytes, long usableBytes) {}

    boolean silent() {
        return Stream.of(properties, unknown, topics, quorum, metadata, disks, quotas)
                .allMatch(SurveyAnswer.Refused.class::isInstance);
    }

    /** The values of one property by broker id; empty for a broker that does not know the property. */
    public static SortedMap<Integer, String> values(Map<Integer, SortedMap<String, Property>> properties, String name) {
        SortedMap<Integer, String> values = new TreeMap<>();
        properties.forEach((broker, all) -> {
            Property property = all.get(name);
            values.put(broker, property == null ? "" : property.effective());
        });
        return values;
    }

    /** The answer of a cluster to one question, or the reason why there is none. */
    public sealed interface SurveyAnswer<T> {
        record Answered<T>(T value) implements SurveyAnswer<T> {}

        record Refused<T>(String why) implements SurveyAnswer<T> {}

        default <R> R either(Function<T, R> answered, Function<String, R> refused) {
            if (this instanceof Answered<T> answer) {
                return answered.apply(answer.value());
            }
            if (this instanceof Refused<T> answer) {
                return refused.apply(answer.why());
            }
            throw new AssertionError("an unknown kind of answer: " + this);
        }
    }
}
