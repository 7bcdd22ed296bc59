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
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeShareGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
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

/** The start and end offsets of partitions, and the offsets and members of the load's group, from the brokers. */
final class ClientOffsets implements AutoCloseable {
    private static final int TIMEOUT_MS = 2_000;
    private static final Duration SETTLED = Duration.ofSeconds(20);
    private static final long UNKNOWN = -1;
    private static final long NO_LAG = -1;

    private final Admin admin;
    private final String group;
    private final Map<String, Object> reader;
    final IsolationLevel readers;

    ClientOffsets(Admin admin, String group, Map<String, Object> reader, boolean committed) {
        this.admin = admin;
        this.group = group;
        this.reader = reader;
        this.readers = committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED;
    }

    Map<String, TopicDescription> describe(List<String> topics) {
        return await(admin.describeTopics(topics).allTopicNames(), "describing the topics " + topics);
    }

    Map<String, KafkaFuture<TopicDescription>> describing(List<String> topics) {
        return admin.describeTopics(topics, new DescribeTopicsOptions().timeoutMs(TIMEOUT_MS))
                .topicNameValues();
    }

    /** Returns offsets of these partitions; -1 for a partition without an answer in time. */
    long[] of(List<TopicPartition> partitions, OffsetSpec which, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        partitions.forEach(partition -> question.put(partition, which));
        ListOffsetsOptions options = new ListOffsetsOptions(isolation).timeoutMs(TIMEOUT_MS);
        ListOffsetsResult answer = admin.listOffsets(question, options);
        long[] offsets = new long[partitions.size()];
        for (int i = 0; i < offsets.length; i++) {
            // The leader may be unavailable for a while; callers retry.
            var found = answer(answer.partitionResult(partitions.get(i)));
            offsets[i] = found == null ? UNKNOWN : found.offset();
        }
        if (Arrays.stream(offsets).allMatch(offset -> offset == UNKNOWN) && !anyBroker()) {
            Arrays.fill(offsets, LogView.NO_BROKER);
        }
        return offsets;
    }

    private boolean anyBroker() {
        DescribeClusterOptions options = new DescribeClusterOptions().timeoutMs(TIMEOUT_MS);
        boolean answered = answer(admin.describeCluster(options).nodes()) != null;
        return answered || Thread.currentThread().isInterrupted();
    }

    long[] committed(List<TopicPartition> partitions, long[] otherwise) {
        return standing(ofGroup(consumer -> consumer.committed(Set.copyOf(partitions))), partitions, otherwise);
    }

    // A commit returns before its markers are written. Until then, brokers report earlier offsets of the group.
    /** Returns the group's offsets after its transactions; -1 for none, or if a transaction does not end. */
    long[] settled(List<TopicPartition> partitions) {
        long[] unknown = new long[partitions.size()];
        Arrays.fill(unknown, UNKNOWN);
        try {
            return standing(
                    ofGroup(consumer -> consumer.committed(Set.copyOf(partitions), SETTLED)), partitions, unknown);
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

    void commit(List<TopicPartition> partitions, long[] from) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int i = 0; i < from.length; i++) {
            offsets.put(partitions.get(i), new OffsetAndMetadata(from[i]));
        }
        ofGroup(consumer -> {
            consumer.commitSync(offsets);
            return offsets;
        });
    }

    /**
     * Asks as a consumer outside of the group, and waits for open transactions. A consumer pauses between requests for
     * a coordinator; the admin client repeats them hundreds of times a second.
     */
    private <T> T ofGroup(Function<KafkaConsumer<byte[], byte[]>, T> question) {
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

    /** Sets the offsets at which the share group starts. The group must not have members yet. */
    void start(List<TopicPartition> partitions, long[] from) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (int i = 0; i < from.length; i++) {
            offsets.put(partitions.get(i), from[i]);
        }
        await(
                admin.alterShareGroupOffsets(group, offsets).all(),
                "setting the start offsets of share group '" + group + "'");
    }

    /**
     * Returns true if this number of members has joined the group, and its members have all partitions. A member of a
     * share group gets its partitions with a later heartbeat than that of its joining.
     */
    boolean shared(List<TopicPartition> partitions, int members, boolean shares) {
        List<Set<TopicPartition>> assigned = shares ? assignedToShareMembers() : assigned();
        Set<TopicPartition> taken = new HashSet<>();
        assigned.forEach(taken::addAll);
        return assigned.size() >= members && taken.containsAll(partitions);
    }

    private List<Set<TopicPartition>> assigned() {
        var options = new DescribeConsumerGroupsOptions().timeoutMs(TIMEOUT_MS);
        var described = answer(admin.describeConsumerGroups(List.of(group), options)
                .describedGroups()
                .get(group));
        return described == null || described.groupState() != GroupState.STABLE
                ? List.of()
                : described.members().stream()
                        .map(member -> member.assignment().topicPartitions())
                        .toList();
    }

    private List<Set<TopicPartition>> assignedToShareMembers() {
        var options = new DescribeShareGroupsOptions().timeoutMs(TIMEOUT_MS);
        var described = answer(admin.describeShareGroups(List.of(group), options)
                .describedGroups()
                .get(group));
        return described == null || described.groupState() != GroupState.STABLE
                ? List.of()
                : described.members().stream()
                        .map(member -> member.assignment().topicPartitions())
                        .filter(own -> !own.isEmpty())
                        .toList();
    }

    /**
     * Returns the offset of each partition before which the share group is done; {@code known} without an answer.
     * Brokers store the start offset late, but know the number of records that the group has not completed.
     */
    long[] progress(List<TopicPartition> partitions, long[] ends, long[] known) {
        Map<TopicPartition, SharePartitionOffsetInfo> offsets = answer(admin.listShareGroupOffsets(
                        Map.of(group, new ListShareGroupOffsetsSpec().topicPartitions(partitions)),
                        new ListShareGroupOffsetsOptions().timeoutMs(TIMEOUT_MS))
                .partitionsToOffsetInfo(group));
        long[] progress = known.clone();
        for (int i = 0; offsets != null && i < Math.min(known.length, partitions.size()); i++) {
            SharePartitionOffsetInfo info = offsets.get(partitions.get(i));
            if (info != null && ends[i] >= 0) {
                long lag = info.lag().orElse(NO_LAG);
                progress[i] = Math.max(known[i], lag == NO_LAG ? info.startOffset() : ends[i] - lag);
            }
        }
        return progress;
    }

    /** Returns null without an answer, because a broker may be unavailable for a while; callers ask again. */
    private static <T> @Nullable T answer(@Nullable KafkaFuture<T> future) {
        try {
            return future == null ? null : future.get();
        } catch (ExecutionException away) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
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
