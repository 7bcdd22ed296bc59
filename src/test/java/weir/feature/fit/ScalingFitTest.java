package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.measure.Interval;

class ScalingFitTest {
    private static final double[] PRODUCERS = {1, 3, 5, 10, 15};
    private static final double SHARE = 0.8;
    private static final int EXPERIMENTS = 400;
    /** {@code -Dfit.all=true} combines all truths, repeats and noises; by default half of the truths each. */
    private static final boolean ALL = Boolean.getBoolean("fit.all");

    private record Truth(double ofOne, double contention, double coherency) {
        double at(double count) {
            return ofOne * count / (1 + contention * (count - 1) + coherency * count * (count - 1));
        }

        double below() {
            double count = 1;
            while (at(count) > SHARE * count * ofOne && count < 1e4) {
                count += 1e-3;
            }
            return count < 1e4 ? count : Double.POSITIVE_INFINITY;
        }

        double peak() {
            return coherency == 0 ? Double.POSITIVE_INFINITY : Math.sqrt((1 - contention) / coherency);
        }
    }

    private static ScalingFit fit(Truth truth, double[] counts, int repeats, double noise, SplittableRandom random) {
        double[] all = Arrays.stream(counts)
                .flatMap(count -> DoubleStream.generate(() -> count).limit(repeats))
                .toArray();
        double[] rates = Arrays.stream(all)
                .map(count -> truth.at(count) * Math.exp(noise * random.nextGaussian()))
                .toArray();
        return ScalingFit.of(all, rates);
    }

    private static ScalingFit exact(Truth truth) {
        return fit(truth, PRODUCERS, 1, 0, new SplittableRandom(1));
    }

    @Test
    void scalingLawIsExactWithoutNoise() {
        Truth truth = new Truth(200_000, 0.05, 0.004);
        ScalingFit fit = exact(truth);
        assertThat(fit.rateOfOne().value()).isCloseTo(200_000, within(0.1));
        assertThat(fit.contention().value()).isCloseTo(0.05, within(1e-6));
        assertThat(fit.coherency().value()).isCloseTo(0.004, within(1e-7));
        assertThat(fit.at(30).value()).isCloseTo(truth.at(30), within(1.0));
        assertThat(fit.below(SHARE).value()).isCloseTo(truth.below(), within(2e-3));
        assertThat(fit.peak().value()).isCloseTo(Math.sqrt(0.95 / 0.004), within(1e-3));
        assertThat(fit.at(10).value()).isCloseTo(truth.at(10), within(0.1));
    }

    @Test
    void scalingCoefficientsAreNeverNegative() {
        ScalingFit straight = exact(new Truth(100, 0, 0));
        assertThat(straight.contention().value()).isZero();
        assertThat(straight.coherency().value()).isZero();
        assertThat(straight.below(SHARE).value()).isInfinite();
        assertThat(straight.peak().value()).isInfinite();
        ScalingFit turns = exact(new Truth(100, 0.1, 0));
        assertThat(turns.coherency().value()).isCloseTo(0, within(1e-9));
        assertThat(turns.below(SHARE).value()).isCloseTo(3.5, within(1e-4));
        // The rate grows faster than N. No law with σ, κ ≥ 0 describes that, and the nearest law is a straight line.
        ScalingFit better = ScalingFit.of(new double[] {1, 2, 3, 4}, new double[] {100, 220, 350, 500});
        assertThat(better.contention().value()).isZero();
        assertThat(better.coherency().value()).isZero();
        assertThat(better.at(4).value()).isLessThan(500);
    }

