package weir.load.wire;

import weir.load.read.Inbox;
import weir.wire.TopicName;

/** The position of a reader in one partition. */
final class FetchPosition extends LedPartition {
    long next;
    /** The offset after the last answer. {@link #next} reaches it after the whole answer. */
    long through;

    long asked = UNKNOWN;
    boolean wanted;
    int lastEpoch = UNKNOWN;

    long sessionOffset = UNKNOWN;

    int sessionLeaderEpoch = UNKNOWN;

    long pausedNanos;
    boolean outOfRange;

    FetchPosition(int index, LoadPartition partition, long from, long now) {
        super(index, partition, new TopicName(partition.name(), partition.id()));
        this.next = from;
        this.through = from;
        this.pausedNanos = now;
    }

    void continueAt(long offset, Inbox inbox) {
        next = offset;
        through = offset;
        inbox.skipTo(index, offset);
    }

    boolean ready(long now) {
        return !outOfRange && pausedNanos - now <= 0;
    }
}
