package weir.feature.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import one.convert.Arguments;
import one.convert.JfrConverter;
import one.jfr.JfrReader;
import one.jfr.StackTrace;
import one.jfr.event.AllocationSample;
import one.jfr.event.ContendedLock;
import one.jfr.event.Event;

/** A reader of stacks from files in Flight Recorder's format, which both profilers write. */
record StackReader(Path recording) {
    /** The limit of frames of a stack. The outermost frames of a deeper stack are dropped. */
    static final int DEEPEST = 512;
    /** Maximum characters of a name, so that a line with a stack is short enough for its reader. */
    private static final int LONGEST = 400;

    /** The number with which the converter marks frames of the kernel. */
    private static final byte KERNEL = 5;

    private static final Pattern THREAD = Pattern.compile("\\[(.*) tid=\\d+]", Pattern.DOTALL);
    private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda\\$\\d+(/0x[0-9a-f]+)?");
    private static final Pattern NUMBERS = Pattern.compile("(?<![A-Za-z])\\d+");

    String setting(String name) throws IOException {
        try (JfrReader reader = new JfrReader(recording.toString())) {
            while (reader.readEvent() != null) {
                // The settings are among the events.
            }
            return reader.settings.getOrDefault(name, "");
        }
    }

    /** @param states true if the file mixes CPU and wall-clock samples, which then have a thread state */
    StackCounts read(ProfileSpec.Event event, boolean states, Instant from, Instant to) throws IOException {
        Arguments arguments = new Arguments("--norm", "--dot");
        // If not, equal stacks of two threads would merge under the first thread.
        arguments.threads = true;
        arguments.cpu = states && event == ProfileSpec.Event.CPU;
        arguments.wall = event == ProfileSpec.Event.WALL;
        arguments.alloc = event == ProfileSpec.Event.ALLOC;
        arguments.lock = event == ProfileSpec.Event.LOCK;
        arguments.from = from.toEpochMilli();
        arguments.to = to.toEpochMilli();
        boolean weighs = event == ProfileSpec.Event.ALLOC || event == ProfileSpec.Event.LOCK;
        StackCounts counts = new StackCounts(StackCounts.MOST, weighs ? spread(event, from, to) : 1);
        try (JfrReader reader = new JfrReader(recording.toString())) {
            new Converter(reader, arguments, counts, weighs).convert();
        }
        return counts;
    }

    /** The weight of a sample, weighted by itself, because a long wait is still one sample. */
    private double spread(ProfileSpec.Event event, Instant from, Instant to) throws IOException {
        Class<? extends Event> form = event == ProfileSpec.Event.LOCK ? ContendedLock.class : AllocationSample.class;
        double sum = 0;
        double squares = 0;
        try (JfrReader reader = new JfrReader(recording.toString())) {
            for (Event sample = reader.readEvent(form); sample != null; sample = reader.readEvent(form)) {
                long nanos = reader.eventTimeToNanos(sample.time);
                if (nanos >= nanos(from) && nanos <= nanos(to)) {
                    double units = event == ProfileSpec.Event.LOCK ? 1e9 / reader.ticksPerSec : 1;
                    double weight = sample.value() * units;
                    sum += weight;
                    squares += weight * weight;
                }
            }
        }
        return sum == 0 ? 1 : squares / sum;
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }

    /** The threads of a pool differ only in their numbers and do the same work. */
    static String pool(String thread) {
        Matcher named = THREAD.matcher(thread);
        String name = named.matches() ? named.group(1) : thread;
        return "[" + frame(NUMBERS.matcher(name).replaceAll("#").replace("##", "#")) + "]";
    }

    static String method(String name) {
        return frame(name.contains("$$Lambda$") ? LAMBDA.matcher(name).replaceAll("\\$\\$Lambda") : name);
    }

    private static String frame(String name) {
        String whole = name.length() <= LONGEST ? name : name.substring(0, LONGEST);
        return whole.replace(';', ':').replace('\n', ' ').replace('\r', ' ');
    }

    private static final class Converter extends JfrConverter {
        private final StackCounts counts;
        private final boolean weighs;
        private final Map<Integer, String> pools = new HashMap<>();

        Converter(JfrReader reader, Arguments arguments, StackCounts counts, boolean weighs) {
            super(reader, arguments);
            this.counts = counts;
            this.weighs = weighs;
        }

        @Override
        protected void convertChunk() {
            pools.clear();
            double units = counterFactor();
            collector.forEach((event, samples, value) -> {
                StackTrace trace = jfr.stackTraces.get(event.stackTraceId);
                if (trace == null) {
                    return;
                }
                String pool = pools.computeIfAbsent(event.tid, tid -> pool(getThreadName(tid)));
                StringBuilder frames = new StringBuilder(1 << 10);
                for (int i = Math.min(trace.methods.length, DEEPEST) - 1; i >= 0; i--) {
                    String name = method(getMethodName(trace.methods[i], trace.types[i]));
                    frames.append(frames.length() == 0 ? "" : ";").append(name);
                    if (trace.types[i] == KERNEL) {
                        frames.append("_[k]");
                    }
                }
                if (event.classId() != 0) {
                    frames.append(frames.length() == 0 ? "" : ";").append(method(getClassName(event.classId())));
                }
                counts.add(pool, frames.toString(), samples, weighs ? Math.round(value * units) : samples);
            });
        }
    }

    /**
     * Stacks and their counts. A stack is a text from the root to the leaf with semicolons between frames. Above a
     * limit of different stacks, new stacks are counted together by thread.
     */
    static final class StackCounts {
        private static final int MOST = 200_000;
        private static final long MOST_CHARACTERS = 1L << 26;
        private static final String OTHER = "[other stacks]";

        private final SortedMap<String, Long> counts = new TreeMap<>();
        private final int most;
        private final double sample;
        private long characters;
        private long samples;
        private long total;

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

        SortedMap<String, Long> counts() {
            return Collections.unmodifiableSortedMap(counts);
        }

        double sample() {
            return sample;
        }

        long samples() {
            return samples;
        }

        long total() {
            return total;
        }
    }
}
