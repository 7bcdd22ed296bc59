package weir.load.client;

import java.time.Duration;
import java.util.Arrays;
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

    /** The locks of the last poll. The acknowledgements of its records leave with the next poll. */
    private volatile Locks locks = new Locks(0, 0, 0);
    /** The time in which the reader waited for records since its start. */
    volatile long waitedNanos;

    /**
     * The locks of one poll.
     *
     * @param earlier the sum of the times of all earlier locks
     */
    private record Locks(long earlier, int count, long fromNanos) {}

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
        deserializer.reads(inbox.values(), clock);
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
        locks = new Locks(lockedNanos(asked), 0, asked);
        ConsumerRecords<@Nullable Integer, Arrival> records = consumer.poll(POLL);
        long now = clock.getAsLong();
        waited(now - asked);
        locks = new Locks(lockedNanos(now), records.count(), now);
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

    /** Returns the sum of the times in which the reader has locked a record. */
    long lockedNanos(long now) {
        Locks last = locks;
        return last.earlier + last.count * (now - last.fromNanos);
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

    /**
     * The acknowledgements of one reader that the broker has not confirmed yet, by partition and offset. A table without
     * objects, because each record has an acknowledgement.
     */
    static final class PendingAcks {
        private static final int FREE = -1;

        private int[] partitions = free(1 << 10);
        private long[] offsets = new long[partitions.length];
        private int[] producers = new int[partitions.length];
        private long[] sequences = new long[partitions.length];
        private Count[] kinds = new Count[partitions.length];
        int size;

        interface Taker {
            void take(Count kind, int producer, long sequence);
        }

        private static int[] free(int slots) {
            int[] free = new int[slots];
            Arrays.fill(free, FREE);
            return free;
        }

        /** Adds an acknowledgement; a later one of the same record replaces it. */
        void add(int partition, long offset, Count kind, int producer, long sequence) {
            if (2 * size >= partitions.length) {
                grow();
            }
            int slot = find(partition, offset);
            size += partitions[slot] == FREE ? 1 : 0;
            set(slot, partition, offset, kind, producer, sequence);
        }

        /** Removes an acknowledgement and passes it on; nothing for a record that another program wrote. */
        void remove(int partition, long offset, Taker into) {
            int slot = find(partition, offset);
            if (partitions[slot] != FREE) {
                into.take(kinds[slot], producers[slot], sequences[slot]);
                size--;
                close(slot);
            }
        }

        /** Moves later entries of the same chain into a free slot, so that searches may end at the first free slot. */
        private void close(int gap) {
            int mask = partitions.length - 1;
            int free = gap;
            partitions[free] = FREE;
            for (int slot = free + 1 & mask; partitions[slot] != FREE; slot = slot + 1 & mask) {
                int home = home(partitions[slot], offsets[slot]);
                if ((slot - home & mask) >= (slot - free & mask)) {
                    set(free, partitions[slot], offsets[slot], kinds[slot], producers[slot], sequences[slot]);
                    partitions[slot] = FREE;
                    free = slot;
                }
            }
        }

        private int find(int partition, long offset) {
            int mask = partitions.length - 1;
            int slot = home(partition, offset);
            while (partitions[slot] != FREE && (partitions[slot] != partition || offsets[slot] != offset)) {
                slot = slot + 1 & mask;
            }
            return slot;
        }

        private int home(int partition, long offset) {
            long mixed = (offset + 31L * partition) * 0x9E3779B97F4A7C15L;
            return (int) (mixed >>> 32) & partitions.length - 1;
        }

        private void set(int slot, int partition, long offset, Count kind, int producer, long sequence) {
            partitions[slot] = partition;
            offsets[slot] = offset;
            kinds[slot] = kind;
            producers[slot] = producer;
            sequences[slot] = sequence;
        }

        private void grow() {
            int[] oldPartitions = partitions;
            long[] oldOffsets = offsets;
            Count[] oldKinds = kinds;
            int[] oldProducers = producers;
            long[] oldSequences = sequences;
            partitions = free(2 * oldPartitions.length);
            offsets = new long[partitions.length];
            kinds = new Count[partitions.length];
            producers = new int[partitions.length];
            sequences = new long[partitions.length];
            for (int old = 0; old < oldPartitions.length; old++) {
                if (oldPartitions[old] != FREE) {
                    int slot = find(oldPartitions[old], oldOffsets[old]);
                    set(slot, oldPartitions[old], oldOffsets[old], oldKinds[old], oldProducers[old], oldSequences[old]);
                }
            }
        }
    }
}
