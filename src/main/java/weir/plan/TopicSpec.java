package weir.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** A topic of the experiment. */
public record TopicSpec(
        int partitions, int replication, int count, boolean existing, SortedMap<String, String> config) {
    public TopicSpec {
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
    }

    /** The same with so many partitions. */
    public TopicSpec with(int number) {
        return new TopicSpec(number, replication, count, existing, config);
    }
}
