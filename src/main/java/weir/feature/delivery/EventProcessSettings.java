package weir.feature.delivery;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of a process on the path of events. Its properties contain resolved secrets, so it must never be
 * printed.
 *
 * @param host address on which it listens, even if only for queries of its state
 * @param port 0 for any free one
 * @param next URLs: of all subscribers for a dispatcher, otherwise of the next hop or the one subscriber
 * @param producer all properties for writing to Kafka, with {@code bootstrap.servers}; empty if it does not write
 * @param consumer all properties for reading from Kafka, with {@code group.id}, which ends with the number of a
 *     subscriber; empty if it does not read
 * @param topic name on the cluster; empty for events in memory
 * @param deadLetters URL, or the topic's name on the cluster; empty for none
 */
record EventProcessSettings(
        Role role,
        String host,
        int port,
        List<String> next,
        PathSpec dispatch,
        SortedMap<String, String> producer,
        SortedMap<String, String> consumer,
        String topic,
        String deadLetters) {
    EventProcessSettings {
        next = List.copyOf(next);
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        consumer = Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
    }

    boolean parksByHttp() {
        return deadLetters.contains("://");
    }

    enum Role {
        INGRESS,
        MEMORY_CHANNEL,
        KAFKA_CHANNEL,
        FILTER,
        SOURCE
    }

    /** Returns only the address, because properties may contain secrets. */
    @Override
    public String toString() {
        return role + " at " + host + ":" + port;
    }
}
