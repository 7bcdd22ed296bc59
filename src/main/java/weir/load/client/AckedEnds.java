package weir.load.client;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The offset behind the last record that one producer had acknowledged, by partition; 0 where there was none, and all the
 * time with acks=0, which brings no offsets. Written by one thread, read by any.
 */
final class AckedEnds {
    private final int[] first;
    private final AtomicLongArray ends;

    /** {@code partitions} stand topic by topic. */
    AckedEnds(List<String> topics, List<TopicPartition> partitions) {
        this.first = new int[topics.size()];
        for (int topic = 0; topic < first.length; topic++) {
            first[topic] = partitions.indexOf(new TopicPartition(topics.get(topic), 0));
        }
        this.ends = new AtomicLongArray(partitions.size());
    }

    void acked(int topic, RecordMetadata metadata) {
        if (metadata.hasOffset()) {
            int index = first[topic] + metadata.partition();
            if (metadata.offset() >= ends.getPlain(index)) {
                ends.setRelease(index, metadata.offset() + 1);
            }
        }
    }

    /** Raises {@code known} to what was acknowledged here. */
    void raise(long[] known) {
        for (int i = 0; i < known.length; i++) {
            known[i] = Math.max(known[i], ends.getAcquire(i));
        }
    }
}
