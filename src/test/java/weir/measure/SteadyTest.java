package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weir.judge.caveat.Drift;

class SteadyTest {
    private static final int NEVER = 300;

    private static double noLatency(int window) {
        return Double.NaN;
    }

    /** Returns the number of windows after which the load is steady. */
    private static int settled(IntToDoubleFunction throughput, IntToDoubleFunction latency) {
        Steady steady = new Steady();
        for (int window = 0; window < NEVER; window++) {
            if (steady.add(throughput.applyAsDouble(window), latency.applyAsDouble(window))) {
                return window + 1;
            }
        }
        return NEVER;
    }

    private static IntToDoubleFunction noisy(IntToDoubleFunction level, double noise, long seed) {
        Random random = new Random(seed);
        return window -> level.applyAsDouble(window) * (1 + noise * random.nextGaussian());
    }

    @Test
    void aConstantLoadIsSteadyAfterTenWindows() {
        assertThat(settled(window -> 5000, window -> 3)).isEqualTo(10);
        assertThat(settled(window -> 5000, SteadyTest::noLatency)).isEqualTo(10);
    }

    @Test
    void aNoisyConstantLoadIsSteadySoon() {
        for (int seed = 0; seed < 200; seed++) {
            int after = settled(noisy(window -> 5000, 0.05, seed), noisy(window -> 3, 0.08, seed + 1000));
            assertThat(after).as("seed %s", seed).isLessThanOrEqualTo(40);
        }
    }

    @Test
    void aWarmUpIsSteadyOnlyNearItsEnd() {
        for (int tau : new int[] {5, 10, 20}) {
            for (int seed = 0; seed < 50; seed++) {
                IntToDoubleFunction level = window -> 1 - 0.8 * Math.exp(-(double) window / tau);
                int after = settled(noisy(level, 0.02, seed), SteadyTest::noLatency);
                // A drift of 5 % in ten windows is 90 % in the slowest window. Noise can hide a little more.
                assertThat(level.applyAsDouble(after))
                        .as("tau %s, seed %s", tau, seed)
                        .isGreaterThan(0.85);
                assertThat(after).isLessThan(NEVER);
            }
        }
    }

    @Test
    void aSteadyRateWithFallingLatencyIsNotSteady() {
        assertThat(settled(window -> 5000, window -> 10 - 0.2 * Math.min(window, 30)))
                .isBetween(30, 40);
    }

    @Test
    void latencyDriftBelowOneTenthMillisecondCountsAsSteady() {
        assertThat(settled(window -> 5000, window -> 0.2 + 0.001 * window)).isEqualTo(10);
    }

    @Test
    void aColdStartIsNotSteady() {
        // The seconds of a real producer's cold start, in thousands: five slow windows before the plateau.
        double[] thousands = {26, 69, 50, 83, 110};
        int after = settled(window -> window < thousands.length ? thousands[window] : 223, SteadyTest::noLatency);
        assertThat(after).isGreaterThanOrEqualTo(12);
    }

    @Test
    void singlePauseDoesNotRestartTheWarmUpWait() {
        assertThat(settled(window -> window == 7 ? 100 : 5000, window -> window == 7 ? 500 : 3))
                .isEqualTo(10);
    }

    @Test
    void noThroughputIsNeverSteady() {
        assertThat(settled(window -> 0, SteadyTest::noLatency)).isEqualTo(NEVER);
        assertThat(settled(window -> window % 9 == 0 ? 0 : 5000, SteadyTest::noLatency))
                .isEqualTo(NEVER);
    }

    @Test
    void windowsWithoutALatencyAmongOthersAreNotSteady() {
        assertThat(settled(window -> 5000, window -> window % 9 == 0 ? Double.NaN : 3))
                .isEqualTo(NEVER);
    }

    private static double[] series(int windows, IntToDoubleFunction level, double noise, long seed) {
        Random random = new Random(seed);
        return IntStream.range(0, windows)
                .mapToDouble(window -> level.applyAsDouble(window) * (1 + noise * random.nextGaussian()))
                .toArray();
    }

    /** Noise with memory: each window keeps the share {@code keeps} of the previous deviation. */
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
    void autocorrelatedNoiseSeldomCountsAsDrift() {
        assertThat(drifting(1_000, seed -> remembering(60, 0.1, 0.5, seed))).isLessThanOrEqualTo(10);
    }

