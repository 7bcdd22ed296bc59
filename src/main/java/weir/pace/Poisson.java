package weir.pace;

import java.util.SplittableRandom;

/**
 * Independent arrivals with exponential gaps. Each share of the schedule draws its own arrivals, because the union of
 * independent Poisson processes is a Poisson process. Every n-th arrival of one process would not be Poisson.
 */
final class Poisson implements Schedule {
    private final double perSecond;
    private final long endNanos;
    private final long operations;
    private final long seed;
    private final SplittableRandom random;
    // A double distinguishes nanoseconds for a hundred days.
    private double atNanos;
    private long done;

    Poisson(double perSecond, long endNanos, long operations, long seed) {
        this.perSecond = perSecond;
        this.endNanos = endNanos;
        this.operations = perSecond == 0 ? 0 : operations;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public long next() {
        if (done >= operations) {
            return NEVER;
        }
        atNanos -= Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
        if (atNanos >= endNanos) {
            done = operations;
            return NEVER;
        }
        done++;
        return (long) atNanos;
    }

    @Override
    public Schedule share(int index, int of) {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("share " + index + " must be below " + of);
        }
        if (of == 1) {
            return this;
        }
        long whole = operations / of;
        long part = operations == Long.MAX_VALUE ? operations : whole + (index < operations % of ? 1 : 0);
        // A second generator mixes the seed: seeds that differ by a constant would repeat each other's numbers.
        long own = new SplittableRandom(new SplittableRandom(seed).nextLong() + 31L * of + index).nextLong();
        return new Poisson(perSecond / of, endNanos, part, own);
    }
}
