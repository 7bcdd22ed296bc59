package weir.feature.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RenderPacingTest {
    private static final long SECOND = 1_000_000_000L;

    private final RenderTurns pacing = new RenderTurns(() -> 0);
    private long now = 5 * SECOND;

    /** The time that passes until reports have been made for so long, each as soon as it may be. */
    private double share(long tookNanos, int reports, boolean urgent) {
        long began = now;
        for (int i = 0; i < reports; i++) {
            now += pacing.waits(now, urgent);
            pacing.made(now, tookNanos, 1_000);
        }
        return (double) tookNanos * reports / (now - began);
    }

    @Test
    void theFirstReportIsMadeAtOnce() {
        assertThat(pacing.waits(now, false)).isZero();
    }

    @Test
    void aReportThatCostsLittleIsMadeEachFewSecondsAndSoonerWhenSomethingHappened() {
        pacing.made(now, SECOND / 100, 1_000);
        assertThat(pacing.waits(now, false)).isEqualTo(5 * SECOND);
        assertThat(pacing.waits(now, true)).isEqualTo(SECOND);
        assertThat(pacing.waits(now + 2 * SECOND, true)).isZero();
    }

    @Test
    void theFirstOnesWhichAreSlowDoNotHoldUpTheOthers() {
        pacing.made(now, SECOND, 300_000);
        assertThat(pacing.waits(now, true)).isEqualTo(SECOND);
    }

    @Test
    void onTheLongRunMakingReportsTakesAHundredthOfACore() {
        pacing.made(now, RenderTurns.AHEAD.toNanos(), 0);
        assertThat(share(2 * SECOND, 50, true)).isCloseTo(0.01, within(0.001));
        assertThat(share(SECOND / 10, 500, true)).isCloseTo(0.01, within(0.001));
    }

    @Test
    void handingOutIsCountedAndDoesNotPutOffTheNextByItself() {
        pacing.made(now, RenderTurns.AHEAD.toNanos(), 0);
        assertThat(pacing.waits(now, true)).isEqualTo(SECOND);
        pacing.spent(now, SECOND);
        assertThat(pacing.waits(now, true)).isEqualTo(100 * SECOND);
        pacing.spent(now + 100 * SECOND, 0);
        assertThat(pacing.waits(now + 100 * SECOND, false)).isZero();
    }

    @Test
    void whoeverMissesSecondsDoesNotWaitUntilReportsArePaidFor() {
        pacing.made(now, RenderTurns.AHEAD.toNanos() + 3 * SECOND, 0);
        assertThat(pacing.waits(now, true)).isEqualTo(300 * SECOND);
        assertThat(pacing.waitsOutOfTurn(now)).isEqualTo(RenderTurns.LOST.toNanos());
        assertThat(pacing.waitsOutOfTurn(now + RenderTurns.LOST.toNanos())).isZero();
    }

    @Test
    void sendingReportsTakesNoMoreThanThirtyKilobytesASecond() {
        pacing.made(now, 1, 1_000_000);
        pacing.made(now, 1, 3_000_000);
        assertThat(pacing.waits(now, true)).isEqualTo(Duration.ofSeconds(100).toNanos());
    }
}
