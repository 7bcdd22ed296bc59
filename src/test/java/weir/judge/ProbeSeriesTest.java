package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weir.measure.Reading;

class ProbeSeriesTest {
    /** The host is busy in the measured seconds 2, 3 and 4, and idle in the fifth, when all is drained. */
    private static final ProbeSeries SERIES = ProbeSeries.of(IntStream.rangeClosed(1, 6)
            .mapToObj(second -> new Reading(second, "host", "cpu.busy.percent", second < 5 ? 99 : 3))
            .toList());

    @Test
    void theSecondThatBeginsWhereATimeEndsIsNotInIt() {
        assertThat(SERIES.mean("host", "cpu.busy.percent", 2, 5)).isEqualTo(99);
        assertThat(SERIES.meanOfSums("host", "cpu.busy.percent", 2, 5)).isEqualTo(99);
        assertThat(SERIES.last("host", "cpu.busy.percent", 2, 5)).isEqualTo(99);
        assertThat(SERIES.values("host", "cpu.busy.percent", 2, 5)).hasSize(3);
    }
}
