package weir.load.client;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.send.Operator;

/** The consumer of a stream. The thread of the stream's producer owns it. */
final class ClientStreamConsumer implements Operator.Source {
    private static final long LOOK_NANOS = 500_000_000;

    private final KafkaConsumer<byte @Nullable [], byte @Nullable []> consumer;
    private final KnownPartitions partitions;
    private final KnownPartitions.Share share;

    private final boolean bounded;
    private final LongSupplier clock;
    private final Map<TopicPartition, Long> stood = new HashMap<>();

    private final Map<TopicPartition, OffsetAndMetadata> reached = new HashMap<>();

    private Map<TopicPartition, Long> ends = Map.of();
    private Iterator<ConsumerRecord<byte @Nullable [], byte @Nullable []>> ahead = Collections.emptyIterator();
    private int partition;
    private long offset;
    private boolean headed;
    private boolean taken;

    private long lookedNanos;

    /**
     * @param topics the topics of its group; empty if partitions are assigned
     * @param from the first offsets of assigned partitions
     * @param bounded true to read only the records that exist at its start
     */
    ClientStreamConsumer(
            Map<String, Object> properties,
            KnownPartitions partitions,
            List<String> topics,
            IntFunction<List<Integer>> share,
            long[] from,
            boolean bounded,
            LongSupplier clock) {
        this.consumer = new KafkaConsumer<>(properties);
        this.partitions = partitions;
        this.share = new KnownPartitions.Share(partitions, share, from);
        this.bounded = bounded;
        this.clock = clock;
        this.lookedNanos = clock.getAsLong();
        assign();
        if (!topics.isEmpty()) {
            consumer.subscribe(topics, new Rebalances());
        }
    }

    private void assign() {
        share.assign(consumer, (index, offset) -> stood.put(partitions.all.get(index), offset));
    }

    @Override
    public boolean ready() {
        return ahead.hasNext();
    }

    @Override
    public boolean fetch(Duration limit) {
        assign();
        try {
            ahead = consumer.poll(limit).iterator();
        } catch (WakeupException | RetriableException notNow) {
            return false;
        }
        return ahead.hasNext();
    }

    @Override
    public boolean dry() {
        if (!bounded) {
            return false;
        }
        if (consumer.assignment().isEmpty()) {
            return consumer.subscription().isEmpty() || readByOthers();
        }
        try {
            if (!ends.keySet().equals(consumer.assignment())) {
                ends = consumer.endOffsets(consumer.assignment());
            }
            return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
        } catch (RetriableException unavailable) {
            return false;
        }
    }

    // A member without partitions may get some while records remain.
    private boolean readByOthers() {
        long now = clock.getAsLong();
        if (now - lookedNanos < LOOK_NANOS) {
            return false;
        }
        lookedNanos = now;
        Set<TopicPartition> all = partitions.all.stream()
                .filter(partition -> consumer.subscription().contains(partition.topic()))
                .collect(Collectors.toSet());
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(all);
            return consumer.endOffsets(all).entrySet().stream().allMatch(end -> {
                OffsetAndMetadata at = committed.get(end.getKey());
                return at != null && at.offset() >= end.getValue();
            });
        } catch (RetriableException unavailable) {
            return false;
        }
    }

    @Override
    public void idle() {
        if (consumer.subscription().isEmpty()) {
            return;
        }
        try {
            rewind(false);
            ahead = consumer.poll(Duration.ZERO).iterator();
        } catch (Operator.OperationFailed | WakeupException | RetriableException notNow) {
            // The caller retries soon.
            return;
        }
    }

    @Override
    public void next(Message into) {
        ConsumerRecord<byte @Nullable [], byte @Nullable []> next = ahead.next();
        byte[] key = next.key();
        byte[] value = next.value();
        into.key = key == null ? KeySource.NONE : key;
        into.value = value == null ? new byte[0] : value;
        TopicPartition of = new TopicPartition(next.topic(), next.partition());
        partition = partitions.index(of);
        offset = next.offset();
        headed = next.headers().lastHeader(Identity.HEADER) != null;
        reached.put(of, new OffsetAndMetadata(offset + 1));
    }

    @Override
    public boolean headed() {
        return headed;
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public long offset() {
        return offset;
    }

    void commit(@Nullable KafkaProducer<byte[], byte[]> producer) {
        if (taken && producer != null) {
            throw new CommitFailedException("the group reassigned a partition whose records are in a transaction");
        }
        if (producer == null) {
            consumer.commitSync(reached);
        } else {
            producer.sendOffsetsToTransaction(reached, consumer.groupMetadata());
        }
    }

    void committed() {
        reached.forEach((partition, offset) -> stood.put(partition, offset.offset()));
        reached.clear();
        taken = false;
    }

    @Override
    public void rewind(boolean unknown) {
        Set<TopicPartition> asked = new HashSet<>(consumer.assignment());
        if (!unknown) {
            asked.removeAll(stood.keySet());
        }
        if (!asked.isEmpty()) {
            try {
                stand(asked);
            } catch (KafkaException | IllegalStateException why) {
                throw ClientOperator.failure(why);
            }
        }
        reached.clear();
        taken = false;
        ahead = Collections.emptyIterator();
        for (TopicPartition partition : consumer.assignment()) {
            Long at = stood.get(partition);
            if (at != null) {
                consumer.seek(partition, at);
            }
        }
    }

    private void stand(Collection<TopicPartition> partitions) {
        consumer.committed(Set.copyOf(partitions)).forEach((partition, committed) -> {
            if (committed != null) {
                stood.put(partition, committed.offset());
            }
        });
    }

    void close() {
        consumer.wakeup();
        try {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
        } catch (ConcurrentModificationException busy) {
            // The owner thread is awake and ends by itself.
            return;
        }
    }

    private final class Rebalances implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            try {
                stand(partitions);
            } catch (RetriableException unavailable) {
                // If a transaction is not committed, the stream queries the committed offset again.
                partitions.forEach(stood::remove);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // Another member reads these records again, so the results of this member must be aborted.
            taken |= reached.keySet().removeAll(partitions);
            partitions.forEach(stood::remove);
        }
    }
}
