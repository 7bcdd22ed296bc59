package weir.load.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.measure.PartitionGaps;

/**
 * The offset after the last acked record of one producer in each partition, and the gaps between acks. An offset is 0
 * without an acked record or with acks=0. One thread writes, any thread reads.
 */
public final class AckedEnds {
    private final AtomicReferenceArray<AtomicLongArray> byTopic;
    private final List<PartitionGaps> gaps;

    public AckedEnds(int topics) {
        this.byTopic = new AtomicReferenceArray<>(topics);
        this.gaps = Stream.generate(PartitionGaps::new).limit(topics).toList();
        for (int topic = 0; topic < topics; topic++) {
            byTopic.set(topic, new AtomicLongArray(0));
        }
    }

    /** Adds acked records up to this offset. {@code topic} is an index. */
    public void acked(int topic, int partition, long offset) {
        AtomicLongArray ends = byTopic.getPlain(topic);
        if (partition >= ends.length()) {
            AtomicLongArray more = new AtomicLongArray(partition + 1);
            for (int i = 0; i < ends.length(); i++) {
                more.setPlain(i, ends.getPlain(i));
            }
            byTopic.setRelease(topic, more);
            ends = more;
        }
        if (offset >= ends.getPlain(partition)) {
            ends.setRelease(partition, offset + 1);
        }
    }

    /** Returns the times without acks of a topic's partitions. */
    public PartitionGaps gaps(int topic) {
        return gaps.get(topic);
    }

    /** Returns the longest gap of each partition since the last call, over all producers. */
    public static List<PartitionGaps.Gap> gaps(List<String> topics, Collection<AckedEnds> producers) {
        return IntStream.range(0, topics.size())
                .boxed()
                .flatMap(topic -> PartitionGaps.take(
                        producers.stream().map(each -> each.gaps(topic)).toList(),
                        partition -> topics.get(topic) + "-" + partition)
                        .stream())
                .toList();
    }

    public int partitions(int topic) {
        return byTopic.getAcquire(topic).length();
    }

    /** Returns the highest ends of several producers for partitions with names such as {@code topic-0}. */
    public static long[] of(List<String> topics, Collection<AckedEnds> producers, List<String> partitions) {
        Map<String, Integer> indexes = new HashMap<>();
        topics.forEach(topic -> indexes.put(topic, indexes.size()));
        long[] ends = new long[partitions.size()];
        for (int i = 0; i < ends.length; i++) {
            String name = partitions.get(i);
            int dash = name.lastIndexOf('-');
            int topic = indexes.getOrDefault(name.substring(0, dash), -1);
            int number = Integer.parseInt(name, dash + 1, name.length(), 10);
            for (AckedEnds each : producers) {
                ends[i] = Math.max(ends[i], topic < 0 ? 0 : each.end(topic, number));
            }
        }
        return ends;
    }

    private long end(int topic, int partition) {
        AtomicLongArray ends = byTopic.getAcquire(topic);
        return partition < ends.length() ? ends.getAcquire(partition) : 0;
    }
}
