package weir.load.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfTest {
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99, 1, 1.5, 3})
    void ranksAreAsFrequentAsTheLawSays(double exponent) {
        int distinct = 20;
        int draws = 100_000;
        Zipf zipf = new Zipf(distinct, exponent);
        SplittableRandom random = new SplittableRandom(1);
        int[] counts = new int[distinct + 1];
        for (int i = 0; i < draws; i++) {
            counts[Math.toIntExact(zipf.next(random))]++;
        }
        double sum = 0;
        for (int k = 1; k <= distinct; k++) {
            sum += Math.pow(k, -exponent);
        }
        double chiSquared = 0;
        for (int k = 1; k <= distinct; k++) {
            double expected = draws * Math.pow(k, -exponent) / sum;
            chiSquared += (counts[k] - expected) * (counts[k] - expected) / expected;
        }
        // 19 degrees of freedom: a fair draw stays below 43.8 in 99.9 % of cases; the seed is fixed.
        assertThat(chiSquared).isLessThan(43.8);
    }

    @Test
    void oneKeyIsAlwaysTheSame() {
        assertThat(new Zipf(1, 1).next(new SplittableRandom(1))).isEqualTo(1);
    }

    @Test
    void manyKeysCostNoTable() {
        Zipf zipf = new Zipf(1L << 50, 0.8);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(zipf.next(random)).isBetween(1L, 1L << 50);
        }
    }
}
