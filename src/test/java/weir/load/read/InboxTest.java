package weir.load.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.load.OneInbox;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.measure.Balance;
import weir.measure.Count;

class InboxTest {
    private final OneInbox into = OneInbox.ofArrivals(1);
    private final Arrival arrival = new Arrival();
    private final byte[] identity = new byte[Identity.BYTES];
    private long offset;

    /** A batch of one producer's messages in a row. */
    private void batch(long first, int messages) {
        into.inbox.arrived(System.nanoTime());
        for (int i = 0; i < messages; i++) {
            Identity.write(identity, OneInbox.RUN_TAG, 0, first + i, System.nanoTime());
            arrival.read(identity);
            into.inbox.take(0, offset++, arrival, 40);
        }
        into.inbox.done(System.nanoTime());
    }

    @Test
    void ofABatchThatCameInPartBeforeTheRestIsReceived() {
        into.acked(0, 70_000);
        into.inbox.assigned(0, 0);
        batch(100, 50);
        batch(170, 30);
        // Across the end of a chunk of numbers.
        batch(65_500, 100);
        batch(90, 130);
        batch(65_490, 130);
        Balance balance = into.balance(offset);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(50 + 30 + 100 + 50 + 30);
        assertThat(into.received()).isEqualTo(balance.of(Count.RECEIVED));
        assertThat(balance.of(Count.DUPLICATED)).isEqualTo(50 + 30 + 100);
    }
}
