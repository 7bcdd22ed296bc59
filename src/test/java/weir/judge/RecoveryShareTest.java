package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.measure.Welch;

class RecoveryShareTest {
    private static Comparisons.RecoveryShare of(double[] a, double[] from, double[] to) {
        return Comparisons.RecoveryShare.of(a, from, to, Welch.LEVEL);
    }

    /** An interval that held the truth nine times of ten only would be found by 98 of 100 such numbers, in each row. */
    private static final int EXPERIMENTS = 500;

    private static double[] trials(Random random, int repeats, double middle, double spread) {
        double[] values = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            values[i] = middle * Math.exp(spread * random.nextGaussian());
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource({
        "4, 20, 0.1", "5, 20, 0.1", "10, 20, 0.1", // 100 ms with the neighbour, 10 without, 20 with a limit
        "4, 60, 0.3", "5, 60, 0.3", "10, 60, 0.3", // trials that spread widely
        "5, 100, 0.2", "5, 10, 0.2", "5, 140, 0.2" // nothing recovered, everything, worse than before
    })
    void theIntervalHoldsTheTruthNineteenTimesOfTwenty(int repeats, double middle, double spread) {
        Random random = new Random(repeats);
        double truth = (middle - 100) / (10 - 100);
        int covered = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            Comparisons.RecoveryShare recovered = of(
                    trials(random, repeats, middle, spread),
                    trials(random, repeats, 100, spread * 1.5),
                    trials(random, repeats, 10, spread));
            covered += recovered.low() <= truth && truth <= recovered.high() ? 1 : 0;
        }
        assertThat(covered / (double) EXPERIMENTS).isBetween(0.93, 0.985);
    }

    @Test
    void halfTheWayIsAHalf() {
        double[] from = {100, 100, 100, 100};
        double[] to = {10, 10, 10, 10};
        Comparisons.RecoveryShare half = of(new double[] {55, 55, 55, 55}, from, to);
        assertThat(half.share()).isCloseTo(0.5, within(1e-12));
        assertThat(half.low()).isCloseTo(0.5, within(1e-9));
        assertThat(half.high()).isCloseTo(0.5, within(1e-9));
        assertThat(of(from, from, to).share()).isCloseTo(0, within(1e-12));
        assertThat(of(to, from, to).share()).isCloseTo(1, within(1e-12));
    }

    @Test
    void moreOfWhatIsCarriedIsRecoveredTheSameWay() {
        Comparisons.RecoveryShare recovered =
                of(new double[] {80, 81, 79, 80}, new double[] {50, 51, 49, 50}, new double[] {90, 91, 89, 90});
        assertThat(recovered.share()).isCloseTo(0.75, within(0.01));
        assertThat(recovered.low()).isBetween(0.6, 0.75);
        assertThat(recovered.high()).isBetween(0.75, 0.9);
    }

    @Test
    void noughtIsOutsideExactlyWhenTheRatioTellsThemApart() {
        Random random = new Random(4);
        int apart = 0;
        for (int i = 0; i < 200; i++) {
            double[] a = trials(random, 5, 80, 0.15);
            double[] from = trials(random, 5, 100, 0.15);
            double[] to = trials(random, 5, 10, 0.15);
            Comparisons.RecoveryShare recovered = of(a, from, to);
            boolean outside = recovered.low() > 0 || recovered.high() < 0;
            assertThat(outside).isEqualTo(Welch.of(a, from).p() <= Welch.LEVEL);
            apart += outside ? 1 : 0;
        }
        assertThat(apart).isBetween(50, 150);
    }

    @Test
    void nothingTakesLessThanNoTime() {
        // From 100 ms to 10 ms the whole way and a ninth of it more would be 0 ms.
        Random random = new Random(5);
        Comparisons.RecoveryShare wide =
                of(trials(random, 4, 10, 2), trials(random, 4, 100, 0.1), trials(random, 4, 10, 0.1));
        assertThat(wide.high()).isLessThanOrEqualTo(1.2);
    }

    @Test
    void withoutAWayNothingIsKnown() {
        double[] same = {10, 10};
        assertThat(of(same, same, same).share()).isNaN();
        assertThat(of(new double[] {1, 0}, same, new double[] {5, 5}).share()).isNaN();
        Comparisons.RecoveryShare once = of(new double[] {55}, new double[] {100}, new double[] {10});
        assertThat(once.share()).isCloseTo(0.5, within(1e-12));
        assertThat(once.low()).isNaN();
        assertThat(of(new double[0], same, same).share()).isNaN();
    }
}
