package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static weir.measure.Written.bytes;
import static weir.measure.Written.read;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyTest {
    private static final long MILLI = 1_000_000;

    private static final List<String> USUAL =
            List.of("1", "10", "25", "50", "75", "90", "95", "99", "99.5", "99.9", "99.95", "99.99", "99.999", "100");

    static Latency of(long... millis) {
        Latency latency = new Latency();
        for (long value : millis) {
            latency.record(value * MILLI, 1);
        }
        return latency;
    }

    private static Latency random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Latency latency = new Latency();
        for (int i = 0; i < 200; i++) {
            latency.record((long) Math.exp(random.nextDouble(3, 32)), random.nextLong(1, 1000));
        }
        latency.recordAtLeast(random.nextLong(1L << 40), 3);
        return latency;
    }

    @Test
    void anEmptyOneHasNoFiguresInsteadOfZeros() {
        Latency empty = new Latency();
        assertThat(empty.empty()).isTrue();
        assertThat(List.of(empty.millis(50), empty.maxMillis(), empty.meanMillis()))
                .containsOnly(Double.NaN);
        assertThat(empty.spectrum()).isEmpty();
        assertThat(empty.thin(50)).isTrue();
        assertThat(empty.atLeastBeyond()).isEqualTo(100);
    }

    @Test
    void percentilesAreExactToThreeDigits() {
        SplittableRandom random = new SplittableRandom(11);
        long[] nanos = random.longs(10_000, 20_000, 90_000_000_000L).sorted().toArray();
        Latency latency = new Latency();
        Arrays.stream(nanos).forEach(value -> latency.record(value, 1));
        for (double percentile : new double[] {1, 50, 90, 99, 99.9, 99.99, 100}) {
            double exact = nanos[(int) Math.ceil(percentile / 100 * nanos.length) - 1] / 1e6;
            assertThat(latency.millis(percentile)).isCloseTo(exact, within(exact / 1000));
        }
        assertThat(latency.meanMillis())
                .isCloseTo(Arrays.stream(nanos).average().orElseThrow() / 1e6, within(50.0));
        assertThat(latency.maxMillis()).isCloseTo(nanos[nanos.length - 1] / 1e6, within(90.0));
    }

    @Test
    void theFastestAreAllButTheSlowest() {
        Latency latency = new Latency();
        latency.record(MILLI, 990);
        latency.record(1000 * MILLI, 10);
        assertThat(latency.fastest(995).count()).isEqualTo(995);
        assertThat(latency.fastest(995).millis(99)).isCloseTo(1, within(0.01));
        assertThat(latency.fastest(995).maxMillis()).isCloseTo(1000, within(1.0));
        assertThat(latency.fastest(990).maxMillis()).isCloseTo(1, within(0.01));
        assertThat(bytes(latency.fastest(1000)::write)).isEqualTo(bytes(latency::write));
        assertThat(latency.fastest(0).empty()).isTrue();
    }

    @Test
    void addedPercentilesAreThoseOfAllMessagesAndNoAverage() {
        Latency fast = new Latency();
        fast.record(MILLI, 990);
        Latency slow = new Latency();
        slow.record(1000 * MILLI, 10);
        assertThat(fast.plus(slow).millis(99)).isCloseTo(1, within(0.01));
        assertThat(fast.plus(slow).millis(99.1)).isCloseTo(1000, within(1.0));
    }

    @Test
    void plusIsAssociativeAndCommutative() {
        Latency a = random(1);
        Latency b = random(2);
        Latency c = random(3);
        byte[] sum = bytes(a.plus(b).plus(c)::write);
        assertThat(bytes(a.plus(b.plus(c))::write)).isEqualTo(sum);
        assertThat(bytes(c.plus(a).plus(b)::write)).isEqualTo(sum);
        assertThat(bytes(a.plus(new Latency())::write)).isEqualTo(bytes(a::write));
    }

    @Test
    void writtenValueIsReadUnchanged() throws IOException {
        for (Latency latency : List.of(new Latency(), of(5), random(4))) {
            assertThat(bytes(read(bytes(latency::write), Latency::read)::write)).isEqualTo(bytes(latency::write));
            assertThat(read(bytes(latency::write), Latency::read).spectrum()).isEqualTo(latency.spectrum());
        }
    }

    @Test
    void unendedMessagesMakeOnlyTheirPercentilesLowerBounds() {
        Latency latency = new Latency();
        latency.record(MILLI, 90);
        latency.recordAtLeast(500 * MILLI, 10);
        latency.record(900 * MILLI, 10);
        assertThat(latency.censored()).isEqualTo(10);
        // 90 of 110 ended before the first of the others could have ended.
        assertThat(latency.atLeastBeyond()).isCloseTo(100 * 90 / 110.0, within(1e-9));
        assertThat(of(1).atLeastBeyond()).isEqualTo(100);
        Latency given = new Latency();
        given.recordAtLeast(0, 1);
        assertThat(given.atLeastBeyond()).isZero();
    }

    @Test
    void aPercentileIsThinWithFewerThanTenSamplesBeyond() {
        Latency latency = new Latency();
        latency.record(MILLI, 9_999);
        assertThat(latency.thin(99.9)).isTrue();
        latency.record(MILLI, 1);
        assertThat(latency.thin(99.9)).isFalse();
        assertThat(latency.thin(99.99)).isTrue();
    }

    @Test
    void theSpectrumClimbsToTheMaximum() {
        Latency latency = random(5);
        List<Latency.Point> points = latency.spectrum();
        assertThat(points).isSortedAccordingTo((a, b) -> Double.compare(a.percentile(), b.percentile()));
        assertThat(points).isSortedAccordingTo((a, b) -> Double.compare(a.millis(), b.millis()));
        Latency.Point last = points.get(points.size() - 1);
        assertThat(last).isEqualTo(new Latency.Point(100, latency.maxMillis()));
        assertThat(points).hasSizeBetween(20, 200);
    }

    @Test
    void latencyOutOfRangeIsClampedAndCounted() {
        Latency latency = new Latency();
        latency.record(-5, 1);
        latency.record(Long.MAX_VALUE, 1);
        assertThat(latency.count()).isEqualTo(2);
        assertThat(latency.millis(50)).isLessThan(0.001);
        assertThat(latency.maxMillis()).isCloseTo(Latency.HIGHEST_NANOS / 1e6, within(1e5));
    }

    @Test
    void percentilesAndMeanNeverExceedTheExactMaximum() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 300; i++) {
            long[] nanos = random.longs(1 + i % 7, 0, 1L << random.nextInt(2, 46))
                    .sorted()
                    .toArray();
            double longest = nanos[nanos.length - 1] / 1e6;
            Latency recorded = new Latency();
            Arrays.stream(nanos).forEach(value -> recorded.record(value, 1));
            for (Latency latency : List.of(
                    recorded,
                    read(bytes(recorded::write), Latency::read),
                    recorded.plus(new Latency()),
                    recorded.minus(new Latency()))) {
                assertThat(latency.maxMillis()).isEqualTo(longest);
                assertThat(latency.millis(99)).isEqualTo(longest);
                assertThat(latency.millis(50)).isLessThanOrEqualTo(longest);
                assertThat(latency.meanMillis()).isLessThanOrEqualTo(longest);
                assertThat(latency.nthMillis(nanos.length)).isEqualTo(longest);
            }
        }
    }

    @Test
    void theLongestOfARestLiesInItsBucketAndNotBeyond() {
        Latency some = of(1, 2, 70);
        Latency rest = some.minus(of(70));
        assertThat(rest.maxMillis()).isCloseTo(2, within(0.002));
        assertThat(some.between(0, 3 * MILLI).maxMillis()).isCloseTo(2, within(0.002));
        assertThat(some.between(3 * MILLI, Long.MAX_VALUE).maxMillis()).isEqualTo(70);
    }

    @Test
    void hostileBytesAreRefusedAndCutOnesToo() {
        byte[] good = bytes(random(6)::write);
        Written.assertCutBytesAreRefused(good, Latency::read);
        Written.assertChangedBytesDoNoHarm(good, new SplittableRandom(7), 3000, 3, 60, in -> {
            Latency read = Latency.read(in);
            assertThat(read.count()).isNotNegative();
            return read;
        });
    }

    /** ⌈p/100 · n⌉ without rounding. */
    private static long exact(String percentile, long count) {
        return new BigDecimal(percentile)
                .multiply(BigDecimal.valueOf(count))
                .movePointLeft(2)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    @Test
    void rankIsTheExactCeilingForEveryUsualPercentile() {
        LongStream.concat(
                        LongStream.rangeClosed(1, 5_000),
                        LongStream.of(100_000, 999_999, 1_000_000, 1_234_567, 123_456_789, 1_000_000_000))
                .forEach(count ->
                        USUAL.forEach(percentile -> assertThat(Percentile.rank(Double.parseDouble(percentile), count))
                                .as("p%s of %d", percentile, count)
                                .isEqualTo(exact(percentile, count))));
        assertThat(Percentile.rank(0, 300)).as("the smallest").isEqualTo(1);
        assertThat(Percentile.rank(99, 300)).isEqualTo(297);
    }

    /** HdrHistogram with three digits is exact up to 2,000, so a value identifies its count. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 99, 100, 101, 299, 300, 301, 1_000, 2_000})
    void histogramsAndSortedValuesHaveTheSameDefinition(int count) {
        Histogram histogram = new Histogram(1, 100_000, 3);
        double[] sorted = new double[count];
        Latency latency = new Latency();
        IntStream.rangeClosed(1, count).forEach(value -> {
            histogram.recordValue(value);
            sorted[value - 1] = value;
            latency.record(value * 1_000_000L, 1);
        });
        for (String usual : USUAL) {
            double percentile = Double.parseDouble(usual);
            assertThat(histogram.getValueAtPercentile(percentile))
                    .as("p%s of %d", usual, count)
                    .isEqualTo(exact(usual, count));
            assertThat(Percentile.of(percentile, sorted)).isEqualTo((double) exact(usual, count));
            assertThat(latency.millis(percentile)).isEqualTo(latency.nthMillis(exact(usual, count)));
        }
    }
}
