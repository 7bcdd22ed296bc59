package weir.feature.partitions;

import java.util.Arrays;
import java.util.Objects;
import weir.judge.fit.GeometricMean;
import weir.results.value.CapacityResult;

/**
 * The number of partitions from what one of them carries: ⌈max(T / P, T / C)⌉. Its interval is that of the smaller of
 * P and C: it holds the true number whenever the intervals of P and C hold theirs.
 *
 * @param produced what one partition takes, in operations per second
 * @param consumed what one consumer reads of one; infinite if that is far more
 */
record PartitionSizing(Ends produced, Ends consumed) {
    /** A figure and its 95 % interval; an upper end that is not known is infinite. */
    record Ends(double rate, double low, double high) {
        static final Ends ENDLESS =
                new Ends(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

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
        Ends produced = new Ends(
                rate,
                Objects.requireNonNullElse(one.low(), rate),
                Objects.requireNonNullElse(one.high(), Double.POSITIVE_INFINITY));
        if (reads.length < READS) {
            return new PartitionSizing(produced, Ends.ENDLESS);
        }
        GeometricMean mean = GeometricMean.of(reads);
        return new PartitionSizing(produced, new Ends(mean.mean(), mean.low(), mean.high()));
    }

    int partitions(double target) {
        return number(target, Math.min(produced.rate, consumed.rate));
    }

    int low(double target) {
        return number(target, Math.min(produced.high, consumed.high));
    }

    int high(double target) {
        return number(target, Math.min(produced.low, consumed.low));
    }

    private static int number(double target, double one) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.ceil(target / one * (1 - NOTHING))));
    }
}
