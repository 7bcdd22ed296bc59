package weir.feature.delivery;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A process on the way of an event, as it is asked for. Its properties hold secrets, resolved: never to be written down.
 *
 * @param host the address that it listens on, also where it only reports its state
 * @param port 0 for any that is free
 * @param next URLs: of all subscribers where events are dispatched, of the next hop or the one subscriber elsewhere
 * @param producer all properties of what writes to Kafka, {@code bootstrap.servers} included; empty where nothing does
 * @param consumer all properties of what reads from Kafka, {@code group.id} included, which ends with the number of a
 *     subscriber; empty where nothing does
 * @param topic its name on the cluster; empty where events stay in memory
 * @param deadLetters the URL, or the topic's name on the cluster, to which dead letters go; empty for none
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

    /** Names only the place, because properties may hold secrets. */
    @Override
    public String toString() {
        return role + " at " + host + ":" + port;
    }
}
