package weir.load.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import weir.load.message.Arrival;
import weir.load.read.Inbox;
import weir.load.read.Receiver;
import weir.plan.LoadSpec;
import weir.plan.ReaderChange;
import weir.plan.ThreadsSpec;

/** A Kafka consumer with assigned partitions or as a member of a group. */
final class ClientReceiver implements Receiver {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration IDLE = Duration.ofMillis(5);
    private static final long STAND_NANOS = 250_000_000;

    /** The records of a reader with threads that are queued or in work, before it fetches more. */
    private static final int MOST_PENDING = 2_000;

    private static final Duration LEAVE = Duration.ofSeconds(5);
    private static final Duration REMAIN = Duration.ofMillis(500);

    private final ArrivalDeserializer deserializer;
    private final KafkaConsumer<@Nullable Integer, Arrival> consumer;
    private final KnownPartitions partitions;
    private final List<String> topics;

    private final KnownPartitions.Share share;
    private final ThreadsSpec threads;
    private final LoadSpec.Commit commit;
    private final GroupMembershipOperation leaving;
    private final LongSupplier clock;
    private final Consumer<String> events;
    final Set<TopicPartition> mine = ConcurrentHashMap.newKeySet();
    final ClientExplanation.Metrics metrics;
    /** True if the figures of this reader are wanted, each of which costs a look at the clock per poll. */
    private boolean watched;
    /** True if the records of a poll are received one after the other, not all at once. */
    private boolean singly;

    private @Nullable WorkThreads work;

    private boolean fetching = true;

    private long stoodNanos;
    private boolean left;
    /** True if a commit since the last poll failed, of which one event is enough. */
    private boolean refused;

    /**
     * Creates a reader. With {@code topics}, it is a member of a group. Without {@code topics}, it reads its share of
     * the partitions from the offsets in {@code from}, and an added partition from its first record.
     *
     * @param threads several threads work on the records of the reader
     * @param commit the time of a member's commits; a reader of assigned partitions has {@code NONE}
     * @param leaving whether a member leaves its group when it closes
     */
    ClientReceiver(
            Map<String, Object> properties,
            KnownPartitions partitions,
            List<String> topics,
            IntFunction<List<Integer>> share,
            long[] from,
            ThreadsSpec threads,
            LoadSpec.Commit commit,
            GroupMembershipOperation leaving,
            LongSupplier clock,
            Consumer<String> events) {
        this.deserializer = new ArrivalDeserializer(threads.count() == 1);
        boolean keys = threads.count() > 1 && threads.by() != ThreadsSpec.By.PARTITION;
        this.consumer =
                new KafkaConsumer<>(properties, keys ? new KeyHashDeserializer() : new NoDeserializer(), deserializer);
        this.metrics = new ClientExplanation.Metrics(consumer::metrics);
        this.topics = topics;
        this.share = new KnownPartitions.Share(partitions, share, from);
        this.threads = threads;
        this.commit = commit;
        this.leaving = leaving;
        this.clock = clock;
        this.events = events;
        this.partitions = partitions;
    }

    @Override
    public void fill(Inbox inbox) {
        deserializer.reads(inbox.values(), clock);
        if (!topics.isEmpty()) {
            consumer.subscribe(topics, new Rebalances(inbox));
        }
        if (threads.count() > 1) {
            work = new WorkThreads(inbox, threads, clock);
        }
        singly = inbox.works() || commit == LoadSpec.Commit.EACH_RECORD;
        watched = singly || !topics.isEmpty();
        while (!inbox.closed()) {
            inbox.awaitRelease();
            if (share.assign(consumer, inbox::assigned) && !fetching) {
                consumer.pause(consumer.assignment());
            }
            boolean open = inbox.open() && (work == null || work.pending < MOST_PENDING);
            if (open != fetching) {
                fetching = open;
                if (open) {
                    consumer.resume(consumer.assignment());
                } else {
                    consumer.pause(consumer.assignment());
                }
            }
            deserializer.again();
            refused = false;
            long before = watched ? clock.getAsLong() : 0;
            ConsumerRecords<@Nullable Integer, Arrival> records =
                    consumer.poll(open && (work == null || work.pending == 0) ? POLL : IDLE);
            long now = clock.getAsLong();
            inbox.arrived(now);
            if (records.isEmpty()) {
                if (work == null || work.pending == 0) {
                    stand(inbox, now);
                }
            } else {
                if (watched) {
                    watch(records, before, now, inbox);
                }
                take(records, inbox);
                if (commit == LoadSpec.Commit.EACH_BATCH && work == null) {
                    commit(inbox, consumer::commitSync);
                }
            }
            if (work != null) {
                finish(work, inbox);
            }
            inbox.done(now);
        }
        if (work != null) {
            work.close();
        }
        if (!inbox.leaving().none()) {
            leave(inbox);
        }
    }

    /** Counts and commits the records that the threads finished. */
    private void finish(WorkThreads work, Inbox inbox) {
        Map<TopicPartition, OffsetAndMetadata> offsets = work.finish(this::index);
        if (commit == LoadSpec.Commit.EACH_BATCH && !offsets.isEmpty()) {
            commit(inbox, () -> consumer.commitSync(offsets));
        }
    }

