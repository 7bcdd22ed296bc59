package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import weir.measure.Interval;

class CostFitTest {
    private static final double[] RECORDS = {1, 10, 100, 1_000, 10_000};
    private static final double[] PARTITIONS = {1, 10, 50};
    private static final int EXPERIMENTS = 1_000;

    /** The counts of each trial: records and partitions. */
    private static double[][] cells(int repeats) {
        List<double[]> cells = new ArrayList<>();
        for (double records : RECORDS) {
            for (double partitions : PARTITIONS) {
                for (int repeat = 0; repeat < repeats; repeat++) {
                    cells.add(new double[] {records, partitions});
                }
            }
        }
        return cells.toArray(double[][]::new);
    }

    private static double cost(double[] counts) {
        return 10 + 0.02 * counts[0] + 0.5 * counts[1];
    }

    private static CostFit fit(double[][] counts, ToDoubleFunction<double[]> cost) {
        return CostFit.of(counts, Arrays.stream(counts).mapToDouble(cost).toArray());
    }

    @Test
    void costModelIsExactWithoutNoise() {
        CostFit fit = fit(cells(1), CostFitTest::cost);
        assertThat(fit.coefficient(0).value()).isCloseTo(10, within(1e-9));
        assertThat(fit.coefficient(1).value()).isCloseTo(0.02, within(1e-12));
        assertThat(fit.coefficient(2).value()).isCloseTo(0.5, within(1e-10));
        assertThat(fit.explained()).isCloseTo(1, within(1e-9));
        assertThat(fit.at(1_000, 10)).isCloseTo(35, within(1e-9));
        // 10 % of n × 0.02 is at least 10 + 50 × 0.5 from n = 17,500 on.
        assertThat(fit.smallest(0.1, 50).value()).isCloseTo(17_500, within(1e-4));
    }

    /** Returns how many intervals contain the truth: of three coefficients and of the smallest transaction. */
    private static double[] covered(int repeats, double noise) {
        SplittableRandom random = new SplittableRandom(5);
        double[][] counts = cells(repeats);
        double[] truth = {10, 0.02, 0.5, 15 / 0.002};
        double[] covered = new double[truth.length];
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            CostFit fit = fit(counts, at -> cost(at) * Math.exp(noise * gaussian(random)));
            for (int i = 0; i < truth.length; i++) {
                Interval found = i < 3 ? fit.coefficient(i) : fit.smallest(0.1, 10);
                covered[i] += found.low() <= truth[i] && truth[i] <= found.high() ? 1.0 / EXPERIMENTS : 0;
            }
        }
        return covered;
    }

    private static double gaussian(SplittableRandom random) {
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += random.nextDouble();
        }
        return sum;
    }

    @Test
    void costIntervalsContainTheTruth() {
        for (int repeats : new int[] {1, 2, 4}) {
            for (double noise : new double[] {0.02, 0.1}) {
                double[] covered = covered(repeats, noise);
                assertThat(Arrays.stream(covered).min().orElseThrow())
                        .as("%d repeats, noise of %s: %s", repeats, noise, Arrays.toString(covered))
                        .isGreaterThanOrEqualTo(0.93);
            }
        }
    }

    @Test
    void modelErrorOfACellWidensIntervalsDespiteRepeats() {
        // A step at many partitions, equal in every repeat, so the trials have no noise.
        ToDoubleFunction<double[]> cost = at -> cost(at) * (at[1] >= 50 ? 1.3 : at[0] == 100 ? 0.8 : 1);
        Interval once = fit(cells(1), cost).coefficient(2);
        Interval often = fit(cells(20), cost).coefficient(2);
        assertThat(often.high() - often.low()).isGreaterThan(0.9 * (once.high() - once.low()));
    }

    @Test
    void costThatDoesNotGrowHasNoSmallestTransaction() {
        CostFit fit = fit(cells(2), at -> 10 + 0.5 * at[1] - 0.0005 * at[0]);
        assertThat(fit.smallest(0.1, 1).value()).isNaN();
        assertThat(fit.smallest(0.1, 1).high()).isNaN();
    }

    @Test
    void fitWithAsManyTrialsAsTermsHasNoIntervals() {
        double[][] three = {{1, 1}, {10, 1}, {1, 10}};
        assertThat(CostFit.determined(three)).isTrue();
        Interval alone = fit(three, CostFitTest::cost).coefficient(0);
        assertThat(alone.value()).isCloseTo(10, within(1e-6));
        assertThat(alone.low()).isNaN();
    }

    @Test
    void collinearCountsDetermineNoCosts() {
        assertThat(CostFit.determined(new double[][] {{1, 2}, {10, 20}, {100, 200}}))
                .isFalse();
        assertThat(CostFit.determined(new double[][] {})).isFalse();
    }
}
