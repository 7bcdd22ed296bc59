package weir.cluster.sink;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** The topics of a sink and the record count of each partition. Safe for many threads. */
final class SinkCounters {
    private static final int MOST_PARTITIONS = 100_000;

    private final Map<String, Topic> byName = new ConcurrentHashMap<>();
    private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();
    private final AtomicLong producers = new AtomicLong(1);

    record Topic(String name, Uuid id, List<AtomicLong> ends) {}

    /** Creates a topic; false if the name exists or the sink has too many partitions. */
    synchronized boolean create(String name, int partitions) {
        int there =
                byName.values().stream().mapToInt(topic -> topic.ends().size()).sum();
        if (byName.containsKey(name) || partitions < 1 || partitions > MOST_PARTITIONS - there) {
            return false;
        }
        List<AtomicLong> ends =
                Stream.generate(AtomicLong::new).limit(partitions).toList();
        Topic topic = new Topic(name, Uuid.randomUuid(), ends);
        byId.put(topic.id(), topic);
        byName.put(name, topic);
        return true;
    }

    @Nullable Topic named(String name) {
        return byName.get(name);
    }

    @Nullable Topic of(Uuid id) {
        return byId.get(id);
    }

    Collection<Topic> all() {
        return List.copyOf(byName.values());
    }

    synchronized void delete(Topic topic) {
        byName.remove(topic.name());
        byId.remove(topic.id());
    }

    long nextProducer() {
        return producers.getAndIncrement();
    }
}
