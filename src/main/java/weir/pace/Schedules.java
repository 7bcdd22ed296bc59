package weir.pace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
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
            return Piecewise.schedule(own ? parts : RateSpec.Part.held(parts, end), operations);
        }
        if (rate instanceof RateSpec.Ramp r) {
            ClosedFormSchedule.Form ramp = new Ramp(
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
            ClosedFormSchedule.Form burst = n -> {
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

    static final class Piecewise implements ClosedFormSchedule.Form {
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

        static Schedule schedule(List<RateSpec.Part> pieces, long operations) {
            long[] firsts = firsts(pieces);
            return new ClosedFormSchedule(
                    () -> new Piecewise(pieces, firsts), Math.min(operations, firsts[firsts.length - 1]));
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
        public long due(long n) {
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

        @Override
        public int step() {
            return piece.step();
        }
    }
}
