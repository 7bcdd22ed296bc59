package weir.load.client;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import weir.load.engine.LogView;

/** The start and end offsets of partitions, and the offsets of a group, from the brokers. */
final class ClientOffsets implements AutoCloseable {
    private static final int PATIENCE_MS = 2_000;
    private static final Duration SETTLED = Duration.ofSeconds(20);
    private static final long UNKNOWN = -1;

    final Admin admin;
    private final Map<String, Object> reader;
    final IsolationLevel readers;

    ClientOffsets(Admin admin, Map<String, Object> reader, boolean committed) {
        this.admin = admin;
        this.reader = reader;
        this.readers = committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED;
    }

    Map<String, TopicDescription> describe(List<String> topics) {
        return await(admin.describeTopics(topics).allTopicNames(), "describing the topics " + topics);
    }

    Map<String, KafkaFuture<TopicDescription>> describing(List<String> topics) {
        return admin.describeTopics(topics, new DescribeTopicsOptions().timeoutMs(PATIENCE_MS))
                .topicNameValues();
    }

    /** Returns offsets of these partitions; -1 for a partition without an answer in time. */
    long[] of(List<TopicPartition> partitions, OffsetSpec which, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        partitions.forEach(partition -> question.put(partition, which));
        ListOffsetsOptions options = new ListOffsetsOptions(isolation).timeoutMs(PATIENCE_MS);
        ListOffsetsResult answer = admin.listOffsets(question, options);
        long[] offsets = new long[partitions.size()];
        Arrays.fill(offsets, UNKNOWN);
        for (int i = 0; i < offsets.length; i++) {
            try {
                offsets[i] = answer.partitionResult(partitions.get(i)).get().offset();
            } catch (ExecutionException away) {
                // The leader may be unavailable for a while; callers retry.
                offsets[i] = UNKNOWN;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return offsets;
            }
        }
        if (Arrays.stream(offsets).allMatch(offset -> offset == UNKNOWN) && !anyBroker()) {
            Arrays.fill(offsets, LogView.NO_BROKER);
        }
        return offsets;
    }

    private boolean anyBroker() {
        try {
            var unused = admin.describeCluster(new DescribeClusterOptions().timeoutMs(PATIENCE_MS))
                    .clusterId()
                    .get();
            return true;
        } catch (ExecutionException unanswered) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    long[] committed(String group, List<TopicPartition> partitions, long[] otherwise) {
        return standing(ofGroup(group, consumer -> consumer.committed(Set.copyOf(partitions))), partitions, otherwise);
    }

    // A commit returns before its markers are written. Until then, brokers report earlier offsets of the group.
    /** Returns a group's offsets after its transactions; -1 for none, or if a transaction does not end. */
    long[] settled(String group, List<TopicPartition> partitions) {
        long[] unknown = new long[partitions.size()];
        Arrays.fill(unknown, UNKNOWN);
        try {
            return standing(
                    ofGroup(group, consumer -> consumer.committed(Set.copyOf(partitions), SETTLED)),
                    partitions,
                    unknown);
        } catch (TimeoutException unended) {
            return unknown;
        }
    }

    private static long[] standing(
            Map<TopicPartition, @Nullable OffsetAndMetadata> known, List<TopicPartition> partitions, long[] otherwise) {
        long[] offsets = otherwise.clone();
        for (int i = 0; i < offsets.length; i++) {
            OffsetAndMetadata committed = known.get(partitions.get(i));
            offsets[i] = committed == null ? otherwise[i] : committed.offset();
        }
        return offsets;
    }

    void commit(String group, List<TopicPartition> partitions, long[] from) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int i = 0; i < from.length; i++) {
            offsets.put(partitions.get(i), new OffsetAndMetadata(from[i]));
        }
        ofGroup(group, consumer -> {
            consumer.commitSync(offsets);
            return offsets;
        });
    }

    /**
     * Asks as a consumer outside of the group, and waits for open transactions. A consumer pauses between requests for
     * a coordinator; the admin client repeats them hundreds of times a second.
     */
    private <T> T ofGroup(String group, Function<KafkaConsumer<byte[], byte[]>, T> question) {
        Map<String, Object> properties = new HashMap<>(reader);
        properties.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return question.apply(consumer);
        }
    }

    boolean shared(String group, List<TopicPartition> partitions, int members) {
        DescribeConsumerGroupsOptions options = new DescribeConsumerGroupsOptions().timeoutMs(PATIENCE_MS);
        ConsumerGroupDescription description;
        try {
            description = admin.describeConsumerGroups(List.of(group), options)
                    .describedGroups()
                    .values()
                    .iterator()
                    .next()
                    .get();
        } catch (ExecutionException away) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        Set<TopicPartition> taken = new HashSet<>();
        description.members().forEach(member -> taken.addAll(member.assignment().topicPartitions()));
        return description.groupState() == GroupState.STABLE
                && description.members().size() >= members
                && taken.containsAll(partitions);
    }

    private static <T> T await(KafkaFuture<T> future, String doing) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(doing + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + doing, e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
