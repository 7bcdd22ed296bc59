package weir.pace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import weir.plan.RateSpec;

/** A sequence of constant rates: fixed rates, steps and replayed rates. */
final class Piecewise implements ClosedFormSchedule.Form {
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
     * Returns the operations due before the end of a part. The first is due at its start, so a started interval
     * counts.
     */
    private static long operations(RateSpec.Part piece) {
        if (piece.perSecond() == 0) {
            return 0;
        }
        if (piece.endNanos() == Schedule.NEVER) {
            return Long.MAX_VALUE;
        }
        // In decimal: 0.1/s for 10 s is one operation, but as doubles it is a little more than one.
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
        // Multiply before dividing: a rounded interval would turn 3.0M/s into 3,003,003/s. The cast saturates.
        long due = piece.startNanos() + (long) ((n - firstOfPiece) * 1e9 / piece.perSecond());
        return due < piece.startNanos() ? Schedule.NEVER : Math.min(due, piece.endNanos() - 1);
    }

    @Override
    public int step() {
        return piece.step();
    }
}
