package weir.load.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.load.engine.DeadLetters;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;

/** The topic of dead letters. Each call reads all records that the topic has at the time of the call. */
public final class ClientDeadLetters implements DeadLetters {
    private static final String ID = EventAttributes.KAFKA_PREFIX + "id";
    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, Object> properties;
    private final String topic;
    private final LongSupplier clock;
    private final Consumer<String> events;

    /** {@code client} has the properties for connecting; {@code topic} is the name on the cluster. */
    public ClientDeadLetters(
            SortedMap<String, String> client, String topic, LongSupplier clock, Consumer<String> events) {
        this.clock = clock;
        this.topic = topic;
        this.events = events;
        this.properties = new ClientConfig(ClientConfig.Kind.CONSUMER, Map.of(), client, Map.of())
                .set("enable.auto.commit", "false")
                .set("allow.auto.create.topics", "false")
                .set("auto.offset.reset", "earliest")
                .set("key.deserializer", ByteArrayDeserializer.class.getName())
                .set("value.deserializer", ByteArrayDeserializer.class.getName())
                .named("weir-dead-letters");
    }

    @Override
    public boolean read(Consumer<byte[]> into, long deadlineNanos) {
        try {
            KafkaConsumer<byte[], byte @Nullable []> consumer = new KafkaConsumer<>(properties);
            try {
                return read(consumer, into, deadlineNanos);
            } finally {
                // Zero, because a running fetch does not matter any more.
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            }
        } catch (KafkaException e) {
            events.accept("the dead letters in topic " + topic + " cannot be read: " + e.getMessage());
            return false;
        }
    }

    private Duration left(long deadlineNanos) {
        return Duration.ofNanos(Math.max(1_000_000, deadlineNanos - clock.getAsLong()));
    }

    private boolean read(KafkaConsumer<byte[], byte @Nullable []> consumer, Consumer<byte[]> into, long deadlineNanos) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic, left(deadlineNanos)).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            events.accept("the topic " + topic + " of dead letters does not exist");
            return false;
        }
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, left(deadlineNanos));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(end.getKey(), left(deadlineNanos)) < end.getValue())) {
            if (clock.getAsLong() > deadlineNanos) {
                events.accept("the drain ended before all dead letters in " + topic + " were read");
                return false;
            }
            consumer.poll(POLL).forEach(letter -> copyId(letter, into));
        }
        return true;
    }

    private static void copyId(ConsumerRecord<byte[], byte @Nullable []> letter, Consumer<byte[]> into) {
        Header header = letter.headers().lastHeader(ID);
        byte[] id = header == null ? null : header.value();
        byte[] identity = new byte[Identity.BYTES];
        if (id != null && LoadEvent.readId(id, id.length, identity)) {
            into.accept(identity);
        }
    }
}
