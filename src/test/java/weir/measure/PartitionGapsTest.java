package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

    @Test
    void longestGapOfSeveralClientsCounts() {
        PartitionGaps other = new PartitionGaps();
        came(0, 0, 100);
        other.came(0, 0, 200 * MILLI);
        assertThat(PartitionGaps.take(List.of(gaps, other), partition -> "t-" + partition))
                .containsExactly(gap("t-0", 200, 200));
    }
}
