package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.search.Capacity;

class PartitionSizingTest {
    private static final int SEARCHES = 400;

    private static CapacityResult takes(@Nullable Double rate, @Nullable Double low, @Nullable Double high) {
        return new CapacityResult("base", List.of(), rate, low, high, "", List.of());
    }

    @ParameterizedTest
    @CsvSource({
        // 10M / 330k is 30.3, and nobody has three tenths of a partition.
        "10e6, 330e3, 31, 29, 32",
        "1e6, 330e3, 4, 3, 4",
        "330e3, 330e3, 1, 1, 2",
        "660e3, 330e3, 2, 2, 3",
        "1, 330e3, 1, 1, 1",
    })
    void theNumberIsRoundedUpAndItsIntervalIsThatOfTheRate(double target, double rate, int number, int low, int high) {
        PartitionSizing sizing = PartitionSizing.of(takes(rate, 0.97 * rate, 1.05 * rate), 4 * rate);
        assertThat(sizing.partitions(target)).isEqualTo(number);
        assertThat(sizing.low(target)).isEqualTo(low);
        assertThat(sizing.high(target)).isEqualTo(high);
    }

    @Test
    void aRoundingErrorIsNoPartition() {
        assertThat(PartitionSizing.of(takes(0.1, 0.1, 0.1), 1).partitions(0.1 * 3))
                .isEqualTo(3);
    }

    @Test
    void theConsumerDecidesWhereItReadsLess() {
        PartitionSizing sizing = PartitionSizing.of(takes(300e3, 290e3, 310e3), 99e3, 100e3, 100e3, 101e3);
        assertThat(sizing.partitions(1e6)).isEqualTo(11);
        assertThat(sizing.low(1e6)).isEqualTo(10);
        assertThat(sizing.high(1e6)).isEqualTo(11);
    }

    @Test
    void howManyFewerWouldDoIsNotKnownWhereNothingWasRefused() {
        PartitionSizing sizing = PartitionSizing.of(takes(100e3, 100e3, null), 1e6);
        assertThat(sizing.partitions(250e3)).isEqualTo(3);
        assertThat(sizing.low(250e3)).isEqualTo(1);
    }

    @Test
    void oneReadIsEnoughWhereItCannotMatter() {
        CapacityResult one = takes(100e3, 95e3, 105e3);
        assertThat(PartitionSizing.known(one, 1e6)).isFalse();
        assertThat(PartitionSizing.known(one, 1e6, 215e3)).isTrue();
        assertThat(PartitionSizing.known(one, 1e6, 205e3)).isFalse();
        assertThat(PartitionSizing.known(one, 1e6, 90e3, 91e3, 92e3)).isFalse();
        assertThat(PartitionSizing.known(one, 1e6, 90e3, 91e3, 92e3, 93e3)).isTrue();
        assertThat(PartitionSizing.known(takes(20e3, 20e3, null), 20e3, 41e3))
                .as("more than all")
                .isTrue();
    }

    /** Partitions that really take P and give C, each trial with its own noise: how often does the interval hold their number? */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.06, 0.15})
    void theIntervalHoldsTheTruth(double noise) {
        int held = 0;
        double widest = 0;
        for (int seed = 0; seed < SEARCHES; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 31L + 7);
            double produced = 2_000 * Math.pow(300, random.nextDouble());
            // From a third of P to four times as much; often about the same, which is the hardest.
            double consumed = produced * Math.exp(Math.log(12) * random.nextDouble() - Math.log(3));
            double target = produced * Math.pow(100, random.nextDouble()) * 1.2;
            CapacityResult one = capacity(produced, target, noise, random);
            List<Double> reads = new ArrayList<>();
            while (!PartitionSizing.known(one, target, values(reads))) {
                reads.add(consumed * Math.exp(noise * random.nextGaussian()));
            }
            PartitionSizing sizing = PartitionSizing.of(one, values(reads));
            int truth = (int) Math.ceil(target / Math.min(produced, consumed));
            held += sizing.low(target) <= truth && truth <= sizing.high(target) ? 1 : 0;
            widest = Math.max(widest, (double) sizing.high(target) / sizing.partitions(target));
        }
        assertThat((double) held / SEARCHES).as("noise %s", noise).isGreaterThanOrEqualTo(0.93);
        assertThat(widest).as("an answer all the same").isLessThan(4);
    }

    private static CapacityResult capacity(double truth, double to, double noise, SplittableRandom random) {
        Capacity search = new Capacity("base", List.of(), 0, truth / 4, to, 0.05);
        List<Attempt> tried = new ArrayList<>();
        for (Capacity.Try next = search.next(tried).orElse(null);
                next != null;
                next = search.next(tried).orElse(null)) {
            boolean holds = next.rate() < truth * Math.exp(noise * random.nextGaussian());
            Attempt one = new Attempt(
                    tried.size() + 1,
                    next.rate(),
                    3,
                    holds ? Attempt.Outcome.SUSTAINED : Attempt.Outcome.REFUSED,
                    holds ? "" : "achieved 90 %");
            tried.add(next.confirms() ? one.asConfirmation() : one);
        }
        return search.conclude(tried);
    }

    private static double[] values(List<Double> reads) {
        return reads.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
