package weir.load;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Where the partitions end, asked until somebody answers for each. */
final class Ends {
    /** A follower that died holds an end back until it is fenced: nine seconds by default. */
    private static final long SETTLED_NANOS = 15 * Shared.SECOND;

    private static final long PATIENCE_NANOS = 10 * Shared.SECOND;

    private final Shared shared;

    Ends(Shared shared) {
        this.shared = shared;
    }

    long[] now() {
        return before(shared.now() + PATIENCE_NANOS);
    }

    /** Throws when a partition has no end at the deadline. */
    long[] before(long deadlineNanos) {
        while (true) {
            long[] known = shared.engine().ends();
            int unknown = 0;
            while (unknown < known.length && known[unknown] >= 0) {
                unknown++;
            }
            if (unknown == known.length) {
                return known;
            }
            if (shared.now() >= deadlineNanos) {
                throw new IllegalStateException("nobody says where partition "
                        + shared.engine().partitions().get(unknown) + " ends");
            }
            shared.threads().pause(100);
        }
    }

    // Readers see a partition end where all its replicas in sync are: with acks=1, before what was acked. What lies
    // behind that end is not lost; it is lost when the end comes no nearer.
    long[] settled(long deadlineNanos) {
        long[] acked = shared.engine().ackedEnds();
        // Sending may have used up all the time, and a leader that has just changed takes a while to be found.
        long[] known = before(Math.max(deadlineNanos, shared.now() + SETTLED_NANOS));
        long grewNanos = shared.now();
        while (behind(known, acked) && shared.now() - grewNanos < SETTLED_NANOS) {
            shared.threads().pause(50);
            long[] now = now();
            if (!Arrays.equals(now, known)) {
                grewNanos = shared.now();
                known = now;
            }
        }
        return known;
    }

    private static boolean behind(long[] ends, long[] acked) {
        return IntStream.range(0, ends.length).anyMatch(partition -> ends[partition] < acked[partition]);
    }
}
