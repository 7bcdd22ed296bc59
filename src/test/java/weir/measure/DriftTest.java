package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DriftTest {
    private static double[] series(int windows, IntToDoubleFunction level, double noise, long seed) {
        Random random = new Random(seed);
        return IntStream.range(0, windows)
                .mapToDouble(window -> level.applyAsDouble(window) * (1 + noise * random.nextGaussian()))
                .toArray();
    }

    /** Noise that remembers: each window keeps so much of the deviation of the one before. */
    private static double[] remembering(int windows, double noise, double keeps, long seed) {
        Random random = new Random(seed);
        double[] series = new double[windows];
        double deviation = 0;
        for (int window = 0; window < windows; window++) {
            deviation = keeps * deviation + Math.sqrt(1 - keeps * keeps) * noise * random.nextGaussian();
            series[window] = 1_000 * (1 + deviation);
        }
        return series;
    }

    private static long drifting(int of, java.util.function.LongFunction<double[]> series) {
        return IntStream.range(0, of)
                .filter(seed -> Drift.ofThroughput(series.apply(seed)).drifts())
                .count();
    }

    @Test
    void aStationarySeriesDriftsInLessThanOneOfAHundredSimulations() {
        for (int windows : new int[] {30, 60, 300}) {
            for (double noise : new double[] {0.02, 0.1, 0.3}) {
                assertThat(drifting(1_000, seed -> series(windows, window -> 1_000, noise, seed)))
                        .as("%s windows, noise %s", windows, noise)
                        .isLessThanOrEqualTo(10);
            }
        }
    }

    @Test
    void noiseThatRemembersSeldomLooksLikeDrift() {
        assertThat(drifting(1_000, seed -> remembering(60, 0.1, 0.5, seed))).isLessThanOrEqualTo(10);
    }

    @Test
    void whatWandersForTensOfSecondsMayDriftInAMinute() {
        // Half of a deviation is left after seven seconds: a minute of it is hardly to be told from a drift, five are.
        assertThat(drifting(1_000, seed -> remembering(60, 0.1, 0.9, seed))).isBetween(100L, 300L);
        assertThat(drifting(1_000, seed -> remembering(300, 0.1, 0.9, seed))).isLessThanOrEqualTo(20);
    }

    @Test
    void aSeriesThatFallsByAFifthIsFound() {
        assertThat(drifting(1_000, seed -> series(60, window -> 1_000 * (1 - 0.2 * window / 60), 0.03, seed)))
                .isGreaterThan(950);
        assertThat(drifting(1_000, seed -> series(300, window -> 1_000 * (1 - 0.2 * window / 300), 0.05, seed)))
                .isGreaterThan(850);
    }

    @Test
    void theColdStartOfARealProducerIsFound() {
        // Five slow windows before the plateau, in thousands, as a producer showed them; here each lasts two seconds.
        double[] thousands = {26, 69, 50, 83, 110};
        double[] series = IntStream.range(0, 30)
                .mapToDouble(window -> window < 10 ? thousands[window / 2] : 223)
                .toArray();
        Drift drift = Drift.ofThroughput(series);
        assertThat(drift.drifts()).isTrue();
        assertThat(drift.rises()).isTrue();
        assertThat(drift.first()).isEqualTo(69);
        assertThat(drift.last()).isEqualTo(223);
    }

    @Test
    void aQueueThatGrowsIsALatencyThatDrifts() {
        assertThat(Drift.ofLatency(series(60, window -> 5 + window, 0.1, 1)).drifts())
                .isTrue();
        assertThat(Drift.ofLatency(series(60, window -> 5, 0.1, 1)).drifts()).isFalse();
    }

    @Test
    void aChangeThatMattersToNobodyIsNone() {
        assertThat(Drift.ofThroughput(series(60, window -> 1_000 + window, 0, 1))
                        .drifts())
                .isFalse();
        assertThat(Drift.ofLatency(series(60, window -> 0.4 + 0.01 * window, 0, 1))
                        .drifts())
                .isFalse();
    }

    @Test
    void aPauseIsNoDrift() {
        assertThat(Drift.ofThroughput(series(60, window -> window > 52 && window < 57 ? 0 : 1_000, 0.02, 1))
                        .drifts())
                .isFalse();
    }

    @Test
    void tooFewWindowsAndMissingOnesSayNothing() {
        assertThat(Drift.ofThroughput(series(29, window -> 1_000 - 30 * window, 0, 1))
                        .drifts())
                .isFalse();
        assertThat(Drift.ofLatency(series(60, window -> Double.NaN, 0, 1)).drifts())
                .isFalse();
    }
}
