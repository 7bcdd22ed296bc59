package weir.feature.delivery;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import weir.plan.property.ResolvedSecrets;
import weir.worker.ServerAssignment;

/**
 * The settings of a process on the path of events. The properties contain resolved secrets, so no log may print them.
 *
 * @param host address at which the process listens; every process at least answers queries about its state
 * @param port 0 for any free port
 * @param next URLs to which the process sends events: all subscribers for a dispatcher, one URL for another process
 * @param producer all properties for writing to Kafka, with {@code bootstrap.servers}; empty without writing
 * @param consumer all properties for reading from Kafka, with {@code group.id}, which ends with the number of a
 *     subscriber; empty without reading
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

    record EventProcessAssignment(
            EventProcessSettings settings, String source, long originNanos, ResolvedSecrets secrets)
            implements ServerAssignment {
        @Override
        public int port() {
            return settings.port();
        }

        @Override
        public List<SortedMap<String, String>> clients() {
            return List.of(settings.producer(), settings.consumer());
        }

        @Override
        public Server serve(LongSupplier clock) throws IOException {
            return EventProcess.start(settings, clock);
        }

        @Override
        public String toString() {
            return settings.toString();
        }
    }
}
