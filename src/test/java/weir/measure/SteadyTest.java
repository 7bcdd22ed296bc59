package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SteadyTest {
    private static final int NEVER = 300;

    private static double noLatency(int window) {
        return Double.NaN;
    }

    /** After how many windows it is steady. */
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
                // A drift of 5 % over ten windows is a level of 90 % at the slowest; noise can hide a little more.
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
    void aDriftBelowATenthOfAMillisecondDoesNotKeepAFastLoadWaiting() {
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
    void onePauseDoesNotStartTheWaitAgain() {
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
}
