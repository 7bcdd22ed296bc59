package weir.pace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;

/** The factory of schedules, from a plan's rates. */
public final class Schedules {
    private static final double NANOS = 1e9;

    private Schedules() {}

    /**
     * Returns the schedule of the whole load, of which each producer takes a {@link Schedule#share}. A longer {@code
     * length} extends the last rate. A shorter one cuts the rate.
     */
    public static Schedule of(RateSpec rate, MeasureSpec length, RateSpec.Senders senders, long seed) {
        boolean own = length.asLongAsRates();
        long end = own || length.counted() ? Schedule.NEVER : length.length().toNanos();
        long operations = length.counted() ? length.operations() : Long.MAX_VALUE;
        List<RateSpec.Part> parts = rate.parts(senders);
        if (!parts.isEmpty()) {
            List<RateSpec.Part> pieces = own ? parts : RateSpec.Part.held(parts, end);
            long[] firsts = Piecewise.firsts(pieces);
            return new ClosedFormSchedule(
                    () -> new Piecewise(pieces, firsts), Math.min(operations, firsts[firsts.length - 1]));
        }
        if (rate instanceof RateSpec.Ramp r) {
            LongUnaryOperator ramp = ramp(
                    senders.operations(r.from(), false),
                    senders.operations(r.to(), false),
                    r.over().toNanos() / NANOS,
                    own ? r.over().toNanos() : end);
            return new ClosedFormSchedule(() -> ramp, operations);
        }
        if (rate instanceof RateSpec.Poisson p) {
            return new Poisson(senders.operations(p.rate(), false), end, operations, seed);
        }
        if (rate instanceof RateSpec.Burst b) {
            long atOnce = b.operations();
            long everyNanos = b.every().toNanos();
            LongUnaryOperator burst = n -> {
                long due = n / atOnce * everyNanos;
                return due < end ? due : Schedule.NEVER;
            };
            return new ClosedFormSchedule(() -> burst, operations);
        }
        throw new IllegalArgumentException("'" + rate.text() + "' is not an open loop and has no due times");
    }

    public static List<StepWindow> steps(RateSpec rate, MeasureSpec measure, RateSpec.Senders senders) {
        if (!rate.steps().isEmpty() && measure.asLongAsRates()) {
            List<StepWindow> windows = new ArrayList<>();
            for (RateSpec.Part part : rate.parts(senders)) {
                windows.add(new StepWindow(
                        part.step(),
                        part.startNanos(),
                        part.endNanos() - part.startNanos(),
                        part.perSecond(),
                        rate.steps().get(part.step()).text()));
            }
            return windows;
        }
        long own = measure.asLongAsRates() ? rate.length().toNanos() : 0;
        long asked = measure.counted() || measure.asLongAsRates()
                ? Schedule.NEVER
                : measure.length().toNanos();
        long length = own > 0 ? own : asked;
        return List.of(new StepWindow(0, 0, length, rate.mean(senders, length), rate.text()));
    }

    /** Returns the due times of a rate that changes linearly from one value to another, and then stays there. */
    private static LongUnaryOperator ramp(double from, double to, double overSeconds, long endNanos) {
        double slope = overSeconds == 0 ? 0 : (to - from) / overSeconds;
        double operationsOfRamp = (from + to) / 2 * overSeconds;
        return n -> {
            double held = n - operationsOfRamp;
            double seconds;
            if (held > 0) {
                seconds = to == 0 ? Double.POSITIVE_INFINITY : overSeconds + held / to;
            } else if (held == 0) {
                seconds = overSeconds;
            } else {
                // At time t, the ramp has n = from·t + slope·t²/2 operations. This solution for t is exact for a small
                // slope too: t = 2n / (from + √(from² + 2·slope·n)).
                seconds = n == 0 ? 0 : 2 * n / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * n)));
            }
            long due = (long) (seconds * 1e9);
            return due < endNanos ? due : Schedule.NEVER;
        };
    }

    static final class Piecewise implements LongUnaryOperator {
        private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);

        private final List<RateSpec.Part> pieces;
        private final long[] firsts;
        private int current;
        private RateSpec.Part piece;
        private long firstOfPiece;
        private long firstOfNext;

        private Piecewise(List<RateSpec.Part> pieces, long[] firsts) {
            this.pieces = pieces;
            this.firsts = firsts;
            this.piece = pieces.get(0);
            this.firstOfNext = firsts[1];
        }

        private static long[] firsts(List<RateSpec.Part> pieces) {
            long[] firsts = new long[pieces.size() + 1];
            for (int i = 0; i < pieces.size(); i++) {
                long sum = firsts[i] + operations(pieces.get(i));
                firsts[i + 1] = sum < 0 ? Long.MAX_VALUE : sum;
            }
            return firsts;
        }

        /**
         * Returns the number of operations that are due before the end of a part. The first operation is due at the
         * start of the part, so the count is rounded up.
         */
        private static long operations(RateSpec.Part piece) {
            if (piece.perSecond() == 0) {
                return 0;
            }
            if (piece.endNanos() == Schedule.NEVER) {
                return Long.MAX_VALUE;
            }
            // The decimal result is exact: 0.1/s for 10 s is one operation, but as doubles it is slightly more.
            return BigDecimal.valueOf(piece.perSecond())
                    .multiply(BigDecimal.valueOf(piece.endNanos() - piece.startNanos()))
                    .divide(NANOS, 0, RoundingMode.CEILING)
                    .min(BigDecimal.valueOf(Long.MAX_VALUE))
                    .longValueExact();
        }

        @Override
        public long applyAsLong(long n) {
            while (n >= firstOfNext) {
                current++;
                piece = pieces.get(current);
                firstOfPiece = firsts[current];
                firstOfNext = firsts[current + 1];
            }
            // Multiplies first, because a rounded interval would turn 3.0M/s into 3,003,003/s. The cast saturates.
            long due = piece.startNanos() + (long) ((n - firstOfPiece) * 1e9 / piece.perSecond());
            return due < piece.startNanos() ? Schedule.NEVER : Math.min(due, piece.endNanos() - 1);
        }
    }

    /**
     * Independent arrivals with exponential gaps. Each share of the schedule draws its own arrivals, because the union of
     * independent Poisson processes is a Poisson process. Every n-th arrival of one process would not be Poisson.
     */
    static final class Poisson implements Schedule {
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
}
