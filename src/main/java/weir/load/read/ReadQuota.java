package weir.load.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import weir.load.send.PhaseSchedule;
import weir.pace.Pacer;

/**
 * The number of waiting messages that a reader may take now: all that its phase has left, or one when the next is due.
 * The reader's thread owns it, except for {@link #begin} and {@link #close}.
 */
final class ReadQuota {
    private static final long GLANCE_NANOS = 10_000_000;

    private final LongSupplier clock;
    private final Pacer pacer;
    private final Deque<PhaseSchedule> coming = new ArrayDeque<>();
    private PhaseSchedule phase = PhaseSchedule.none();
    private int ahead;

    private int admitted;
    /** When the last message was taken: at its arrival, or at its due time if that was later. */
    long takenNanos;

    volatile boolean closed;

    ReadQuota(LongSupplier clock, Pacer pacer) {
        this.clock = clock;
        this.pacer = pacer;
    }

    synchronized void begin(PhaseSchedule next) {
        coming.add(next);
    }

    void close() {
        closed = true;
    }

    boolean open() {
        return !phase.over() || nextPhase(clock.getAsLong());
    }

    void arrived(long nanos) {
        takenNanos = nanos;
    }

    void ahead(int messages) {
        ahead = messages;
    }

    boolean one() {
        if (admitted == 0) {
            admitted = mayTake(Math.max(1, ahead));
            if (admitted == 0) {
                return false;
            }
        }
        admitted--;
        ahead--;
        return true;
    }

    int some(int messages) {
        ahead = messages;
        if (!one()) {
            return 0;
        }
        int more = Math.min(messages - 1, admitted);
        admitted -= more;
        return 1 + more;
    }

    private int mayTake(int messages) {
        while (!phase.over() || nextPhase(takenNanos)) {
            int some = phase.closed() ? claim(messages) : awaitDue() ? 1 : 0;
            if (some > 0) {
                return some;
            }
            phase.end(takenNanos);
        }
        return 0;
    }

    private int claim(int messages) {
        return takenNanos < phase.cutNanos() ? phase.claim(messages) : 0;
    }

    private boolean awaitDue() {
        long due = phase.next();
        long now = clock.getAsLong();
        while (now < due && now < phase.cutNanos() && !closed) {
            now = pacer.await(Math.min(due, now + GLANCE_NANOS));
        }
        takenNanos = now;
        return now >= due && due < phase.cutNanos();
    }

    private synchronized boolean nextPhase(long now) {
        PhaseSchedule next = coming.peek();
        if (next == null || now < next.startNanos()) {
            return false;
        }
        phase = coming.remove();
        return true;
    }
}