    @Test
    void slowlyVaryingLoadSeldomDriftsOverFiveMinutes() {
        // Half of a deviation stays after seven seconds. A minute of this noise looks like a drift; five do not.
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
        // Five slow windows before the plateau, in thousands, as a real producer had them. Here each lasts two seconds.
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
    void negligibleChangeIsNoDrift() {
        assertThat(Drift.ofThroughput(series(60, window -> 1_000 + window, 0, 1))
                        .drifts())
                .isFalse();
        assertThat(Drift.ofLatency(series(60, window -> 0.4 + 0.01 * window, 0, 1))
                        .drifts())
                .isFalse();
    }

    @Test
    void shortPauseIsNoDrift() {
        assertThat(Drift.ofThroughput(series(60, window -> window > 52 && window < 57 ? 0 : 1_000, 0.02, 1))
                        .drifts())
                .isFalse();
    }

    @Test
    void tooFewOrMissingWindowsGiveNoDrift() {
        assertThat(Drift.ofThroughput(series(29, window -> 1_000 - 30 * window, 0, 1))
                        .drifts())
                .isFalse();
        assertThat(Drift.ofLatency(series(60, window -> Double.NaN, 0, 1)).drifts())
                .isFalse();
    }

    private static Canary of(boolean moreIsBetter, double... rounds) {
        return new Canary(
                "c",
                "x/s",
                moreIsBetter,
                0.1,
                java.util.Arrays.stream(rounds).boxed().toList());
    }

    @Test
    void theMedianOfNineRoundsLiesBetweenTheSecondAndTheEighth() {
        Canary canary = of(true, 90, 10, 50, 40, 60, 30, 70, 20, 80);
        assertThat(canary.median()).isEqualTo(50);
        assertThat(canary.low()).isEqualTo(20);
        assertThat(canary.high()).isEqualTo(80);
        assertThat(canary.noise()).isEqualTo(0.6);
    }

    @Test
    void fewRoundsSayNoMoreThanThatTheyWereSeen() {
        assertThat(of(true, 3, 1, 2).low()).isEqualTo(1);
        assertThat(of(true, 7).high()).isEqualTo(7);
        assertThat(of(true, 1, 2, 3, 4).median()).isEqualTo(2.5);
    }

    @Test
    void singleOutlierDoesNotChangeTheNoise() {
        assertThat(of(true, 100, 101, 99, 100, 102, 98, 100, 101, 3).noise()).isLessThan(0.03);
    }

    @Test
    void aStarvedMachineDiffersAndANoisyOneDoesNot() {
        Canary calm = of(true, 100, 101, 99, 100, 102, 98, 100, 101, 99);
        Canary starved = of(true, 61, 60, 62, 58, 60, 59, 61, 60, 90);
        Canary noisy = of(true, 61, 100, 62, 98, 60, 99, 61, 60, 100);
        Canary slightly = of(true, 94, 95, 93, 94, 95, 94, 93, 94, 95);
        assertThat(starved.differs(calm)).isTrue();
        assertThat(calm.differs(starved)).isTrue();
        assertThat(noisy.differs(calm)).isFalse();
        assertThat(slightly.differs(calm)).isFalse();
        assertThat(calm.differs(calm)).isFalse();
    }

    @Test
    void theIntervalHoldsTheTrueMedianAtLeast95TimesOf100() {
        SplittableRandom random = new SplittableRandom(7);
        int held = 0;
        for (int experiment = 0; experiment < 2_000; experiment++) {
            // Skewed, like times on a busy machine. The median of 1 + an exponential is 1 + ln 2.
            List<Double> rounds = IntStream.range(0, 9)
                    .mapToObj(i -> 1 - Math.log(1 - random.nextDouble()))
                    .toList();
            Canary canary = new Canary("c", "ms", false, 0.1, rounds);
            held += canary.low() <= 1 + Math.log(2) && canary.high() >= 1 + Math.log(2) ? 1 : 0;
        }
        assertThat(held).isBetween(1_900, 1_960);
    }

    @Test
    void seriesRefusesMissingFigures() {
        assertThatThrownBy(() -> of(true, 1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of(true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of(true, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
