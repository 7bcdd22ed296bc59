package weir.pace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** One constant rate after the other: fixed rates, steps and replayed rates. */
final class Piecewise extends ClosedFormSchedule {
    private final List<Piece> pieces;
    private final long[] firsts;
    private int current;
    private Piece piece;
    private long firstOfPiece;
    private long firstOfNext;

    /** A rate held from {@code startNanos} to {@code endNanos}, NEVER for ever. */
    record Piece(int step, long startNanos, long endNanos, double perSecond) {
        static final long NANOS = 1_000_000_000L;

        /** Operations due before its end: the first at its start, so a started interval counts. */
        long operations() {
            if (perSecond == 0) {
                return 0;
            }
            if (endNanos == NEVER) {
                return Long.MAX_VALUE;
            }
            // In decimal: 0.1/s for 10 s is one operation, but as doubles it is a little more than one.
            return BigDecimal.valueOf(perSecond)
                    .multiply(BigDecimal.valueOf(endNanos - startNanos))
                    .divide(BigDecimal.valueOf(NANOS), 0, RoundingMode.CEILING)
                    .min(BigDecimal.valueOf(Long.MAX_VALUE))
                    .longValueExact();
        }
    }

    Piecewise(List<Piece> pieces, long operations) {
        this(pieces, firsts(pieces), operations, 0, 1);
    }

    private Piecewise(List<Piece> pieces, long[] firsts, long operations, long first, long stride) {
        super(Math.min(operations, firsts[firsts.length - 1]), first, stride);
        this.pieces = pieces;
        this.firsts = firsts;
        this.piece = pieces.get(0);
        this.firstOfNext = firsts[1];
    }

    private static long[] firsts(List<Piece> pieces) {
        long[] firsts = new long[pieces.size() + 1];
        for (int i = 0; i < pieces.size(); i++) {
            long sum = firsts[i] + pieces.get(i).operations();
            firsts[i + 1] = sum < 0 ? Long.MAX_VALUE : sum;
        }
        return firsts;
    }

    @Override
    long due(long n) {
        while (n >= firstOfNext) {
            current++;
            piece = pieces.get(current);
            firstOfPiece = firsts[current];
            firstOfNext = firsts[current + 1];
        }
        // Multiply before dividing: a rounded interval would turn 3.0M/s into 3,003,003/s. The cast saturates.
        long due = piece.startNanos + (long) ((n - firstOfPiece) * 1e9 / piece.perSecond);
        return due < piece.startNanos ? NEVER : Math.min(due, piece.endNanos - 1);
    }

    @Override
    public int step() {
        return piece.step;
    }

    @Override
    ClosedFormSchedule part(long first, long stride) {
        return new Piecewise(pieces, firsts, operations, first, stride);
    }
}
