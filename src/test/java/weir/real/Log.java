package weir.real;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.cluster.Cluster;
import weir.load.message.Identity;

/** The records of a topic, read by a plain consumer and counted without Weir's ledger. */
public record Log(List<Entry> entries) {
    /** A record: its identity and its position. */
    record Entry(int partition, long offset, int producer, long sequence) {}

    private record Message(int producer, long sequence) {}

    private record Lane(int partition, int producer) {}

    static Log read(Cluster cluster, String topic) {
        return read(cluster, topic, "read_uncommitted");
    }

    static Log readCommitted(Cluster cluster, String topic) {
        return read(cluster, topic, "read_committed");
    }

    private static Log read(Cluster cluster, String topic, String isolation) {
        List<Entry> entries = new ArrayList<>();
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("isolation.level", isolation);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> entries.add(new Entry(
                                record.partition(),
                                record.offset(),
                                Identity.producer(record.value()),
                                Identity.sequence(record.value()))));
            }
        }
        return new Log(entries);
    }

    /** Writes this number of records of ten bytes to the first partition. */
    public static void write(Cluster cluster, String topic, int records) {
        Map<String, Object> client = new TreeMap<>(cluster.clientProperties());
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, 0, null, new byte[10]))
                        .get(30, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new AssertionError("writing to " + topic, e);
        }
    }

    /** Returns the number of different messages. */
    long distinct() {
        return messages().size();
    }

    private Set<Message> messages() {
        Set<Message> messages = new HashSet<>();
        entries.forEach(entry -> messages.add(new Message(entry.producer, entry.sequence)));
        return messages;
    }

    /** Returns the number of records beyond the first of each message. */
    long duplicates() {
        return entries.size() - distinct();
    }

    /** Returns messages whose first record follows a later message of the same producer in the same partition. */
    long reordered() {
        Map<Lane, Long> highest = new HashMap<>();
        Set<Message> seen = new HashSet<>();
        long reordered = 0;
        for (Entry entry : entries) {
            Lane lane = new Lane(entry.partition, entry.producer);
            boolean first = seen.add(new Message(entry.producer, entry.sequence));
            if (first && entry.sequence < highest.getOrDefault(lane, -1L)) {
                reordered++;
            }
            highest.merge(lane, entry.sequence, Math::max);
        }
        return reordered;
    }
}
