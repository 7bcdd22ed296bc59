package weir.load.wire;

import org.jspecify.annotations.Nullable;
import weir.load.read.Inbox;
import weir.wire.TopicName;

/** The position of a reader in one partition. */
final class FetchPosition {
    static final int UNKNOWN = -1;

    final int index;

    final LoadPartition partition;
    final TopicName topic;
    long next;
    /** The offset behind the last answer, equal to {@link #next} once all of it was read. */
    long through;

    long asked = UNKNOWN;
    boolean wanted;
    int lastEpoch = UNKNOWN;

    int leaderEpoch = UNKNOWN;
    long sessionOffset = UNKNOWN;

    int sessionLeaderEpoch = UNKNOWN;

    @Nullable FetchBroker source;

    long pausedNanos;
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
