package weir.feature.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

/** The distances between distributions whose distance is known. */
class ShapeComparisonTest {
    private static final int RECORDS = 100_000;
    private static final int SECONDS = 20;

    private final SplittableRandom random = new SplittableRandom(3);

    private static Schedule constant(double perSecond) {
        return Schedules.of(
                new RateSpec.Fixed(Rate.of(perSecond), false),
                new MeasureSpec.For(Duration.ofSeconds(SECONDS)),
                new RateSpec.Senders(1, 100),
                1);
    }

    /** Compares a constant rate of 500/s with 10,000 records whose times begin 5 s after the observation. */
    private static Arrivals.Comparison arrivals(LongUnaryOperator millis) {
        Arrivals arrivals = new Arrivals(Duration.ofSeconds(SECONDS + 10));
        arrivals.ends(1_000_000, 0);
        for (long i = 0; i < 500 * SECONDS; i++) {
            arrivals.record(1_005_000 + millis.applyAsLong(i));
        }
        return arrivals.compare(constant(500), 1_005_000, 1_005_000 + SECONDS * 1000);
    }

    @Test
    void uniformSizesHaveADistanceOfTheirShift() {
        Sizes one = new Sizes();
        Sizes other = new Sizes();
        for (int i = 0; i < RECORDS; i++) {
            one.add(1000 + random.nextInt(1000));
            other.add(1100 + random.nextInt(1000));
        }
        assertThat(one.distance(other)).isCloseTo(0.1, within(0.02));
        assertThat(one.distance(one)).isZero();
    }

    @Test
    void keysHaveADistanceOfTheDifferenceBetweenTheirTopShares() {
        KeySketch uniform = new KeySketch(7, 1 << 12);
        KeySketch skewed = new KeySketch(7, 1 << 12);
        for (int i = 0; i < RECORDS; i++) {
            uniform.add(random.nextInt(100));
            skewed.add(random.nextInt(10) < 3 ? 0 : random.nextInt(100));
        }
        // The first key has 0.3 + 0.7 / 100 of the records instead of 1 / 100.
        assertThat(uniform.distance(skewed)).isCloseTo(0.297, within(0.01));
        assertThat(skewed.distance(skewed)).isZero();
    }

    @Test
    void arrivalsAtTheirDueTimesHaveNoDistance() {
        Arrivals.Comparison same = arrivals(i -> i * 2);
        assertThat(same.windows()).isEqualTo(10 * SECONDS);
        assertThat(same.perSecond()).isEqualTo(500);
        assertThat(same.distance()).isZero();
        assertThat(same.requested()).isZero();
        assertThat(same.found()).isZero();
    }

    @Test
    void arrivalsOfAHalfInATenthOfTheTimeAreFarAway() {
        long half = 250L * SECONDS;
        Arrivals.Comparison early =
                arrivals(i -> i < half ? i * 2000 / half : 2000 + (i - half) * (SECONDS * 1000 - 2000) / half);
        assertThat(early.distance()).isCloseTo(0.4, within(0.01));
    }

    @Test
    void arrivalsInBurstsOfTenHaveAHigherVariance() {
        assertThat(arrivals(i -> i / 500 * 1000).found()).isGreaterThan(100);
    }
}
