package weir.load.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import weir.load.OneInbox;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.measure.Balance;
import weir.measure.Count;

class ConsumerLagTest {
    private static final long SECOND = 1_000_000_000L;

    private final ReadPositions positions = new ReadPositions(new long[] {0, 0}, true);
    private final ConsumerLag lag = new ConsumerLag();
    private final OneInbox into = OneInbox.ofArrivals(1);
    private final Arrival arrival = new Arrival();
    private final byte[] identity = new byte[Identity.BYTES];
    private long offset;

    @Test
    void lagIsSummedAndTheWorstPartitionIsKept() {
        positions.next(0, 70);
        positions.next(1, 100);
        assertThat(lag.update(SECOND, new long[] {100, 110}, positions)).isTrue();
        assertThat(lag.records()).isEqualTo(40);
        assertThat(lag.worstRecords()).isEqualTo(30);
    }

    @Test
    void lagSecondsAreInterpolatedFromEndOffsetSamples() {
        positions.next(0, 1_000);
        lag.update(1 * SECOND, new long[] {1_000, 0}, positions);
        lag.update(2 * SECOND, new long[] {2_000, 0}, positions);
        positions.next(0, 1_500);
        lag.update(5 * SECOND, new long[] {5_000, 0}, positions);
        // Record 1,500 arrived half way between the readings at 1 s and 2 s.
        assertThat(lag.seconds()).isEqualTo(3.5, within(1e-6));
    }

    @Test
    void lagIsZeroAfterAllRecordsAreRead() {
        positions.next(0, 10);
        lag.update(SECOND, new long[] {20, 0}, positions);
        positions.next(0, 20);
        lag.update(2 * SECOND, new long[] {20, 0}, positions);
        assertThat(lag.records()).isZero();
        assertThat(lag.seconds()).isZero();
        assertThat(lag.most(0)).isEqualTo(10);
    }

    @Test
    void lagIsUnknownIfAnEndOffsetIsUnknown() {
        assertThat(lag.update(SECOND, new long[] {-1, -1}, positions)).isFalse();
        assertThat(lag.update(SECOND, new long[] {-1, 5}, positions)).isFalse();
        assertThat(lag.update(SECOND, new long[] {3, 5}, positions)).isTrue();
        assertThat(lag.records()).isEqualTo(8);
    }

    @Test
    void lagExcludesPartitionsOfOtherWorkers() {
        ReadPositions some = new ReadPositions(new long[] {0, 0}, false);
        some.assigned(0, 70, 3);
        lag.update(SECOND, new long[] {100, 5_000}, some);
        assertThat(lag.records()).isEqualTo(30);
        assertThat(lag.records(3, some)).isEqualTo(30);
        assertThat(lag.records(4, some)).isZero();
        some.revoked(0);
        assertThat(lag.records(3, some)).isZero();
    }

    /** Adds a batch of one producer's consecutive messages. */
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
    void onlyTheNewPartOfABatchCountsAsReceived() {
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
