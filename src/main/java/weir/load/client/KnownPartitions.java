package weir.load.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.load.engine.Consuming;
import weir.load.engine.TopicGone;

/** The partitions of the load's topics, topic by topic, then partitions that are added later. Safe for many threads. */
final class KnownPartitions {
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private final Map<String, Uuid> ids = new HashMap<>();
    private final Map<TopicPartition, Integer> indexes = new ConcurrentHashMap<>();
    private final int atStart;
    volatile List<TopicPartition> all = List.of();

    private final Supplier<Map<String, KafkaFuture<TopicDescription>>> question;
    private final LongSupplier clock;
    private final Map<String, Long> unknownSince = new HashMap<>();
    private Map<String, KafkaFuture<TopicDescription>> asked = Map.of();
    private long askedNanos;

    KnownPartitions(
            List<String> topics,
            Map<String, TopicDescription> described,
            Supplier<Map<String, KafkaFuture<TopicDescription>>> question,
            LongSupplier clock) {
        this.question = question;
        this.clock = clock;
        this.askedNanos = clock.getAsLong();
        for (String topic : topics) {
            TopicDescription description = described.get(topic);
            if (description == null) {
                throw new IllegalStateException("topic '" + topic + "' does not exist");
            }
            ids.put(topic, description.topicId());
            learn(topic, description.partitions().size());
        }
        this.atStart = all.size();
    }

    int size() {
        return all.size();
    }

    int index(TopicPartition partition) {
        Integer known = indexes.get(partition);
        if (known == null) {
            learn(partition.topic(), partition.partition() + 1);
            known = indexes.get(partition);
        }
        return known == null ? -1 : known;
    }

    boolean wasThereAtStart(TopicPartition partition) {
        return index(partition) < atStart;
    }

    List<Integer> of(int reader, int readers, int from) {
        List<TopicPartition> now = all;
        List<Integer> mine = new ArrayList<>();
        for (int i = from; i < now.size(); i++) {
            if (Consuming.readerOf(i, now.get(i).toString(), atStart, readers) == reader) {
                mine.add(i);
            }
        }
        return mine;
    }

    synchronized void learn(String topic, int partitions) {
        if (partitions == 0 || indexes.containsKey(new TopicPartition(topic, partitions - 1))) {
            return;
        }
        List<TopicPartition> more = new ArrayList<>(all);
        for (int number = 0; number < partitions; number++) {
            TopicPartition partition = new TopicPartition(topic, number);
            if (!indexes.containsKey(partition)) {
                more.add(partition);
            }
        }
        int before = all.size();
        all = List.copyOf(more);
        for (int i = before; i < more.size(); i++) {
            indexes.put(more.get(i), i);
        }
    }

    /** Throws {@link TopicGone} if this is a new topic with the old name. */
    synchronized void learn(TopicDescription now) {
        // A topic never loses partitions. So fewer partitions with the same id are an outdated answer; without ids,
        // they show a new topic.
        boolean fewer = now.topicId().equals(Uuid.ZERO_UUID)
                && indexes.containsKey(
                        new TopicPartition(now.name(), now.partitions().size()));
        if (fewer || !now.topicId().equals(ids.get(now.name()))) {
            throw new TopicGone(TopicGone.madeAgain(now.name()));
        }
        learn(now.name(), now.partitions().size());
    }

    /** Asks from time to time for added partitions and missing topics; a later call handles the answer. */
    void refresh() {
        // A separate lock, so that other callers do not wait for brokers.
        synchronized (unknownSince) {
            if (!asked.values().stream().allMatch(KafkaFuture::isDone)) {
                return;
            }
            asked.forEach(this::update);
            asked = Map.of();
            long now = clock.getAsLong();
            if (!unknownSince.isEmpty() || now - askedNanos >= PAUSE_NANOS) {
                askedNanos = now;
                asked = question.get();
            }
        }
    }

    void ask() {
        synchronized (unknownSince) {
            question.get().forEach(this::update);
        }
    }

    private void update(String topic, KafkaFuture<TopicDescription> answer) {
        try {
            learn(answer.get());
            unknownSince.remove(topic);
        } catch (ExecutionException e) {
            // If brokers are unavailable, a later call asks again.
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                long now = clock.getAsLong();
                if (now - unknownSince.computeIfAbsent(topic, first -> now) >= TopicGone.SURE_NANOS) {
                    throw new TopicGone(TopicGone.deleted(topic));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The partitions that one consumer reads without a group. */
    static final class Share {
        private final KnownPartitions partitions;
        private final IntFunction<List<Integer>> indexes;
        private final long[] from;
        private int known;

        /**
         * @param indexes the indexes of these partitions, from an index on
         * @param from the first offsets; an added partition begins with its first record
         */
        Share(KnownPartitions partitions, IntFunction<List<Integer>> indexes, long[] from) {
            this.partitions = partitions;
            this.indexes = indexes;
            this.from = from.clone();
        }

        /** Assigns the partitions that are new since the last call; returns true if any partition is new. */
        boolean assign(Consumer<?, ?> consumer, BiConsumer<Integer, Long> assigned) {
            int before = known;
            known = partitions.size();
            if (known == before) {
                return false;
            }
            List<Integer> mine = indexes.apply(before).stream()
                    .filter(index -> index < known)
                    .toList();
            if (!mine.isEmpty()) {
                Set<TopicPartition> all = new HashSet<>(consumer.assignment());
                mine.forEach(index -> all.add(partitions.all.get(index)));
                consumer.assign(all);
            }
            for (int index : mine) {
                long at = index < from.length ? from[index] : 0;
                consumer.seek(partitions.all.get(index), at);
                assigned.accept(index, at);
            }
            return true;
        }
    }
}