    private void watch(ConsumerRecords<@Nullable Integer, Arrival> records, long before, long now, Inbox inbox) {
        Arrival first = deserializer.of(records.iterator().next());
        inbox.activity().fetched(records.count(), before, first.dated ? first.dueNanos : before, now);
        if (work == null) {
            inbox.came();
        }
    }

    private void commit(Inbox inbox, Runnable how) {
        long began = clock.getAsLong();
        try {
            how.run();
        } catch (CommitFailedException | RebalanceInProgressException | TimeoutException e) {
            // Another member reads these records again.
            if (!refused) {
                events.accept("commit: reader " + inbox.reader() + " could not commit: " + e.getMessage());
            }
            refused = true;
        }
        inbox.activity().committed(clock.getAsLong() - began);
    }

    private void take(ConsumerRecords<@Nullable Integer, Arrival> records, Inbox inbox) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> next :
                records.nextOffsets().entrySet()) {
            int partition = index(next.getKey());
            if (work != null) {
                for (ConsumerRecord<@Nullable Integer, Arrival> record : records.records(next.getKey())) {
                    work.add(next.getKey(), record, deserializer.of(record));
                }
            } else if (take(records.records(next.getKey()), next.getKey(), partition, inbox)) {
                inbox.position(partition, next.getValue().offset());
            } else {
                // Rejected records remain unread, and a later fetch returns them.
                consumer.seek(next.getKey(), inbox.stands(partition));
            }
        }
    }

    private boolean take(
            List<ConsumerRecord<@Nullable Integer, Arrival>> records, TopicPartition of, int partition, Inbox inbox) {
        inbox.ahead(singly ? 1 : records.size());
        for (ConsumerRecord<@Nullable Integer, Arrival> record : records) {
            if (singly) {
                inbox.awaitRelease();
                if (inbox.closed()) {
                    return false;
                }
                inbox.arrived(clock.getAsLong());
                inbox.came();
            }
            Arrival arrival = deserializer.of(record);
            int bytes = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
            if (!inbox.take(partition, record.offset(), arrival, bytes)) {
                return false;
            }
            if (singly) {
                inbox.work(partition, arrival);
                if (commit == LoadSpec.Commit.EACH_RECORD) {
                    OffsetAndMetadata next = new OffsetAndMetadata(record.offset() + 1);
                    commit(inbox, () -> consumer.commitSync(Map.of(of, next)));
                }
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
            try {
                inbox.skipTo(index(partition), consumer.position(partition, Duration.ZERO));
            } catch (TimeoutException away) {
                // The position cannot move while the partition has no leader.
            }
        }
    }

    private int index(TopicPartition partition) {
        return partitions.index(partition);
    }

    private void leave(Inbox inbox) {
        if (inbox.leaving().how() != ReaderChange.How.KILL) {
            close();
            return;
        }
        metrics.keep();
        if (commit == LoadSpec.Commit.AUTO) {
            // Closing commits the positions, and a killed reader commits nothing.
            consumer.committed(consumer.assignment()).forEach((partition, committed) -> {
                if (committed != null) {
                    consumer.seek(partition, committed);
                }
            });
        }
        consumer.close(
                CloseOptions.timeout(REMAIN).withGroupMembershipOperation(GroupMembershipOperation.REMAIN_IN_GROUP));
        left = true;
    }

    @Override
    public void close() {
        if (left) {
            return;
        }
        left = true;
        metrics.keep();
        // Closing waits for a running fetch, 0.5 s by default. Only a group member must announce that it leaves.
        consumer.close(
                CloseOptions.timeout(topics.isEmpty() ? Duration.ZERO : LEAVE).withGroupMembershipOperation(leaving));
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
            long now = clock.getAsLong();
            partitions.forEach(partition -> inbox.activity().owns(partition.toString(), now));
            if (!fetching) {
                consumer.pause(partitions);
            }
            report("got", partitions);
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
            if (work != null) {
                work.drop(partitions);
                finish(work, inbox);
                work.forget(partitions);
            }
            partitions.forEach(partition -> inbox.revoked(index(partition)));
            mine.removeAll(partitions);
            report(what, partitions);
        }

        private void report(String what, Collection<TopicPartition> partitions) {
            inbox.activity().rebalanced(mine.size(), clock.getAsLong());
            events.accept("rebalance: reader " + inbox.reader() + " " + what + " " + partitions.size() + " partitions");
        }
    }

    /** A deserializer that keeps only the hash of a key. */
    private static final class KeyHashDeserializer implements Deserializer<@Nullable Integer> {
        @Override
        public @Nullable Integer deserialize(String topic, Headers headers, @Nullable ByteBuffer key) {
            return key == null ? null : Integer.valueOf(key.hashCode());
        }

        @Override
        public @Nullable Integer deserialize(String topic, byte @Nullable [] key) {
            return key == null ? null : Integer.valueOf(Arrays.hashCode(key));
        }
    }
}
