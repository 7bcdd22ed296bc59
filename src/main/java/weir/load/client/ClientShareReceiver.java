package weir.load.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import weir.load.message.Arrival;
import weir.load.read.Inbox;
import weir.load.read.Receiver;
import weir.measure.Count;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;

/** A member of a share group. It counts an acknowledgement when the broker has confirmed it. */
final class ClientShareReceiver implements Receiver {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LEAVE = Duration.ofSeconds(5);
    private static final long IDLE_NANOS = 5_000_000;

    private final ArrivalDeserializer deserializer;
    private final ShareConsumer<@Nullable Integer, Arrival> consumer;
    private final KnownPartitions partitions;
    private final List<String> topics;
    private final boolean explicit;
    private final double release;
    private final double reject;
    private final SplittableRandom random;
    private final LongSupplier clock;
    private final PendingAcks pending = new PendingAcks();
    final ClientExplanation.Metrics metrics;
    /** True when the group is complete. Until then, each poll is a step of joining. */
    volatile boolean joined;

    /** The records of the last poll. Their acknowledgements leave with the next poll. */
    volatile int locked;
    /** The time in which the reader waited for records since its start. */
    volatile long waitedNanos;

    ClientShareReceiver(
            ArrivalDeserializer deserializer,
            ShareConsumer<@Nullable Integer, Arrival> consumer,
            KnownPartitions partitions,
            List<String> topics,
            LoadSpec.Consumers readers,
            long seed,
            LongSupplier clock) {
        this.deserializer = deserializer;
        this.consumer = consumer;
        this.partitions = partitions;
        this.topics = topics;
        this.explicit = readers.group().acknowledge() == GroupSpec.Acknowledge.EXPLICIT;
        this.release = readers.outcome().release().share();
        this.reject = readers.outcome().reject().share();
        this.random = new SplittableRandom(seed);
        this.clock = clock;
        this.metrics = new ClientExplanation.Metrics(consumer::metrics);
    }

    @Override
    public void fill(Inbox inbox) {
        inbox.withoutPositions();
        consumer.setAcknowledgementCommitCallback((offsets, refused) -> settle(offsets, refused == null, inbox));
        consumer.subscribe(topics);
        while (!inbox.closed()) {
            inbox.awaitRelease();
            if (!joined || inbox.open()) {
                receive(inbox);
            } else {
                LockSupport.parkNanos(IDLE_NANOS);
                inbox.done(clock.getAsLong());
            }
        }
        var unused = consumer.commitSync(LEAVE);
        // The last acknowledgements must be counted before the inbox is settled.
        close();
    }

    private void receive(Inbox inbox) {
        deserializer.again();
        long asked = clock.getAsLong();
        locked = 0;
        ConsumerRecords<@Nullable Integer, Arrival> records = consumer.poll(POLL);
        long now = clock.getAsLong();
        waited(now - asked);
        locked = records.count();
        inbox.arrived(now);
        if (!records.isEmpty()) {
            Arrival first = deserializer.of(records.iterator().next());
            inbox.activity().fetched(records.count(), asked, first.dated ? first.dueNanos : asked, now);
        }
        boolean works = inbox.works();
        boolean released = false;
        for (TopicPartition partition : records.partitions()) {
            int index = partitions.index(partition);
            for (ConsumerRecord<@Nullable Integer, Arrival> record : records.records(partition)) {
                Arrival arrival = deserializer.of(record);
                if (works) {
                    inbox.awaitRelease();
                    inbox.arrived(clock.getAsLong());
                }
                if (explicit && !inbox.leaving().none()) {
                    consumer.acknowledge(record, AcknowledgeType.RELEASE);
                    continue;
                }
                take(index, record, arrival, inbox);
                if (works) {
                    inbox.work(index, arrival);
                }
                Count kind = kind();
                acknowledge(index, record, arrival, kind, inbox);
                released |= kind == Count.RELEASED;
            }
        }
        if (released) {
            inbox.handOver();
        }
        inbox.done(now);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void waited(long nanos) {
        waitedNanos += nanos;
    }

    private void take(int partition, ConsumerRecord<?, Arrival> record, Arrival arrival, Inbox inbox) {
        int bytes = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        while (!inbox.take(partition, record.offset(), arrival, bytes)) {
            // The group has delivered the record already, so it waits here for the next phase.
            if (inbox.closed()) {
                inbox.note(partition, record.offset(), arrival);
                return;
            }
            inbox.done(clock.getAsLong());
            LockSupport.parkNanos(IDLE_NANOS);
            inbox.arrived(clock.getAsLong());
        }
    }

    private void acknowledge(
            int partition,
            ConsumerRecord<@Nullable Integer, Arrival> record,
            Arrival arrival,
            Count kind,
            Inbox inbox) {
        if (inbox.ours(arrival)) {
            pending.add(partition, record.offset(), kind, arrival.producer, arrival.sequence);
            if (record.deliveryCount().orElse((short) 1) > 1) {
                inbox.delivery(Count.REDELIVERED, arrival.producer, arrival.sequence);
            }
        }
        if (explicit) {
            consumer.acknowledge(record, type(kind));
        }
    }

    private Count kind() {
        if (release + reject == 0) {
            return Count.ACCEPTED;
        }
        double drawn = random.nextDouble();
        return drawn < release ? Count.RELEASED : drawn < release + reject ? Count.REJECTED : Count.ACCEPTED;
    }

    private static AcknowledgeType type(Count kind) {
        return kind == Count.RELEASED
                ? AcknowledgeType.RELEASE
                : kind == Count.REJECTED ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT;
    }

    /** Counts confirmed acknowledgements. The lock of a refused one has ended, and the group delivers the record again. */
    private void settle(Map<TopicIdPartition, Set<Long>> offsets, boolean confirmed, Inbox inbox) {
        PendingAcks.Taker into = confirmed ? inbox::delivery : (kind, producer, sequence) -> {};
        offsets.forEach((partition, all) -> {
            int index = partitions.index(partition.topicPartition());
            all.forEach(offset -> pending.remove(index, offset, into));
        });
    }

    @Override
    public void close() {
        metrics.keep();
        consumer.close(LEAVE);
    }
}
