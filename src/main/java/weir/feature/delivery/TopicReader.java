package weir.feature.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import weir.feature.delivery.Dispatcher.HeldEvent;
import weir.feature.delivery.Dispatcher.HeldEvent.OffsetMark;
import weir.feature.delivery.EventRequests.EventUse;
import weir.time.DaemonThreads;

/**
 * The reader of a topic for one subscriber, on its own thread. It assigns itself all partitions, which avoids
 * rebalances. It commits the offset of each partition's first unsettled event. It pauses a partition with too many
 * unsettled bytes in memory.
 */
final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    /** The poll timeout while a partition is paused, short because the end of a pause does not interrupt a poll. */
    private static final Duration PAUSED_POLL = Duration.ofMillis(5);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long COMMIT_NANOS = 1_000_000_000;
    private static final long POLL_NANOS = 1_000_000;

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final long memory;
    private final LongSupplier clock;
    private final Thread thread;
    private final EventCodec codec = new EventCodec();
    private final LongAdder settled = new LongAdder();

    private final AtomicLong heldBytes = new AtomicLong();
    private final Queue<CompletableFuture<Long>> questions = new ConcurrentLinkedQueue<>();
    /** The receiver of fetched records, called on the reading thread, in the order of each partition. */
    private volatile java.util.function.Consumer<HeldEvent> listener = event -> {};

    private volatile PartitionReading[] partitions = {};

    private volatile long heldLately = EventUse.UNKNOWN;
    private volatile String fault = "";
    private volatile boolean ended;
    /** The limit of a drain, which fetches nothing and waits for fetched records; the maximum without a drain. */
    private volatile long lastNanos = Long.MAX_VALUE;

    TopicReader(Consumer<byte[], byte[]> consumer, String topic, long memory, LongSupplier clock, String name) {
        this.consumer = consumer;
        this.topic = topic;
        this.memory = memory;
        this.clock = clock;
        this.thread = DaemonThreads.of(name, this::run);
    }

    void start(java.util.function.Consumer<HeldEvent> receiver) {
        listener = receiver;
        thread.start();
    }

    void settle(HeldEvent event) {
        int bytes = event.event.size();
        partitions[event.partition].settle(event.mark, bytes);
        heldBytes.addAndGet(-bytes);
        settled.increment();
    }

    private void run() {
        try {
            begin();
            read();
        } catch (WakeupException closed) {
            // No more answers are expected.
        } catch (RuntimeException e) {
            fault = "reading topic '" + topic + "' failed: " + e;
        } finally {
            ended = true;
            answer(EventUse.UNKNOWN);
        }
    }

    /** Begins each partition at its committed offset; without such an offset, at its first record. */
    private void begin() {
        List<TopicPartition> all = retried(this::known);
        if (all.isEmpty()) {
            throw new IllegalStateException("topic '" + topic + "' does not exist");
        }
        consumer.assign(all);
        Map<TopicPartition, OffsetAndMetadata> committed = retried(() -> consumer.committed(Set.copyOf(all), TIMEOUT));
        PartitionReading[] found = new PartitionReading[all.size()];
        for (TopicPartition each : all) {
            OffsetAndMetadata position = committed.get(each);
            if (position == null) {
                consumer.seekToBeginning(List.of(each));
            } else {
                consumer.seek(each, position.offset());
            }
        }
        for (TopicPartition each : all) {
            found[each.partition()] = new PartitionReading(each, retried(() -> consumer.position(each, TIMEOUT)));
        }
        partitions = found;
    }

    /** Adds new partitions of the topic from their first record. If no broker answers, a later call adds them. */
    private void grow() {
        PartitionReading[] before = partitions;
        List<TopicPartition> all;
        try {
            all = known();
        } catch (RetriableException away) {
            return;
        }
        if (all.size() <= before.length) {
            return;
        }
        consumer.assign(all);
        PartitionReading[] more = Arrays.copyOf(before, all.size());
        for (int number = before.length; number < more.length; number++) {
            TopicPartition added = new TopicPartition(topic, number);
            consumer.seek(added, 0);
            more[number] = new PartitionReading(added, 0);
        }
        partitions = more;
    }

    private List<TopicPartition> known() {
        List<PartitionInfo> known = consumer.partitionsFor(topic, TIMEOUT);
        return (known == null ? List.<PartitionInfo>of() : known)
                .stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
    }

    private <T> T retried(Supplier<T> question) {
        while (true) {
            try {
                return question.get();
            } catch (RetriableException away) {
                answer(EventUse.UNKNOWN);
                if (lastNanos != Long.MAX_VALUE) {
                    throw away;
                }
            }
        }
    }

    private void read() {
        long commitAt = clock.getAsLong() + COMMIT_NANOS;
        boolean paused = false;
        while (lastNanos == Long.MAX_VALUE) {
            take(consumer.poll(paused ? PAUSED_POLL : POLL));
            paused = pause();
            long now = clock.getAsLong();
            if (now >= commitAt) {
                commitAt = now + COMMIT_NANOS;
                commit();
                grow();
                heldLately = estimateHeld();
            }
            if (!questions.isEmpty()) {
                answer(countHeld());
            }
        }
        while (heldBytes.get() > 0 && clock.getAsLong() < lastNanos) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        commitLast();
    }

    private void take(ConsumerRecords<byte[], byte[]> fetched) {
        long now = clock.getAsLong();
        for (ConsumerRecord<byte[], byte[]> record : fetched) {
            PartitionReading from = partitions[record.partition()];
            CarriedEvent event = codec.read(record);
            OffsetMark mark = new OffsetMark(record.offset());
            int bytes = event.size();
            settled.add(from.fetched(mark, bytes));
            heldBytes.addAndGet(bytes);
            listener.accept(new HeldEvent(event, record.partition(), mark, now));
        }
    }

    private boolean pause() {
        boolean full = heldBytes.get() > memory;
        long share = Math.max(1, memory / Math.max(1, partitions.length));
        boolean any = false;
        for (PartitionReading each : partitions) {
            each.settledUpTo();
            boolean wanted = full || each.tooMuch(share);
            if (wanted && !each.paused) {
                consumer.pause(List.of(each.partition));
            } else if (!wanted && each.paused) {
                consumer.resume(List.of(each.partition));
            }
            each.paused = wanted;
            any |= wanted;
        }
        return any;
    }

    private Map<TopicPartition, OffsetAndMetadata> moved() {
        Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>();
        for (PartitionReading each : partitions) {
            long position = each.settledUpTo();
            if (position > each.committed) {
                moved.put(each.partition, new OffsetAndMetadata(position));
            }
        }
        return moved;
    }

    private void commit() {
        Map<TopicPartition, OffsetAndMetadata> moved = moved();
        if (!moved.isEmpty()) {
            consumer.commitAsync(moved, (offsets, fault) -> {
                // The next commit retries the failed positions.
                if (fault == null) {
                    committed(offsets);
                }
            });
        }
    }

    private void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> partitions[partition.partition()].committed = offset.offset());
    }

    private void commitLast() {
        Map<TopicPartition, OffsetAndMetadata> moved = moved();
        if (!moved.isEmpty()) {
            consumer.commitSync(moved, TIMEOUT);
            committed(moved);
        }
    }

    private long countHeld() {
        // Read first: an event that is settled in between must not lower the count.
        long gone = settled.sum();
        try {
            List<TopicPartition> all =
                    Arrays.stream(partitions).map(each -> each.partition).toList();
            Map<TopicPartition, Long> ends = consumer.endOffsets(all, TIMEOUT);
            long records = 0;
            for (PartitionReading each : partitions) {
                Long end = ends.get(each.partition);
                if (end == null) {
                    return EventUse.UNKNOWN;
                }
                records += end - each.begin;
            }
            return records - gone;
        } catch (RetriableException away) {
            return EventUse.UNKNOWN;
        }
    }

    private long estimateHeld() {
        long held = -settled.sum();
        for (PartitionReading each : partitions) {
            held += consumer.currentLag(each.partition).orElse(0) + each.next - each.begin;
        }
        return held;
    }

    private void answer(long held) {
        for (CompletableFuture<Long> next = questions.poll(); next != null; next = questions.poll()) {
            next.complete(held);
        }
    }

    CompletionStage<Long> held() {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        questions.add(answer);
        if (ended) {
            answer(EventUse.UNKNOWN);
        }
        return answer;
    }

    long heldLately() {
        return heldLately;
    }

    String fault() {
        return fault;
    }

    /** Stops fetching. Commits once all fetched records are settled, or at the deadline. */
    void drain(long deadlineNanos) {
        lastNanos = deadlineNanos;
    }

    void await(long deadlineNanos) {
        long left = deadlineNanos - clock.getAsLong() + COMMIT_NANOS;
        DaemonThreads.join(thread, Math.max(1, Duration.ofNanos(left).toMillis()));
    }

    @Override
    public void close() {
        lastNanos = Math.min(lastNanos, clock.getAsLong());
        consumer.wakeup();
        await(clock.getAsLong());
        if (ended || !thread.isAlive()) {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    /**
     * One partition for one subscriber: the offset before which all events are settled, and the unsettled events after
     * it. The reading thread owns it; event loops call only {@link #settle}.
     */
    static final class PartitionReading {
        private static final int MOST_MARKS = 100_000;

        private final TopicPartition partition;
        private final long begin;
        private final ArrayDeque<OffsetMark> marks = new ArrayDeque<>();
        private final AtomicLong heldBytes = new AtomicLong();
        private long next;
        private long committed;
        boolean paused;

        PartitionReading(TopicPartition partition, long begin) {
            this.partition = partition;
            this.begin = begin;
            this.next = begin;
            this.committed = begin;
        }

        /** Adds a record. Returns the number of offsets without a record before this one, as in compacted logs. */
        long fetched(OffsetMark mark, int bytes) {
            long missing = mark.offset - next;
            next = mark.offset + 1;
            marks.add(mark);
            heldBytes.addAndGet(bytes);
            return missing;
        }

        void settle(OffsetMark mark, int bytes) {
            heldBytes.addAndGet(-bytes);
            mark.settled = true;
        }

        long settledUpTo() {
            OffsetMark first = marks.peek();
            while (first != null && first.settled) {
                marks.remove();
                first = marks.peek();
            }
            return first == null ? next : first.offset;
        }

        /** True if it has more than its share. It is read again once it has at most half. */
        boolean tooMuch(long share) {
            long limit = paused ? share / 2 : share;
            int most = paused ? MOST_MARKS / 2 : MOST_MARKS;
            return heldBytes.get() > limit || marks.size() > most;
        }
    }
}