    /** Returns shares of intervals with the truth: γ, σ, κ, efficiency and rate at 10 and 30, the 80 %, the peak. */
    private static double[] covered(Truth truth, double[] counts, int repeats, double noise) {
        SplittableRandom random = new SplittableRandom(7);
        double[] truths = {
            truth.ofOne(),
            truth.contention(),
            truth.coherency(),
            truth.at(10) / (10 * truth.ofOne()),
            truth.at(30) / (30 * truth.ofOne()),
            truth.at(10),
            truth.at(30),
            truth.below(),
            truth.peak()
        };
        double[] covered = new double[truths.length];
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            ScalingFit fit = fit(truth, counts, repeats, noise, random);
            Interval[] found = {
                fit.rateOfOne(),
                fit.contention(),
                fit.coherency(),
                fit.efficiency(10),
                fit.efficiency(30),
                fit.at(10),
                fit.at(30),
                fit.below(SHARE),
                fit.peak()
            };
            for (int i = 0; i < truths.length; i++) {
                double tolerance = truths[i] == Double.POSITIVE_INFINITY ? 0 : 1e-3 * truths[i] * noise;
                covered[i] += found[i].low() <= truths[i] + tolerance && truths[i] <= found[i].high() + tolerance
                        ? 1.0 / EXPERIMENTS
                        : 0;
            }
        }
        return covered;
    }

    @Test
    @Tag("long")
    void intervalsCoverTheTruthAtTheBounds() {
        int truths = 0;
        Set<String> checked = new HashSet<>();
        for (Truth truth : new Truth[] {
            new Truth(200_000, 0.05, 0.004),
            new Truth(200_000, 0, 0),
            new Truth(200_000, 0.1, 0),
            new Truth(200_000, 0, 0.01)
        }) {
            // Every second combination; the next truth uses the other combinations.
            int combination = truths++;
            for (int repeats : new int[] {1, 4}) {
                for (double noise : new double[] {0.02, 0.06, 0.15}) {
                    if (combination++ % 2 != 0 && !ALL) {
                        continue;
                    }
                    checked.add(repeats + ", " + noise);
                    double[] covered = covered(truth, PRODUCERS, repeats, noise);
                    assertThat(Arrays.stream(covered).min().orElseThrow())
                            .as("%s, %d repeats, noise of %s: %s", truth, repeats, noise, Arrays.toString(covered))
                            .isGreaterThanOrEqualTo(0.93);
                }
            }
        }
        assertThat(checked)
                .as("each number of repeats with each noise, for two truths at least")
                .hasSize(6);
    }

    @Test
    void fourCountsGiveIntervalsThatContainTheTruth() {
        double[] covered = covered(new Truth(200_000, 0.08, 0.01), new double[] {1, 2, 3, 4}, 2, 0.06);
        assertThat(Arrays.stream(covered).min().orElseThrow())
                .as(Arrays.toString(covered))
                .isGreaterThanOrEqualTo(0.93);
    }

    @Test
    void scalingIntervalsAreNarrow() {
        SplittableRandom random = new SplittableRandom(3);
        double share = 0;
        for (int experiment = 0; experiment < 200; experiment++) {
            Interval found = fit(new Truth(200_000, 0.05, 0.004), PRODUCERS, 4, 0.02, random)
                    .at(10);
            share += (found.high() - found.low()) / found.value() / 200;
        }
        assertThat(share).isBetween(0.01, 0.08);
    }

    @Test
    void poorlyFittingScalingLawHasWideIntervalsDespiteRepeats() {
        double[] counts = DoubleStream.of(1, 3, 5, 10, 15)
                .flatMap(count -> DoubleStream.generate(() -> count).limit(20))
                .toArray();
        double[] rates = Arrays.stream(counts)
                .map(count -> count == 5 ? 700 : 100 * count)
                .toArray();
        Interval found = ScalingFit.of(counts, rates).at(10);
        assertThat(found.high() / found.low()).isGreaterThan(1.2);
    }

    @Test
    void scalingRequiresFourCountsAndPositiveRates() {
        assertThat(ScalingFit.determined(new double[] {1, 2, 3, 3, 2})).isFalse();
        assertThat(ScalingFit.determined(new double[] {1, 2, 3, 4})).isTrue();
        assertThatThrownBy(() -> ScalingFit.of(new double[] {1, 2, 3}, new double[] {1, 2, 3}))
                .hasMessageContaining("3 different N");
        assertThatThrownBy(() -> ScalingFit.of(new double[] {0, 1, 2, 3}, new double[] {1, 2, 3, 4}))
                .hasMessageContaining("each count at least 1");
    }
}
