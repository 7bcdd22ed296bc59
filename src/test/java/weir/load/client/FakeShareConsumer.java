package weir.load.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.AcknowledgementCommitCallback;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import weir.load.OneInbox;
import weir.load.message.Arrival;
import weir.load.message.Identity;

/** A share group in memory with one partition. It delivers a released record again, after all other records. */
final class FakeShareConsumer extends MockShareConsumer<@Nullable Integer, Arrival> {
    static final String TOPIC = "t";
    private static final TopicIdPartition PARTITION = new TopicIdPartition(new Uuid(1, 1), 0, TOPIC);

    private final ArrivalDeserializer deserializer;
    private final boolean explicit;
    private final Runnable idle;
    private final Deque<Long> available = new ArrayDeque<>();
    private final Map<Long, Integer> deliveries = new HashMap<>();
    private final Map<Long, AcknowledgeType> acknowledged = new LinkedHashMap<>();
    private final Set<Long> refused;
    private final List<Long> polled = new ArrayList<>();
    private AcknowledgementCommitCallback callback = (offsets, why) -> {};

    /** The locks of the {@code refused} offsets end before their first acknowledgement; {@code idle} runs without records. */
    FakeShareConsumer(
            ArrivalDeserializer deserializer, int records, boolean explicit, Set<Long> refused, Runnable idle) {
        this.deserializer = deserializer;
        this.explicit = explicit;
        this.refused = new TreeSet<>(refused);
        this.idle = idle;
        for (long offset = 0; offset < records; offset++) {
            available.add(offset);
        }
    }

    @Override
    public synchronized ConsumerRecords<@Nullable Integer, Arrival> poll(Duration timeout) {
        commit();
        if (available.isEmpty()) {
            idle.run();
        }
        List<ConsumerRecord<@Nullable Integer, Arrival>> records = new ArrayList<>();
        while (records.size() < 3 && !available.isEmpty()) {
            long offset = available.remove();
            polled.add(offset);
            records.add(record(offset, deliveries.merge(offset, 1, Integer::sum)));
        }
        return new ConsumerRecords<>(
                records.isEmpty() ? Map.of() : Map.of(new TopicPartition(TOPIC, 0), records), Map.of());
    }

    private ConsumerRecord<@Nullable Integer, Arrival> record(long offset, int delivery) {
        byte[] value = new byte[32];
        Identity.write(value, OneInbox.RUN_TAG, 0, offset, System.nanoTime());
        Arrival arrival = deserializer.deserialize(TOPIC, new RecordHeaders(), ByteBuffer.wrap(value));
        return new ConsumerRecord<>(
                TOPIC,
                0,
                offset,
                0L,
                TimestampType.CREATE_TIME,
                -1,
                value.length,
                null,
                arrival,
                new RecordHeaders(),
                Optional.empty(),
                Optional.of((short) delivery));
    }

    @Override
    public synchronized void acknowledge(ConsumerRecord<@Nullable Integer, Arrival> record, AcknowledgeType type) {
        if (!explicit) {
            throw new IllegalStateException("implicit");
        }
        acknowledged.put(record.offset(), type);
    }

    private void commit() {
        if (!explicit) {
            polled.forEach(offset -> acknowledged.put(offset, AcknowledgeType.ACCEPT));
        }
        polled.clear();
        Set<Long> confirmed = new TreeSet<>();
        Set<Long> expired = new TreeSet<>();
        acknowledged.forEach((offset, type) -> {
            boolean ended = refused.remove(offset);
            (ended ? expired : confirmed).add(offset);
            if (ended || type == AcknowledgeType.RELEASE) {
                available.add(offset);
            }
        });
        acknowledged.clear();
        callback.onComplete(Map.of(PARTITION, confirmed), null);
        callback.onComplete(Map.of(PARTITION, expired), new InvalidRecordStateException("the lock has ended"));
    }

    @Override
    public synchronized Map<TopicIdPartition, Optional<KafkaException>> commitSync(Duration timeout) {
        commit();
        return Map.of();
    }

    @Override
    public synchronized void setAcknowledgementCommitCallback(AcknowledgementCommitCallback given) {
        callback = given;
    }

    @Override
    public synchronized Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }
}
