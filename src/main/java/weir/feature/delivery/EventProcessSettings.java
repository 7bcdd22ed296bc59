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
 * Every process listens on loopback, at least for queries about its state.
 *
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
        int port,
        List<String> next,
        PathSpec dispatch,
        SortedMap<String, String> producer,
        SortedMap<String, String> consumer,
        String topic,
        String deadLetters,
        long originNanos,
        ResolvedSecrets secrets)
        implements ServerAssignment {
    EventProcessSettings {
        next = List.copyOf(next);
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        consumer = Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
    }

    boolean parksByHttp() {
        return deadLetters.contains("://");
    }

    enum Role {
        INGRESS("ingress", false),
        MEMORY_CHANNEL("channel", true),
        KAFKA_CHANNEL("channel", true),
        FILTER("filter", false),
        SOURCE("source", true);

        /** The name of the process. */
        final String process;

        /** True for a process that stores events. Other processes answer after the next process. */
        final boolean stores;

        Role(String process, boolean stores) {
            this.process = process;
            this.stores = stores;
        }
    }

    @Override
    public String source() {
        return role.process;
    }

    @Override
    public List<SortedMap<String, String>> clients() {
        return List.of(producer, consumer);
    }

    @Override
    public Server serve(LongSupplier clock) throws IOException {
        return EventProcess.start(this, clock);
    }

    /** Returns only the address, because properties may contain secrets. */
    @Override
    public String toString() {
        return role + " at " + host() + ":" + port;
    }
}
