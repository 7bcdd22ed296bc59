package weir.bridge.delivery;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition as it is read for one subscriber: up to where all is settled, and what is held behind that. Belongs to the
 * thread that reads; only {@link #settle} is for the event loop.
 */
final class PartitionReading {
    /** Places that are kept behind one that is not settled. */
    private static final int MOST_MARKS = 100_000;

    private final TopicPartition partition;
    private final long begin;
    private final ArrayDeque<OffsetMark> marks = new ArrayDeque<>();
    private final AtomicLong heldBytes = new AtomicLong();
    /** The offset behind the last record that was fetched. */
    private long next;

    private long committed;
    private boolean paused;

    PartitionReading(TopicPartition partition, long begin) {
        this.partition = partition;
        this.begin = begin;
        this.next = begin;
        this.committed = begin;
    }

    TopicPartition partition() {
        return partition;
    }

    /** Where reading began. */
    long begin() {
        return begin;
    }

    /** The number of offsets from the begin to the last record that was fetched. */
    long passed() {
        return next - begin;
    }

    /**
     * Notes a record that was fetched.
     *
     * @return how many offsets before it hold no record, as with records that a log does without
     */
    long fetched(OffsetMark mark, int bytes) {
        long missing = mark.offset() - next;
        next = mark.offset() + 1;
        marks.add(mark);
        heldBytes.addAndGet(bytes);
        return missing;
    }

    /** An event is done with. */
    void settle(OffsetMark mark, int bytes) {
        heldBytes.addAndGet(-bytes);
        mark.settle();
    }

    /** The offset of the first record that is not settled. */
    long settledUpTo() {
        OffsetMark first = marks.peek();
        while (first != null && first.settled()) {
            marks.remove();
            first = marks.peek();
        }
        return first == null ? next : first.offset();
    }

    boolean idle() {
        return marks.isEmpty();
    }

    /** True when a position was not committed before. */
    boolean moved(long position) {
        return position > committed;
    }

    void commit(long position) {
        committed = position;
    }

    /** True when it holds more than its share, whose half it has to come down to before it is read again. */
    boolean tooMuch(long share) {
        long limit = paused ? share / 2 : share;
        int most = paused ? MOST_MARKS / 2 : MOST_MARKS;
        return heldBytes.get() > limit || marks.size() > most;
    }

    boolean paused() {
        return paused;
    }

    void pause(boolean now) {
        paused = now;
    }
}
