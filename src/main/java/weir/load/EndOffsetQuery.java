package weir.load;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import weir.load.engine.LogView;

/** The ends of the partitions, asked for until somebody answers for each. */
record EndOffsetQuery(LoadContext shared) {
    /** A follower that died holds an end back until it is fenced: nine seconds by default. */
    private static final long SETTLED_NANOS = 15 * LoadContext.SECOND;

    /** The time for which the end has to stand before what nobody confirms counts as written. */
    private static final long STANDS_NANOS = LoadContext.SECOND;

    private static final long PATIENCE_NANOS = 10 * LoadContext.SECOND;

    /** The time that brokers have for topics that have just been made: of a thousand partitions the last one comes late. */
    private static final long MADE_NANOS = 30 * LoadContext.SECOND;

    /** For readers, before anything is sent; fails when nobody answers in time. */
    public long[] readable() {
        long[] known = ask(shared.engine().log()::ends, shared.now() + MADE_NANOS);
        for (int i = 0; i < known.length; i++) {
            if (known[i] < 0) {
                throw new IllegalStateException("nobody says where partition "
                        + shared.engine().log().partitions().get(i) + " ends");
            }
        }
        return known;
    }

    /** For readers, with what is not known where not everybody answers in time. */
    public long[] readableOrUnknown() {
        return ask(shared.engine().log()::ends, shared.now() + PATIENCE_NANOS);
    }

    /** True when somebody may still say where a partition ends of which nobody does now. */
    static boolean untold(long[] ends) {
        return Arrays.stream(ends).anyMatch(end -> end < 0 && end != LogView.UNTOLD);
    }

    public static boolean known(long[] ends) {
        return Arrays.stream(ends).allMatch(end -> end >= 0);
    }

    // A commit returns before its markers are written. What an open transaction of somebody else keeps back is not
    // waited for any longer than that.
    /** For readers, once that is the end of the log. */
    public long[] readable(long[] log, long deadlineNanos) {
        long latestNanos = Math.max(deadlineNanos, shared.now() + PATIENCE_NANOS);
        long[] known = readableOrUnknown();
        while (behind(known, log) && shared.now() < latestNanos) {
            shared.threads().pause(20);
            known = readableOrUnknown();
        }
        return known;
    }

    // The log ends where all replicas in sync are: with acks=1, before what was acked. What lies behind that end is not
    // lost; it is lost when the end comes no nearer.
    /** Returns the ends of the log once it grows no more; not known where brokers have stopped answering. */
    public long[] settled(long deadlineNanos) {
        shared.engine().log().update();
        long[] acked =
                shared.engine().producing().ackedEnds(shared.engine().log().partitions());
        // Sending may have used up all the time, and a leader that has just changed takes a while to be found.
        long[] known = ask(
                shared.engine().log()::logEnds, Math.max(deadlineNanos, shared.now() + SETTLED_NANOS), deadlineNanos);
        long grewNanos = shared.now();
        long stands = shared.engine().producing().confirms() ? 0 : STANDS_NANOS;
        while (known(known) && shared.now() - grewNanos < (behind(known, acked) ? SETTLED_NANOS : stands)) {
            shared.threads().pause(50);
            long[] now = ask(shared.engine().log()::logEnds, shared.now() + PATIENCE_NANOS);
            if (!Arrays.equals(now, known)) {
                grewNanos = shared.now();
                known = now;
            }
        }
        return known;
    }

    private long[] ask(Supplier<long[]> question, long deadlineNanos) {
        return ask(question, deadlineNanos, deadlineNanos);
    }

    /** Negative where nobody has answered by the deadline, or by {@code aloneNanos} if no broker answers. */
    private long[] ask(Supplier<long[]> question, long deadlineNanos, long aloneNanos) {
        long[] known = question.get();
        while (!known(known) && shared.now() < (noBroker(known) ? aloneNanos : deadlineNanos)) {
            shared.threads().pause(100);
            known = question.get();
        }
        return known;
    }

    private static boolean noBroker(long[] ends) {
        return Arrays.stream(ends).allMatch(end -> end == LogView.NO_BROKER);
    }

    private static boolean behind(long[] ends, long[] acked) {
        return IntStream.range(0, Math.min(ends.length, acked.length))
                .anyMatch(partition -> ends[partition] < acked[partition]);
    }
}
