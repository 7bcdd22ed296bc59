package weir.load.client;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import weir.load.message.Arrival;
import weir.load.read.Inbox;
import weir.load.read.Receiver;

/** A Kafka consumer with assigned partitions or as a member of a group. */
final class ClientReceiver implements Receiver {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration IDLE = Duration.ofMillis(5);
    private static final long STAND_NANOS = 250_000_000;

    private static final Duration LEAVE = Duration.ofSeconds(5);

    private final ArrivalDeserializer deserializer = new ArrivalDeserializer();
    private final KafkaConsumer<@Nullable Void, Arrival> consumer;
    private final KnownPartitions partitions;
    private final List<String> topics;

    private final IntFunction<List<Integer>> share;

    private final long[] from;
    private final LongSupplier clock;
    private final Consumer<String> events;
    final Set<TopicPartition> mine = ConcurrentHashMap.newKeySet();
    final ClientExplanation.Metrics metrics;
    private boolean fetching = true;
    private int known;

    private long stoodNanos;

    /**
     * Creates a reader. With {@code topics}, it is a member of a group. Without {@code topics}, it reads its share of
     * the partitions from the offsets in {@code from}, and an added partition from its first record.
     */
    ClientReceiver(
            Map<String, Object> properties,
            KnownPartitions partitions,
            List<String> topics,
            IntFunction<List<Integer>> share,
            long[] from,
            LongSupplier clock,
            Consumer<String> events) {
        this.consumer = new KafkaConsumer<>(properties, new NoDeserializer(), deserializer);
        this.metrics = new ClientExplanation.Metrics(consumer::metrics);
        this.topics = topics;
        this.share = share;
        this.from = from.clone();
        this.clock = clock;
        this.events = events;
        this.partitions = partitions;
    }

    @Override
    public void fill(Inbox inbox) {
        if (!topics.isEmpty()) {
            consumer.subscribe(topics, new Rebalances(inbox));
        }
        while (!inbox.closed()) {
            assign(inbox);
            boolean open = inbox.open();
            if (open != fetching) {
                fetching = open;
                if (open) {
                    consumer.resume(consumer.assignment());
                } else {
                    consumer.pause(consumer.assignment());
                }
            }
            deserializer.again();
            ConsumerRecords<@Nullable Void, Arrival> records = consumer.poll(open ? POLL : IDLE);
            long now = clock.getAsLong();
            inbox.arrived(now);
            if (records.isEmpty()) {
                stand(inbox, now);
            } else {
                take(records, inbox);
            }
            inbox.done(now);
        }
    }

    private void assign(Inbox inbox) {
        int before = known;
        known = partitions.assign(consumer, share, before, from, inbox::assigned);
        if (known > before && !fetching) {
            consumer.pause(consumer.assignment());
        }
    }

    private void take(ConsumerRecords<@Nullable Void, Arrival> records, Inbox inbox) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> next :
                records.nextOffsets().entrySet()) {
            int partition = index(next.getKey());
            if (take(records.records(next.getKey()), partition, inbox)) {
                inbox.position(partition, next.getValue().offset());
            } else {
                // Rejected records remain unread, and a later fetch returns them.
                consumer.seek(next.getKey(), inbox.stands(partition));
            }
        }
    }

    private boolean take(List<ConsumerRecord<@Nullable Void, Arrival>> records, int partition, Inbox inbox) {
        inbox.ahead(records.size());
        for (ConsumerRecord<@Nullable Void, Arrival> record : records) {
            int bytes = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
            if (!inbox.take(partition, record.offset(), deserializer.of(record), bytes)) {
                return false;
            }
        }
        return true;
    }

    private void stand(Inbox inbox, long now) {
        if (!fetching || now - stoodNanos < STAND_NANOS) {
            return;
        }
        stoodNanos = now;
        for (TopicPartition partition : consumer.assignment()) {
            standing(partition).ifPresent(position -> inbox.skipTo(index(partition), position));
        }
    }

    private OptionalLong standing(TopicPartition partition) {
        try {
            return OptionalLong.of(consumer.position(partition, Duration.ZERO));
        } catch (TimeoutException away) {
            // The position cannot move while the partition has no leader.
            return OptionalLong.empty();
        }
    }

    private int index(TopicPartition partition) {
        return partitions.index(partition);
    }

    @Override
    public void close() {
        metrics.keep();
        // Closing waits for a running fetch, 0.5 s by default. Only a group member must announce that it leaves.
        consumer.close(CloseOptions.timeout(topics.isEmpty() ? Duration.ZERO : LEAVE));
    }

    private final class Rebalances implements ConsumerRebalanceListener {
        private final Inbox inbox;

        Rebalances(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // position() would wait for leaders, some of which may be down.
            consumer.committed(Set.copyOf(partitions)).forEach((partition, committed) -> {
                if (committed != null) {
                    inbox.assigned(index(partition), committed.offset());
                } else if (!ClientReceiver.this.partitions.wasThereAtStart(partition)) {
                    // All records of the partition are of this run, so auto.offset.reset does not apply.
                    consumer.seek(partition, 0);
                    inbox.assigned(index(partition), 0);
                }
            });
            mine.addAll(partitions);
            if (!fetching) {
                consumer.pause(partitions);
            }
            tell("got", partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            revoked("gave up", partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            revoked("lost", partitions);
        }

        private void revoked(String what, Collection<TopicPartition> partitions) {
            partitions.forEach(partition -> inbox.revoked(index(partition)));
            mine.removeAll(partitions);
            tell(what, partitions);
        }

        private void tell(String what, Collection<TopicPartition> partitions) {
            events.accept("rebalance: reader " + inbox.reader() + " " + what + " " + partitions.size() + " partitions");
        }
    }
}
