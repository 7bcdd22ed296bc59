package weir.feature.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GrowthRateTest {
    private final MonitorCommand.GrowthRate growth = new MonitorCommand.GrowthRate();

    /** Adds one count each second. */
    private void grow(long... counts) {
        for (int second = 0; second < counts.length; second++) {
            growth.add(second, counts[second]);
        }
    }

    @Test
    void ratesBeginAtTheFirstChangeAndEndAtTheLast() {
        grow(7, 7, 7, 107, 207, 307, 350, 350, 350);
        assertThat(growth.growing())
                .as("the interval in which it stopped is none")
                .isEqualTo(3);
        assertThat(growth.idle()).isEqualTo(2);
        assertThat(growth.average()).isEqualTo(100);
        assertThat(growth.line()).isEqualTo(new MonitorCommand.GrowthRate.Line(100, 0));
    }

    @Test
    void growthCountIncludesTheLastSample() {
        grow(0, 10, 20);
        MonitorCommand.GrowthRate.Sample last = growth.add(3, 60);
        assertThat(last.sincePrevious()).isEqualTo(40);
        assertThat(last.sinceFirst()).isEqualTo(25);
        assertThat(growth.growing()).isEqualTo(3);
    }

    @Test
    void theLineAndItsStandardErrorAreThoseOfLeastSquares() {
        grow(0, 12, 19, 33, 38, 51);
        // Residuals of y = 9.7 x + 1.5: 0.8 -1.9 2.4 -2.3 1.0. The sum of their squares is 16.3; the sum of squares of
        // x around its mean is 10.
        assertThat(growth.line().slope()).isCloseTo(9.7, within(1e-9));
        assertThat(growth.line().error()).isCloseTo(Math.sqrt(16.3 / 3 / 10), within(1e-9));
    }

    @Test
    void aPauseInTheMiddleIsPartOfTheRate() {
        grow(0, 10, 10, 30);
        assertThat(growth.average()).isEqualTo(10);
    }

    @Test
    void lastIntervalCountsOnlyIfWritingContinues() {
        // 1,000/s for five seconds, which begin and end within an interval.
        grow(0, 700, 1_700, 2_700, 3_700, 4_700, 5_000, 5_000, 5_000);
        assertThat(growth.average()).isEqualTo(1_000);
        assertThat(growth.line()).isEqualTo(new MonitorCommand.GrowthRate.Line(1_000, 0));
        assertThat(growth.count()).isEqualTo(5_000);
        growth.add(9, 6_000);
        assertThat(growth.average()).as("then it was a pause").isEqualTo(5_300 / 8.0);
    }

    @Test
    void samplesOfACountThatNeverGrowsAreCountedToo() {
        growth.add(0, 5);
        assertThat(growth.add(1, 5).number()).isEqualTo(2);
        assertThat(growth.samples()).isEqualTo(2);
        assertThat(growth.growing()).isZero();
    }

    @Test
    void growthRateRequiresTwoGrowingSamples() {
        growth.add(0, 5);
        MonitorCommand.GrowthRate.Sample sample = growth.add(1, 6);
        assertThat(sample.sinceFirst()).isNaN();
        assertThat(sample.line().slope()).isNaN();
        assertThat(growth.idle()).isZero();
    }
}
