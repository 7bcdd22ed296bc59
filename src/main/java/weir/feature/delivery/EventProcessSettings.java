package weir.feature.delivery;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of a process on the path of events. Their client properties contain resolved secrets, so they must never
 * be printed.
 *
 * @param host address on which the process listens for events, or only for queries of its state
 * @param port of that address; 0 for any free port
 * @param next URLs of all subscribers; for a process without a buffer, the URL of the next process
 * @param producer all properties for writing to Kafka, with {@code bootstrap.servers}; empty if the process does not
 *     write
 * @param consumer all properties for reading from Kafka, empty if the process does not read; the number of the
 *     subscriber is appended to {@code group.id}
 * @param topic with the events, by its name on the cluster; empty for events in memory
 * @param deadLetters URL of the dead letter sink, or the name of its topic on the cluster; empty for none
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
