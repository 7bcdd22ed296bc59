package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A topic of the experiment.
 *
 * @param brokers the ids of the brokers with the topic; empty if the cluster chooses
 */
public record TopicSpec(
        int partitions,
        int replication,
        List<Integer> brokers,
        int count,
        boolean existing,
        SortedMap<String, String> config) {
    public TopicSpec {
        brokers = List.copyOf(brokers);
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
    }

    public TopicSpec(int partitions, int replication, int count, boolean existing, SortedMap<String, String> config) {
        this(partitions, replication, List.of(), count, existing, config);
    }

    /** The brokers of a partition, leader first. Leaders and followers rotate over the brokers. */
    public List<Integer> replicas(int partition) {
        int all = brokers.size();
        return IntStream.range(0, replication)
                .map(replica -> replica == 0 ? 0 : 1 + (replica - 1 + partition / all) % (all - 1))
                .mapToObj(from -> brokers.get((partition + from) % all))
                .toList();
    }
}
