package weir.load.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.load.engine.TopicGone;
import weir.time.DaemonThreads;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerRefusal;
import weir.wire.Call;
import weir.wire.Endpoint;
import weir.wire.Metadata;

/**
 * The partitions and their leaders. A thread updates both from time to time, and after an error about a leader. {@link
 * #view} throws after a topic was deleted or recreated: the acked records are gone, and the load must not write to the
 * new topic.
 */
final class PartitionLeaders implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final BootstrapBroker contact;
    final List<String> topics;
    private final long ageMillis;
    private final long pauseMillis;
    private final LongSupplier clock;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final Map<String, Long> unknownSince = new HashMap<>();
    private volatile View view;
    private boolean asked;
    private volatile boolean closed;

    /** All leaders at one moment. A later view has a higher number. Added partitions come last. */
    record View(long number, List<LoadPartition> partitions, List<PartitionLeader> leaders, String ended) {
        View {
            partitions = List.copyOf(partitions);
            leaders = List.copyOf(leaders);
        }

        PartitionLeader leader(int partition) {
            return leaders.get(partition);
        }
    }

    /**
     * @param ageMillis the value of {@code metadata.max.age.ms}
     * @param pauseMillis the value of {@code retry.backoff.ms}
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
            first = contact.retry(this::whole, TIMEOUT, this.pauseMillis);
        } catch (IOException e) {
            throw new IllegalStateException("describing the topics " + topics + ": " + e.getMessage(), e);
        }
        this.view = new View(0, List.of(), List.of(), "");
        take(first);
        for (int topic = 0; topic < topics.size(); topic++) {
            int index = topic;
            if (view.partitions.stream().noneMatch(partition -> partition.topic() == index)) {
                throw new IllegalStateException("topic '" + topics.get(topic) + "' does not exist");
            }
        }
        this.thread = DaemonThreads.of("weir-leaders", () -> {
            while (awaitReason()) {
                ask();
            }
        });
        thread.start();
    }

    private Metadata whole(Call call, Duration limit) throws IOException {
        Metadata metadata = call.metadata(topics, limit);
        for (Metadata.Topic topic : metadata.topics()) {
            if (!topic.fault().none()) {
                String why = "topic '" + topic.name() + "': " + topic.fault().message();
                throw topic.fault().retriable()
                        ? new IOException(why)
                        : new BrokerRefusal(why, topic.fault().exception());
            }
        }
        return metadata;
    }

    /** Returns all partitions by topic, then added ones. The index of a partition never changes. */
    List<LoadPartition> partitions() {
        return view.partitions;
    }

    View view() {
        View now = view;
        if (!now.ended.isEmpty()) {
            throw new TopicGone(now.ended);
        }
        return now;
    }

    synchronized void outdated(View seen) {
        if (seen.number == view.number) {
            asked = true;
            notifyAll();
        }
    }

    void update() {
        ask();
        view();
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }

    private void ask() {
        try {
            take(contact.ask((call, limit) -> call.metadata(topics, limit)));
        } catch (IOException unanswered) {
            synchronized (this) {
                asked = true;
            }
        }
    }

    private boolean awaitReason() {
        try {
            // A broker may answer with outdated metadata just after a change.
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
        synchronized (this) {
            View before = view;
            List<LoadPartition> partitions = new ArrayList<>(before.partitions);
            String ended = before.ended;
            for (int index = 0; index < topics.size() && ended.isEmpty(); index++) {
                ended = add(index, byName.get(topics.get(index)), partitions);
            }
            List<PartitionLeader> leaders = new ArrayList<>();
            for (LoadPartition partition : partitions) {
                boolean added = leaders.size() >= before.leaders.size();
                PartitionLeader last = added ? PartitionLeader.none(-1) : before.leader(leaders.size());
                leaders.add(leader(partition, last, byName.get(partition.name()), metadata));
            }
            view = new View(before.number + 1, partitions, leaders, ended);
            // A partition without a leader waits for its election.
            asked |= leaders.stream().anyMatch(PartitionLeader::none);
        }
        listeners.forEach(Runnable::run);
    }

    private String add(int index, Metadata.@Nullable Topic topic, List<LoadPartition> partitions) {
        String name = topics.get(index);
        if (topic == null || topic.fault().is(Errors.UNKNOWN_TOPIC_OR_PARTITION)) {
            long now = clock.getAsLong();
            boolean sure = now - unknownSince.computeIfAbsent(name, first -> now) >= TopicGone.SURE_NANOS;
            return sure ? TopicGone.deleted(name) : "";
        }
        unknownSince.remove(name);
        if (!topic.fault().none()) {
            return "";
        }
        int known = 0;
        for (LoadPartition partition : partitions) {
            if (partition.topic() == index) {
                known++;
                if (!topic.id().equals(partition.id()) && !topic.id().equals(Uuid.ZERO_UUID)) {
                    return TopicGone.madeAgain(name);
                }
            }
        }
        for (int number = known; number < topic.partitions().size(); number++) {
            partitions.add(new LoadPartition(index, name, topic.id(), number));
        }
        return "";
    }

    private static PartitionLeader leader(
            LoadPartition partition, PartitionLeader last, Metadata.@Nullable Topic topic, Metadata metadata) {
        if (topic == null
                || !topic.fault().none()
                || partition.number() >= topic.partitions().size()) {
            return PartitionLeader.none(last.epoch());
        }
        Metadata.Partition reported = topic.partitions().get(partition.number());
        Endpoint at = metadata.brokers().get(reported.leader());
        if (reported.leaderEpoch() < last.epoch()) {
            return last;
        }
        return at == null
                ? PartitionLeader.none(reported.leaderEpoch())
                : new PartitionLeader(reported.leader(), at, reported.leaderEpoch());
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        DaemonThreads.join(thread, 5_000);
    }
}
