package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PercentileTest {
    private static final List<String> USUAL =
            List.of("1", "10", "25", "50", "75", "90", "95", "99", "99.5", "99.9", "99.95", "99.99", "99.999", "100");

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

    /** Every count in HdrHistogram is exact up to 2,000 with three digits, so a value says which one it is. */
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
