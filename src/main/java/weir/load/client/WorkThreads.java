package weir.load.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import weir.load.message.Arrival;
import weir.load.read.Inbox;
import weir.load.read.Work;
import weir.plan.ThreadsSpec;
import weir.time.DaemonThreads;

/**
 * The threads of one reader that work on records. The inbox gets the records of a partition in the order of their
 * offsets, so a record waits there until the work on all earlier ones has ended. The reader's thread calls all methods.
 */
final class WorkThreads implements AutoCloseable {
    private static final long LOOK_NANOS = 200_000;
    private static final long IDLE_MILLIS = 10;
    private static final long JOIN_MILLIS = 10_000;
    /** More keys than this are forgotten, because the check of their order needs memory. */
    private static final int MOST_KEYS = 100_000;

    private final Inbox inbox;
    private final LongSupplier clock;
    private final ThreadsSpec spec;
    private final List<BlockingQueue<Task>> queues = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<TopicPartition, Deque<Task>> unfinished = new HashMap<>();
    private final Map<Key, Long> ends = new HashMap<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    /** The records that are queued or in work. */
    int pending;

    private volatile boolean closed;
    private final BooleanSupplier ended = this::ended;

    private record Key(TopicPartition partition, int hash) {}

    private enum State {
        QUEUED,
        STARTED,
        DROPPED
    }

    private static final class Task {
        final ConsumerRecord<@Nullable Integer, Arrival> record;
        final Arrival arrival;
        final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
        long startNanos;
        long endNanos;
        volatile boolean done;

        Task(ConsumerRecord<@Nullable Integer, Arrival> record, Arrival arrival) {
            this.record = record;
            this.arrival = arrival;
        }
    }

    WorkThreads(Inbox inbox, ThreadsSpec spec, LongSupplier clock) {
        this.inbox = inbox;
        this.spec = spec;
        this.clock = clock;
        for (int i = 0; i < spec.count(); i++) {
            if (i == 0 || spec.by() != ThreadsSpec.By.ANY) {
                queues.add(new LinkedBlockingQueue<>());
            }
            BlockingQueue<Task> queue = queues.get(queues.size() - 1);
            Work work = inbox.workOf(i);
            Thread thread = DaemonThreads.of("weir-work-" + inbox.reader() + "-" + i, () -> run(queue, work));
            thread.setUncaughtExceptionHandler((died, why) -> failure.compareAndSet(null, why));
            threads.add(thread);
            thread.start();
        }
    }

    private boolean ended() {
        return closed;
    }

    private void run(BlockingQueue<Task> queue, Work work) {
        while (!closed) {
            Task task;
            try {
                task = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            inbox.awaitRelease();
            if (task != null && task.state.compareAndSet(State.QUEUED, State.STARTED)) {
                task.startNanos = clock.getAsLong();
                task.endNanos = work.perform(task.startNanos, ended);
                task.done = !closed;
            }
        }
    }

    void add(TopicPartition partition, ConsumerRecord<@Nullable Integer, Arrival> record, Arrival arrival) {
        Task task = new Task(record, arrival);
        unfinished.computeIfAbsent(partition, none -> new ArrayDeque<>()).add(task);
        pending++;
        int place = spec.by() == ThreadsSpec.By.ANY
                ? 0
                : spec.by() == ThreadsSpec.By.PARTITION || record.key() == null ? partition.hashCode() : record.key();
        queues.get(Math.floorMod(place, queues.size())).add(task);
    }

    /** Passes finished records to the inbox; returns the offsets after them, by partition. */
    Map<TopicPartition, OffsetAndMetadata> finish(ToIntFunction<TopicPartition> indexes) {
        Throwable why = failure.get();
        if (why != null) {
            throw new IllegalStateException("a thread that works on records died: " + why, why);
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        unfinished.forEach((partition, tasks) -> {
            for (Task task = tasks.peek(); task != null && task.done; task = tasks.peek()) {
                tasks.remove();
                pending--;
                finished(task, partition, indexes.applyAsInt(partition));
                offsets.put(partition, new OffsetAndMetadata(task.record.offset() + 1));
            }
        });
        return offsets;
    }

    private void finished(Task task, TopicPartition partition, int index) {
        inbox.arrived(task.startNanos);
        inbox.came();
        inbox.ahead(1);
        int bytes = Math.max(0, task.record.serializedKeySize()) + Math.max(0, task.record.serializedValueSize());
        if (inbox.take(index, task.record.offset(), task.arrival, bytes)) {
            inbox.worked(index, task.arrival, task.endNanos);
        }
        Integer hash = task.record.key();
        if (hash != null) {
            if (ends.size() >= MOST_KEYS) {
                ends.clear();
            }
            Long before = ends.put(new Key(partition, hash), task.endNanos);
            if (before != null && task.startNanos < before) {
                inbox.activity().overlapped();
            }
        }
    }

    /**
     * Drops the queued records of these partitions, and waits for those in work. The work on a record after a dropped
     * one does not count, because the next reader of the partition begins at the dropped record.
     */
    void drop(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Deque<Task> tasks = unfinished.getOrDefault(partition, new ArrayDeque<>());
            List<Task> kept = new ArrayList<>();
            List<Task> working = new ArrayList<>();
            boolean dropped = false;
            for (Task task : tasks) {
                boolean queued = task.state.compareAndSet(State.QUEUED, State.DROPPED);
                dropped |= queued;
                if (!dropped) {
                    kept.add(task);
                }
                if (!queued) {
                    working.add(task);
                }
            }
            while (failure.get() == null && !closed && working.stream().anyMatch(task -> !task.done)) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
            pending -= tasks.size() - kept.size();
            tasks.clear();
            tasks.addAll(kept);
        }
    }

    /** Forgets these partitions, after {@link #drop} and {@link #finish}. */
    void forget(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Deque<Task> rest = unfinished.remove(partition);
            pending -= rest == null ? 0 : rest.size();
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(thread -> DaemonThreads.join(thread, JOIN_MILLIS));
    }
}
