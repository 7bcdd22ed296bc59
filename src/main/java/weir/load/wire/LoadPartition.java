package weir.load.wire;

import java.util.Comparator;
import org.apache.kafka.common.Uuid;

/**
 * One partition of the load.
 *
 * @param topic its index among the topics of the load
 * @param id the id of the topic, which differs for a recreated topic
 */
record LoadPartition(int topic, String name, Uuid id, int number) implements Comparable<LoadPartition> {
    private static final Comparator<LoadPartition> ORDER =
            Comparator.comparingInt(LoadPartition::topic).thenComparingInt(LoadPartition::number);

    @Override
    public int compareTo(LoadPartition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return name + "-" + number;
    }
}
