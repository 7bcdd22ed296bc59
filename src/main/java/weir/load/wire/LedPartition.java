package weir.load.wire;

import org.jspecify.annotations.Nullable;
import weir.wire.TopicName;

/** A partition that a sender writes or a reader reads, and the connection to its leader. */
abstract class LedPartition {
    static final int UNKNOWN = -1;

    final int index;

    final LoadPartition partition;
    final TopicName topic;
    int leaderEpoch = UNKNOWN;

    @Nullable LeaderConnection<?> leader;

    LedPartition(int index, LoadPartition partition, TopicName topic) {
        this.index = index;
        this.partition = partition;
        this.topic = topic;
    }
}
