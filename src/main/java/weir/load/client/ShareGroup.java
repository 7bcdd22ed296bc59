package weir.load.client;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeShareGroupsOptions;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.admin.ShareMemberDescription;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A share group on the cluster: the offsets at which it starts, its members, and its progress. */
record ShareGroup(Admin admin, String name) {
    private static final int PATIENCE_MS = 2_000;
    private static final long NO_LAG = -1;

    /** Sets the offsets at which the group starts. The group must not have members yet. */
    void start(List<TopicPartition> partitions, long[] from) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (int i = 0; i < from.length; i++) {
            offsets.put(partitions.get(i), from[i]);
        }
        try {
            admin.alterShareGroupOffsets(name, offsets).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "setting the start offsets of share group '" + name + "': " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * Returns true if this number of members has partitions. A member gets them with a later heartbeat than that of its
     * joining.
     */
    boolean shared(List<TopicPartition> partitions, int members) {
        DescribeShareGroupsOptions options = new DescribeShareGroupsOptions().timeoutMs(PATIENCE_MS);
        Map<String, ShareGroupDescription> described =
                answer(admin.describeShareGroups(List.of(name), options).all());
        ShareGroupDescription description = described == null ? null : described.get(name);
        if (description == null || description.groupState() != GroupState.STABLE) {
            return false;
        }
        Set<TopicPartition> taken = new HashSet<>();
        int reading = 0;
        for (ShareMemberDescription member : description.members()) {
            Set<TopicPartition> own = member.assignment().topicPartitions();
            taken.addAll(own);
            reading += own.isEmpty() ? 0 : 1;
        }
        return reading >= members && taken.containsAll(partitions);
    }

    /**
     * Returns the offset of each partition before which the group is done; {@code known} without an answer. Brokers
     * store the start offset late, but know the number of records that the group has not completed.
     */
    long[] progress(List<TopicPartition> partitions, long[] ends, long[] known) {
        Map<TopicPartition, SharePartitionOffsetInfo> offsets = answer(admin.listShareGroupOffsets(
                        Map.of(name, new ListShareGroupOffsetsSpec().topicPartitions(partitions)),
                        new ListShareGroupOffsetsOptions().timeoutMs(PATIENCE_MS))
                .partitionsToOffsetInfo(name));
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

    private static <T> @Nullable T answer(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException away) {
            // The coordinator may be unavailable for a while; callers ask again.
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
