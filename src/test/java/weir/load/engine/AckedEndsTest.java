package weir.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AckedEndsTest {
    @Test
    void furthestOfAllProducersIsToldAlsoForPartitionsThatWereAdded() {
        AckedEnds one = new AckedEnds(2);
        AckedEnds other = new AckedEnds(2);
        one.acked(0, 0, 4);
        one.acked(0, 0, 3);
        one.acked(1, 2, 9);
        other.acked(0, 0, 7);
        other.acked(1, 0, 0);
        assertThat(AckedEnds.of(
                        List.of("a-b", "c"), List.of(one, other), List.of("a-b-0", "c-2", "c-0", "c-3", "else-0")))
                .containsExactly(8, 10, 1, 0, 0);
        assertThat(one.partitions(1)).isEqualTo(3);
    }
}
