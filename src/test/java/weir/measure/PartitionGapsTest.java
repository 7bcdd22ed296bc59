package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import weir.measure.PartitionGaps.Gap;

class PartitionGapsTest {
    private static final long MILLI = 1_000_000;

    private final PartitionGaps gaps = new PartitionGaps();

    private void came(int partition, long sinceMillis, long nowMillis) {
        gaps.came(partition, sinceMillis * MILLI, nowMillis * MILLI);
    }

    private List<Gap> take() {
        return List.copyOf(PartitionGaps.take(List.of(gaps), partition -> "orders-" + partition));
    }

    private static Gap gap(String partition, long endMillis, long millis) {
        return new Gap(partition, endMillis * MILLI, millis * MILLI);
    }

    @Test
    void gapBeginsWithTheLastAckIfTheMessageWaitedLonger() {
        came(3, 0, 10);
        came(3, 5, 310);
        assertThat(take()).containsExactly(gap("orders-3", 310, 300));
    }

    @Test
    void gapBeginsWithTheMessageIfNothingWaitedSinceTheLastAck() {
        came(0, 0, 10);
        came(0, 5_000, 5_040);
        assertThat(take()).containsExactly(gap("orders-0", 5_040, 40));
    }

    @Test
    void messagesThatWaitedForTheSameAckAreOneGap() {
        came(0, 0, 10);
        came(0, 15, 510);
        came(0, 20, 511);
        came(0, 500, 512);
        assertThat(take()).containsExactly(gap("orders-0", 510, 495));
    }

    @Test
    void gapOfFailedMessagesLastsUntilTheNextAck() {
        came(0, 0, 10);
        gaps.failed(0, 20 * MILLI);
        gaps.failed(0, 900 * MILLI);
        came(0, 1_990, 2_000);
        assertThat(take()).containsExactly(gap("orders-0", 2_000, 1_980));
        came(0, 2_000, 2_001);
        assertThat(take()).isEmpty();
    }

    @Test
    void partitionsHaveGapsOfTheirOwnAndOnlyTheLongestIsKept() {
        came(0, 0, 10);
        came(1, 0, 10);
        came(0, 10, 100);
        came(1, 10, 60);
        came(0, 100, 150);
        assertThat(take()).containsExactlyInAnyOrder(gap("orders-0", 100, 90), gap("orders-1", 60, 50));
        assertThat(take()).isEmpty();
    }

    @Test
    void shortGapIsNotKept() {
        came(0, 0, 19);
        came(0, 0, 38);
        assertThat(take()).isEmpty();
    }

    /**
     * A simulated restart: a message is due every 10 ms, its ack takes some milliseconds, and the client tries again
     * every 50 ms while the partition has no leader from second 1 on.
     *
     * @return the longest gap in milliseconds
     */
    private static long simulated(Random random, long awayMillis) {
        PartitionGaps gaps = new PartitionGaps();
        long back = 1_000 + awayMillis;
        long last = 0;
        for (long due = 0; due < 20_000; due += 10) {
            long sent = due;
            while (sent >= 1_000 && sent < back) {
                sent += 50;
            }
            last = Math.max(last, sent + 1 + random.nextInt(8));
            gaps.came(0, due * MILLI, last * MILLI);
        }
        return PartitionGaps.take(List.of(gaps), partition -> "t-0").stream()
                .mapToLong(gap -> gap.nanos() / MILLI)
                .max()
                .orElse(0);
    }

    @Test
    void gapTellsASimulatedKillFromAControlledRestart() {
        Random random = new Random(7);
        int told = 0;
        for (int restart = 0; restart < 100; restart++) {
            boolean kill = restart % 2 == 1;
            // A controlled stop hands its leaderships over. After a kill, they move when the session of 3 s has ended.
            long away = kill ? 3_000 + random.nextInt(6_000) : 20 + random.nextInt(2_800);
            long gap = simulated(random, away);
            assertThat(gap).as("restart " + restart).isBetween(away - 20, away + 80);
            told += gap >= 2_950 == kill ? 1 : 0;
        }
        assertThat(told).isGreaterThanOrEqualTo(95);
    }

    @Test
    void longestGapOfSeveralClientsCounts() {
        PartitionGaps other = new PartitionGaps();
        came(0, 0, 100);
        other.came(0, 0, 200 * MILLI);
        assertThat(PartitionGaps.take(List.of(gaps, other), partition -> "t-" + partition))
                .containsExactly(gap("t-0", 200, 200));
    }
}
