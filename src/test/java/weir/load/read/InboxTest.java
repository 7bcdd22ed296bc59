package weir.load.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import weir.load.OneInbox;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.measure.Count;

/** The messages of two readers that share a partition. */
class InboxTest {
    private static final int RECORDS = 6;

    private final OneInbox load = OneInbox.ofShareGroup();
    private final Inbox first = shared(load.inbox);
    private final Inbox second = shared(load.another(Inbox.Counting.ARRIVALS));
    private final Arrival arrival = new Arrival();

    private static Inbox shared(Inbox inbox) {
        inbox.withoutPositions();
        return inbox;
    }

    private void poll(Inbox inbox, long... offsets) {
        inbox.arrived(System.nanoTime());
        for (long offset : offsets) {
            byte[] value = new byte[32];
            Identity.write(value, OneInbox.RUN_TAG, 0, offset, System.nanoTime());
            arrival.read(ByteBuffer.wrap(value));
            inbox.take(0, offset, arrival, value.length);
        }
        inbox.done(System.nanoTime());
    }

    @Test
    void recordThatAnotherReaderReleasedCountsOnce() {
        load.acked(0, RECORDS);
        poll(first, 0);
        poll(second, 1);
        second.handOver();
        // Offset 1 follows the last offset of the first reader, but the second reader had it.
        poll(first, 1, 2);
        poll(second, 4);
        second.handOver();
        poll(first, 3, 4, 5);
        second.settle();
        assertThat(load.balance(RECORDS).of(Count.ACQUIRED)).isEqualTo(RECORDS + 2);
        assertThat(load.received()).isEqualTo(RECORDS);
    }
}
