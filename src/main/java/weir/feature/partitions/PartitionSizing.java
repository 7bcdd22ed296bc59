package weir.feature.partitions;

import java.util.Arrays;
import java.util.Objects;
import weir.measure.Interval;
import weir.results.value.CapacityResult;

/**
 * The calculated number of partitions for the rate T: {@code ⌈max(T / P, T / C)⌉}. P is the rate that one partition
 * accepts. C is the rate at which one consumer reads. If the intervals of P and C contain the true rates, the interval
 * of the number contains the true number.
 *
 * @param produced P, in operations per second
 * @param consumed C, in operations per second; infinite if it is far higher than P
 */
record PartitionSizing(Interval produced, Interval consumed) {
    private static final Interval ENDLESS =
            new Interval(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    static final int READS = 4;

    private static final double FAR_MORE = 2;

    private static final double NOTHING = 1e-9;

    static boolean known(CapacityResult one, double target, double... reads) {
        double most = Objects.requireNonNullElse(one.high(), Objects.requireNonNullElse(one.rate(), 0.0));
        return reads.length >= READS
                || (reads.length > 0
                        && Arrays.stream(reads).allMatch(read -> read > FAR_MORE * Math.min(target, most)));
    }

    static PartitionSizing of(CapacityResult one, double... reads) {
        double rate = Objects.requireNonNull(one.rate());
        Interval produced = new Interval(
                rate,
                Objects.requireNonNullElse(one.low(), rate),
                Objects.requireNonNullElse(one.high(), Double.POSITIVE_INFINITY));
        if (reads.length < READS) {
            return new PartitionSizing(produced, ENDLESS);
        }
        return new PartitionSizing(produced, Interval.ofMean(reads));
    }

    int partitions(double target) {
        return number(target, Math.min(produced.value(), consumed.value()));
    }

    int low(double target) {
        return number(target, Math.min(produced.high(), consumed.high()));
    }

    int high(double target) {
        return number(target, Math.min(produced.low(), consumed.low()));
    }

    private static int number(double target, double one) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.ceil(target / one * (1 - NOTHING))));
    }
}
