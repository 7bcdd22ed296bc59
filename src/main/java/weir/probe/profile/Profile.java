package weir.probe.profile;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.ProfileSpec;

/**
 * The stacks of one JVM that one event took, added up.
 *
 * @param tool that took them, with its version
 * @param engine by which it was woken: perf events, a timer, the JVM's sampler
 * @param kernel true when frames of the kernel have names
 * @param biased true when only some places of the code can be seen, and native threads not at all
 * @param perUnit the seconds, or bytes, that one unit of the stacks stands for
 * @param seconds for which it was looked at
 */
public record Profile(
        ProfileSpec.Event event,
        String tool,
        String engine,
        boolean kernel,
        boolean biased,
        double perUnit,
        double seconds,
        StackCounts stacks) {

    /**
     * Stacks from the root to the leaf, their frames between semicolons, with their counts. With very many different
     * stacks, the last ones are added up per thread.
     */
    public static final class StackCounts {
        private static final int MOST = 200_000;
        private static final long MOST_CHARACTERS = 1L << 26;
        private static final String OTHER = "[other stacks]";

        private final SortedMap<String, Long> counts = new TreeMap<>();
        private final int most;
        private final double sample;
        private long characters;
        private long samples;
        private long total;

        StackCounts(double sample) {
            this(MOST, sample);
        }

        StackCounts(int most, double sample) {
            this.most = most;
            this.sample = sample;
        }

        void add(String thread, String frames, long seen, long units) {
            String stack = frames.isEmpty() ? thread : thread + ";" + frames;
            boolean fresh = !counts.containsKey(stack);
            boolean full = fresh && (counts.size() >= most || characters >= MOST_CHARACTERS);
            characters += fresh && !full ? stack.length() : 0;
            counts.merge(full ? thread + ";" + OTHER : stack, units, Long::sum);
            samples += seen;
            total += units;
        }

        public SortedMap<String, Long> counts() {
            return Collections.unmodifiableSortedMap(counts);
        }

        /** The weight of a sample, weighted by itself: Σw² / Σw. */
        public double sample() {
            return sample;
        }

        public long samples() {
            return samples;
        }

        public long total() {
            return total;
        }
    }
}
