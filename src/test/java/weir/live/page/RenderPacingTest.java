package weir.live.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RenderPacingTest {
    private static final long NOW = 5_000_000_000L;

    private final RenderPacing pacing = new RenderPacing();

    private static long nanos(Duration time) {
        return time.toNanos();
    }

    @Test
    void theFirstReportIsMadeAtOnce() {
        assertThat(pacing.waits(NOW, false)).isZero();
    }

    @Test
    void aReportThatCostsLittleIsMadeEachFewSecondsAndSoonerWhenSomethingHappened() {
        pacing.made(NOW, nanos(Duration.ofMillis(10)), 1_000);
        assertThat(pacing.waits(NOW, false)).isEqualTo(nanos(Duration.ofSeconds(5)));
        assertThat(pacing.waits(NOW, true)).isEqualTo(nanos(Duration.ofSeconds(1)));
        assertThat(pacing.waits(NOW + nanos(Duration.ofSeconds(2)), true)).isZero();
    }

    @Test
    void makingReportsTakesNoMoreThanAFiftiethOfACore() {
        pacing.made(NOW, nanos(Duration.ofSeconds(2)), 1_000);
        assertThat(pacing.waits(NOW, true)).isEqualTo(nanos(Duration.ofSeconds(100)));
    }

    @Test
    void sendingReportsTakesNoMoreThanThirtyKilobytesASecond() {
        pacing.made(NOW, 1, 3_000_000);
        assertThat(pacing.waits(NOW, true)).isEqualTo(nanos(Duration.ofSeconds(100)));
    }
}
