package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WelchTest {
    private static final int EXPERIMENTS = 1000;

    /** Returns trials with a latency of 20 ms times {@code factor} that varies by {@code spread} between trials. */
    private static double[] trials(Random random, int repeats, double factor, double spread) {
        double[] values = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            values[i] = 20 * factor * Math.exp(spread * random.nextGaussian());
        }
        return values;
    }

    /** Compares trials that are {@code factor} times as slow with others. */
    private static Welch compared(Random random, int repeats, double factor, double spread) {
        return Welch.of(trials(random, repeats, factor, spread), trials(random, repeats, 1, spread));
    }

    private static double share(BooleanSupplier experiment) {
        return IntStream.range(0, EXPERIMENTS)
                        .filter(i -> experiment.getAsBoolean())
                        .count()
                / (double) EXPERIMENTS;
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 10})
    void theIntervalHoldsTheTruthNineteenTimesOfTwenty(int repeats) {
        Random random = new Random(repeats);
        double covered = share(() -> {
            Welch welch = Welch.of(trials(random, repeats, 1.3, 0.1), trials(random, repeats, 1, 0.2));
            return welch.low() <= 1.3 && 1.3 <= welch.high();
        });
        assertThat(covered).isBetween(0.93, 0.98);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 10})
    void equalVariantsAreCalledDifferentOnceInTwenty(int repeats) {
        Random random = new Random(repeats + 100);
        assertThat(share(() -> compared(random, repeats, 1, 0.15).p() < Welch.LEVEL))
                .isBetween(0.02, 0.07);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 10})
    void aVisibleDifferenceIsSeenInFourOfFiveRuns(int repeats) {
        Random random = new Random(repeats + 200);
        double visible = IntStream.range(0, EXPERIMENTS)
                .mapToDouble(i -> compared(random, repeats, 1, 0.1).visible())
                .average()
                .orElseThrow();
        assertThat(share(() -> compared(random, repeats, visible, 0.1).p() < Welch.LEVEL))
                .isBetween(0.7, 0.92);
    }

    @Test
    void welchMatchesAKnownExample() {
        // Computed by hand for the logs 1..4 and 2, 4, 6, 8: difference -2.5, error sqrt(5/12 + 5/3), 4.41 degrees of
        // freedom.
        double[] a = {Math.exp(1), Math.exp(2), Math.exp(3), Math.exp(4)};
        double[] b = {Math.exp(2), Math.exp(4), Math.exp(6), Math.exp(8)};
        Welch welch = Welch.of(a, b);
        assertThat(Math.log(welch.ratio())).isCloseTo(-2.5, within(1e-9));
        assertThat(welch.p()).isCloseTo(0.1511, within(0.0005));
        assertThat(Math.log(welch.low())).isCloseTo(-6.366, within(0.005));
        assertThat(Math.log(welch.high())).isCloseTo(1.366, within(0.005));
    }

    @Test
    void swappedSidesGiveTheInverseRatio() {
        Random random = new Random(1);
        double[] a = trials(random, 5, 1, 0.1);
        double[] b = trials(random, 7, 1.2, 0.3);
        Welch there = Welch.of(a, b);
        Welch back = Welch.of(b, a);
        assertThat(back.ratio()).isCloseTo(1 / there.ratio(), within(1e-12));
        assertThat(back.low()).isCloseTo(1 / there.high(), within(1e-9));
        assertThat(back.p()).isCloseTo(there.p(), within(1e-12));
        assertThat(back.visible()).isCloseTo(there.visible(), within(1e-9));
        assertThat(there.fewest()).isEqualTo(5);
    }

    @Test
    void welchRequiresFourTrialsPerSide() {
        Random random = new Random(2);
        assertThat(Welch.of(trials(random, 3, 1, 0.1), trials(random, 9, 1, 0.1))
                        .enough())
                .isFalse();
        assertThat(Welch.of(trials(random, 4, 1, 0.1), trials(random, 4, 1, 0.1))
                        .enough())
                .isTrue();
    }

    @Test
    void singleTrialHasARatioWithoutAnInterval() {
        Welch welch = Welch.of(new double[] {30}, new double[] {20, 20});
        assertThat(welch.ratio()).isCloseTo(1.5, within(1e-12));
        assertThat(welch.low()).isNaN();
        assertThat(welch.visible()).isNaN();
        assertThat(welch.p()).isNaN();
    }

    @Test
    void equalTrialsHaveAnExactRatio() {
        double[] same = {20, 20, 20, 20};
        assertThat(Welch.of(same, same)).isEqualTo(new Welch(1, 1, 1, 1, 1, 4));
        assertThat(Welch.of(new double[] {10, 10, 10, 10}, same).p()).isZero();
    }

    @Test
    void nonPositiveValuesHaveNoRatio() {
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(Welch.of(new double[] {1, bad, 1, 1}, new double[] {1, 1, 1, 1})
                            .ratio())
                    .isNaN();
        }
        assertThat(Welch.of(new double[0], new double[] {1}).ratio()).isNaN();
    }

    private static boolean[] holm(double... ps) {
        return differ(ps, Welch.holm(ps, 0.05));
    }

    private static boolean[] differ(double... ps) {
        return differ(ps, Welch.levels(ps));
    }

    private static boolean[] differ(double[] ps, double[] levels) {
        boolean[] differ = new boolean[ps.length];
        for (int i = 0; i < ps.length; i++) {
            differ[i] = ps[i] <= levels[i];
        }
        return differ;
    }

    @Test
    void intervalExcludesOneExactlyAtItsSignificanceLevel() {
        Random random = new Random(7);
        double[] a = trials(random, 4, 1.3, 0.1);
        double[] b = trials(random, 4, 1, 0.1);
        double p = Welch.of(a, b).p();
        assertThat(Welch.of(a, b, p * 0.999)).satisfies(w -> assertThat(w.low()).isLessThan(1));
        assertThat(Welch.of(a, b, p * 1.001)).satisfies(w -> assertThat(w.low()).isGreaterThan(1));
    }

    @Test
    void holmHoldsTheSmallestAgainstTheStrictestBound() {
        // Against 0.05/4, 0.05/3, 0.05/2: the third is too large, so later ones do not count either.
        assertThat(holm(0.03, 0.01, 0.016, 0.04)).containsExactly(false, true, true, false);
        assertThat(holm(0.04, 0.04)).containsExactly(false, false);
        assertThat(holm(0.04)).containsExactly(true);
        assertThat(holm(Double.NaN, 0.001)).containsExactly(false, true);
        assertThat(holm()).isEmpty();
    }

    @Test
    void secondaryFiguresNeedASmallerPValue() {
        assertThat(differ(0.04, 0.02, 0.04)).containsExactly(true, true, true);
        assertThat(differ(0.06, 0.02, 0.004)).containsExactly(false, false, true);
        assertThat(differ(0.06, 0.006, 0.006)).containsExactly(false, false, false);
        assertThat(differ()).isEmpty();
    }

    @Test
    void theMeanOfOneValueIsThatValueToTheLastBit() {
        for (double value = 0.5; value < 2_000; value++) {
            assertThat(Welch.geometricMean(value)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 10})
    void aboutEqualVariantsAnyWrongVerdictIsRare(int repeats) {
        Random random = new Random(repeats + 300);
        double wrong = share(() -> {
            double[] ps = new double[5];
            Arrays.setAll(ps, metric -> compared(random, repeats, 1, 0.1).p());
            double[] levels = Welch.levels(ps);
            return IntStream.range(0, ps.length).anyMatch(metric -> ps[metric] <= levels[metric]);
        });
        assertThat(wrong).isLessThanOrEqualTo(0.065);
    }
}
