package weir.load.client;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import weir.load.engine.LogView;

/** The beginnings and ends of partitions, and the offsets of a group, as the cluster says. */
final class ClientOffsets implements AutoCloseable {
    private static final int PATIENCE_MS = 2_000;
    private static final int SETTLED_MS = 20_000;
    private static final long UNKNOWN = -1;

    private final Admin admin;
    private final IsolationLevel readers;

    /** {@code committed}: readers read committed records only. */
    ClientOffsets(Admin admin, boolean committed) {
        this.admin = admin;
        this.readers = committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED;
    }

    Map<String, TopicDescription> describe(List<String> topics) {
        return await(admin.describeTopics(topics).allTopicNames(), "asking for the topics " + topics);
    }

    /** The same, without waiting for it. */
    Map<String, KafkaFuture<TopicDescription>> describing(List<String> topics) {
        return admin.describeTopics(topics, new DescribeTopicsOptions().timeoutMs(PATIENCE_MS))
                .topicNameValues();
    }

    /** Where readers come to an end. -1, here and below, for a partition that nobody answers for soon enough. */
    long[] readable(List<TopicPartition> partitions) {
        return of(partitions, OffsetSpec.latest(), readers);
    }

    /** Where the log ends. */
    long[] ends(List<TopicPartition> partitions) {
        return of(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Where readers of committed records come to an end. */
    long[] stable(List<TopicPartition> partitions) {
        return of(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    long[] beginnings(List<TopicPartition> partitions) {
        return of(partitions, OffsetSpec.earliest(), readers);
    }

    private long[] of(List<TopicPartition> partitions, OffsetSpec which, IsolationLevel isolation) {
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
                // A leader may be away for a while; who needs to know asks again.
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
        } catch (ExecutionException nobody) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Where a group stands; where it never was, that is {@code otherwise}. */
    long[] committed(String group, List<TopicPartition> partitions, long[] otherwise) {
        Map<TopicPartition, OffsetAndMetadata> known = await(
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
                "asking where group '" + group + "' stands");
        long[] offsets = otherwise.clone();
        for (int i = 0; i < offsets.length; i++) {
            OffsetAndMetadata committed = known.get(partitions.get(i));
            offsets[i] = committed == null ? otherwise[i] : committed.offset();
        }
        return offsets;
    }

    // A commit returns before its markers are written, and until they are, a group stands where it stood before.
    /** Where a group stands once its transactions have ended; -1 where it never was, or one does not end. */
    long[] settled(String group, List<TopicPartition> partitions) {
        ListConsumerGroupOffsetsOptions options =
                new ListConsumerGroupOffsetsOptions().requireStable(true).timeoutMs(SETTLED_MS);
        long[] offsets = new long[partitions.size()];
        Arrays.fill(offsets, UNKNOWN);
        try {
            Map<TopicPartition, OffsetAndMetadata> known = admin.listConsumerGroupOffsets(group, options)
                    .partitionsToOffsetAndMetadata()
                    .get();
            for (int i = 0; i < offsets.length; i++) {
                OffsetAndMetadata committed = known.get(partitions.get(i));
                offsets[i] = committed == null ? UNKNOWN : committed.offset();
            }
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TimeoutException)) {
                throw new IllegalStateException("asking where group '" + group + "' stands: " + e.getCause(), e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return offsets;
    }

    /** Lets a group that has no members yet begin at these offsets. */
    void commit(String group, List<TopicPartition> partitions, long[] from) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int i = 0; i < from.length; i++) {
            offsets.put(partitions.get(i), new OffsetAndMetadata(from[i]));
        }
        await(admin.alterConsumerGroupOffsets(group, offsets).all(), "giving group '" + group + "' its start");
    }

    /** True when a group of at least so many members has shared out all of these partitions. */
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
