package weir.load.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import weir.wire.BootstrapBroker;
import weir.wire.Call;
import weir.wire.Endpoint;
import weir.wire.Metadata;
import weir.wire.TopicId;

/**
 * The leaders of all partitions. They are asked for again on a thread of its own, from time to time and whenever
 * somebody found out that it is not so any more. The partitions stay those of the start.
 *
 * <p>When a topic was made again under its name, {@link #view} throws: what was acknowledged before is gone, and
 * nothing may be written into the other topic.
 */
final class PartitionLeaders implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final BootstrapBroker contact;
    private final List<String> topics;
    private final List<LoadPartition> partitions;
    private final long ageMillis;
    private final long pauseMillis;
    private final LongSupplier clock;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile View view;
    private boolean asked;
    private volatile boolean closed;

    /** All leaders at one moment; a later moment has a higher number. */
    record View(long number, List<PartitionLeader> leaders, String ended) {
        View {
            leaders = List.copyOf(leaders);
        }

        PartitionLeader leader(int partition) {
            return leaders.get(partition);
        }
    }

    /**
     * @param ageMillis as {@code metadata.max.age.ms}
     * @param pauseMillis as {@code retry.backoff.ms}
     */
    PartitionLeaders(
            BootstrapBroker contact, List<String> topics, long ageMillis, long pauseMillis, LongSupplier clock) {
        this.contact = contact;
        this.topics = List.copyOf(topics);
        this.ageMillis = ageMillis;
        this.pauseMillis = Math.max(1, pauseMillis);
        this.clock = clock;
        Metadata first;
        try {
            first = contact.insist(this::whole, PATIENCE, this.pauseMillis);
        } catch (IOException e) {
            throw new IllegalStateException("asking for the topics " + topics + ": " + e.getMessage(), e);
        }
        this.partitions = partitions(first);
        this.view = new View(
                0, partitions.stream().map(any -> PartitionLeader.none(-1)).toList(), "");
        take(first);
        this.thread = new Thread(this::keep, "weir-leaders");
        thread.setDaemon(true);
        thread.start();
    }

    private Metadata whole(Call call, Duration limit) throws IOException {
        Metadata metadata = call.metadata(topics, limit);
        for (Metadata.Topic topic : metadata.topics()) {
            if (!topic.fault().none()) {
                throw new IOException(
                        "topic '" + topic.name() + "': " + topic.fault().message());
            }
        }
        return metadata;
    }

    private List<LoadPartition> partitions(Metadata metadata) {
        Map<String, Metadata.Topic> byName = new HashMap<>();
        metadata.topics().forEach(topic -> byName.put(topic.name(), topic));
        List<LoadPartition> all = new ArrayList<>();
        for (int index = 0; index < topics.size(); index++) {
            Metadata.Topic topic = byName.get(topics.get(index));
            if (topic == null) {
                throw new IllegalStateException("there is no topic '" + topics.get(index) + "'");
            }
            for (int number = 0; number < topic.partitions().size(); number++) {
                all.add(new LoadPartition(index, topic.name(), topic.id(), number));
            }
        }
        return List.copyOf(all);
    }

    /** All partitions, topic by topic: elsewhere they go by their index here. */
    List<LoadPartition> partitions() {
        return partitions;
    }

    /** From any thread, at the price of a volatile read. */
    View view() {
        View now = view;
        if (!now.ended.isEmpty()) {
            throw new IllegalStateException(now.ended);
        }
        return now;
    }

    /** Reports that this view no longer holds and asks for a newer one. */
    synchronized void outdated(View seen) {
        if (seen.number == view.number) {
            asked = true;
            notifyAll();
        }
    }

    /** Called, on the thread here, after every change. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }

    private void keep() {
        while (awaitReason()) {
            try {
                take(contact.ask((call, limit) -> call.metadata(topics, limit)));
            } catch (IOException nobody) {
                again();
            }
        }
    }

    private synchronized void again() {
        asked = true;
    }

    private boolean awaitReason() {
        try {
            // Never twice in a row without a pause: whoever is told of a change may find it as old as the one before.
            Thread.sleep(pauseMillis);
            return awaitAsked(clock.getAsLong() + (ageMillis - pauseMillis) * 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized boolean awaitAsked(long endNanos) throws InterruptedException {
        long left = 1;
        while (!asked && !closed && left > 0) {
            left = (endNanos - clock.getAsLong()) / 1_000_000;
            wait(Math.max(1, left));
        }
        asked = false;
        return !closed;
    }

    private void take(Metadata metadata) {
        contact.know(metadata.brokers().values());
        Map<String, Metadata.Topic> byName = new HashMap<>();
        metadata.topics().forEach(topic -> byName.put(topic.name(), topic));
        List<PartitionLeader> leaders = new ArrayList<>();
        String ended = "";
        boolean some = true;
        for (int i = 0; i < partitions.size(); i++) {
            LoadPartition partition = partitions.get(i);
            PartitionLeader before = view.leader(i);
            Metadata.Topic topic = byName.get(partition.name());
            if (topic == null
                    || !topic.fault().none()
                    || partition.number() >= topic.partitions().size()) {
                leaders.add(PartitionLeader.none(before.epoch()));
                some = false;
                continue;
            }
            if (!topic.id().equals(partition.id()) && !topic.id().equals(TopicId.NONE)) {
                ended = "topic '" + partition.name() + "' was deleted and made again while it was in use";
            }
            Metadata.Partition told = topic.partitions().get(partition.number());
            Endpoint at = metadata.brokers().get(told.leader());
            boolean older = told.leaderEpoch() < before.epoch();
            PartitionLeader now = at == null
                    ? PartitionLeader.none(told.leaderEpoch())
                    : new PartitionLeader(told.leader(), at, told.leaderEpoch());
            leaders.add(older ? before : now);
            some &= !now.none();
        }
        View next = new View(view.number + 1, leaders, ended);
        synchronized (this) {
            view = next;
            // A partition without a leader will get one.
            asked |= !some;
        }
        listeners.forEach(Runnable::run);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
