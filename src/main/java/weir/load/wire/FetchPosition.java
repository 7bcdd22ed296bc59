package weir.load.wire;

import org.jspecify.annotations.Nullable;
import weir.load.read.Inbox;
import weir.wire.TopicName;

/** One partition as its reader stands in it. */
final class FetchPosition {
    static final int UNKNOWN = -1;

    final int index;

    final LoadPartition partition;
    final TopicName topic;
    long next;
    /** The offset behind what an answer holds; the same as {@link #next} when all of it was read. */
    long through;

    long asked = UNKNOWN;
    boolean wanted;
    int lastEpoch = UNKNOWN;

    int leaderEpoch = UNKNOWN;
    long sessionOffset = UNKNOWN;

    int sessionLeaderEpoch = UNKNOWN;

    @Nullable FetchBroker source;

    long pausedNanos;
    /** True when somebody finds out where the partition begins and ends. */
    boolean astray;

    FetchPosition(int index, LoadPartition partition, long from, long now) {
        this.index = index;
        this.partition = partition;
        this.topic = new TopicName(partition.name(), partition.id());
        this.next = from;
        this.through = from;
        this.pausedNanos = now;
    }

    void goOn(long offset, Inbox inbox) {
        next = offset;
        through = offset;
        inbox.skipTo(index, offset);
    }

    boolean ready(long now) {
        return !astray && pausedNanos - now <= 0;
    }
}
