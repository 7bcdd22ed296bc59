package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import weir.measure.Welch;
import weir.plan.CompareSpec;
import weir.results.value.OverheadResult;

class OverheadsTest {
    private static final CompareSpec.Over PAIR = new CompareSpec.Over("tx", "plain");
    private static final double MILLI = 1e6;

    private static OverheadResult overhead(String stat, List<Responses> a, List<Responses> b) {
        return Overheads.of(PAIR, stat, a, b, List.of(), List.of());
    }

    /** Responses from 1 ms to n ms. */
    private static Responses upTo(int operations, double times) {
        return Responses.of(LongStream.rangeClosed(1, operations)
                .map(n -> (long) (n * times * MILLI))
                .toArray());
    }

    @Test
    void percentileIsTheSmallestValueCoveringItsShare() {
        Responses hundred = upTo(100, 1);
        assertThat(hundred.millis(0)).isEqualTo(1);
        assertThat(hundred.millis(50)).isEqualTo(50);
        assertThat(hundred.millis(99)).isEqualTo(99);
        assertThat(hundred.millis(100)).isEqualTo(100);
        assertThat(hundred.meanMillis()).isCloseTo(50.5, within(1e-9));
        Responses both = Responses.pooled(List.of(hundred, upTo(100, 2)));
        assertThat(both.count()).isEqualTo(200);
        assertThat(both.millis(100)).isEqualTo(200);
    }

    @Test
    void percentileOfShortTrialsIsPooledAndLabelled() {
        List<Responses> a = List.of(upTo(400, 3), upTo(400, 3), upTo(400, 3), upTo(400, 3));
        List<Responses> b = List.of(upTo(400, 1), upTo(400, 1), upTo(400, 1), upTo(400, 1));
        OverheadResult p99 = overhead("p99", a, b);
        assertThat(p99.pooled()).isTrue();
        assertThat(p99.thin()).as("16 of 1,600 lie beyond it").isFalse();
        assertThat(p99.ratio()).isCloseTo(3, within(1e-9));
        assertThat(overhead("p50", a, b).pooled()).isFalse();
        assertThat(overhead("max", a, b).pooled())
                .as("a maximum is that of so many operations")
                .isFalse();
        assertThat(overhead("p99", a.subList(0, 2), b.subList(0, 2)).label()).isEqualTo("pooled, thin");
        assertThat(overhead("p99", a.subList(0, 1), b.subList(0, 1)).label()).isEqualTo("thin");
    }

    @Test
    void theIntervalOfAPooledRatioHoldsThatOfTheTrials() {
        List<Responses> even = List.of(upTo(400, 1), upTo(400, 1), upTo(400, 1), upTo(400, 1));
        // One trial is much faster, so the ratio of all responses together is above the ratios of the trials.
        List<Responses> uneven = List.of(upTo(400, 3), upTo(400, 3), upTo(400, 3), upTo(400, 1));
        double[] ones = p99s(even);
        double[] others = p99s(uneven);
        OverheadResult slower = overhead("p99", uneven, even);
        assertThat(slower.pooled()).isTrue();
        assertThat(slower.ratio()).isGreaterThan(1.2 * Welch.of(others, ones).ratio());
        assertThat(slower.low()).isEqualTo(Welch.of(others, ones).low());
        assertThat(overhead("p99", even, uneven).high())
                .isEqualTo(Welch.of(ones, others).high());
    }

    private static double[] p99s(List<Responses> trials) {
        return trials.stream().mapToDouble(trial -> trial.millis(99)).toArray();
    }

    @Test
    void belowFourRepeatsThereIsARatioAndNoInterval() {
        OverheadResult few = overhead(
                "p50",
                List.of(upTo(100, 3), upTo(100, 3.1), upTo(100, 3.2)),
                List.of(upTo(100, 1), upTo(100, 1), upTo(100, 1.1)));
        assertThat(few.ratio()).isBetween(2.9, 3.1);
        assertThat(few.low()).isNull();
        assertThat(few.high()).isNull();
    }

    @Test
    void aLowerBoundIsMarkedAndTwoOfThemHaveNoRatio() {
        List<Responses> a = List.of(upTo(100, 3));
        List<Responses> b = List.of(upTo(100, 1));
        OverheadResult ofA = Overheads.of(PAIR, "max", a, b, List.of("tx"), List.of());
        assertThat(List.of(ofA.writtenA(), ofA.writtenB(), ofA.text()))
                .containsExactly("≥ 300 ms", "100 ms", "≥ 3.00×");
        OverheadResult ofB = Overheads.of(PAIR, "max", a, b, List.of("plain"), List.of());
        assertThat(List.of(ofB.writtenB(), ofB.text())).containsExactly("≥ 100 ms", "≤ 3.00×");
        assertThat(Overheads.of(PAIR, "max", a, b, List.of("tx", "plain"), List.of())
                        .text())
                .isEqualTo("–");
    }

    /** Lognormal operations: trials differ from each other, and some operations take much longer. */
    private static Responses drawn(SplittableRandom random, double scale, double between) {
        double own = scale * Math.exp(between * random.nextGaussian());
        return Responses.of(IntStream.range(0, 200)
                .mapToLong(i -> (long) (own
                        * MILLI
                        * Math.exp(0.3 * random.nextGaussian())
                        * (random.nextInt(50) == 0 ? 2 - Math.log(1 - random.nextDouble()) : 1)))
                .toArray());
    }

    @Test
    void theIntervalOfAPooledRatioHoldsTheTruth() {
        SplittableRandom random = new SplittableRandom(11);
        for (int repeats : new int[] {4, 10}) {
            for (double between : new double[] {0, 0.2}) {
                int held = 0;
                int experiments = 400;
                for (int i = 0; i < experiments; i++) {
                    List<Responses> a = IntStream.range(0, repeats)
                            .mapToObj(trial -> drawn(random, 11, between))
                            .toList();
                    List<Responses> b = IntStream.range(0, repeats)
                            .mapToObj(trial -> drawn(random, 1, between))
                            .toList();
                    OverheadResult found = overhead("p99", a, b);
                    double low = Objects.requireNonNull(found.low());
                    double high = Objects.requireNonNull(found.high());
                    held += low <= 11 && 11 <= high ? 1 : 0;
                }
                assertThat(held / (double) experiments)
                        .as("%d repeats, trials that differ by %s", repeats, between)
                        .isGreaterThanOrEqualTo(0.93);
            }
        }
    }
}
