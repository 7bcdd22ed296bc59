package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CanaryTest {
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
    void oneOutlierMovesNothing() {
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
            // Skewed, as times on a busy machine are; the median of 1 + an exponential is 1 + ln 2.
            List<Double> rounds = IntStream.range(0, 9)
                    .mapToObj(i -> 1 - Math.log(1 - random.nextDouble()))
                    .toList();
            Canary canary = new Canary("c", "ms", false, 0.1, rounds);
            held += canary.low() <= 1 + Math.log(2) && canary.high() >= 1 + Math.log(2) ? 1 : 0;
        }
        assertThat(held).isBetween(1_900, 1_960);
    }

    @Test
    void aRoundWithoutAFigureIsNoRound() {
        assertThatThrownBy(() -> of(true, 1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of(true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of(true, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
