package weir.judge;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.measure.Numbers;
import weir.results.WindowRow;
import weir.results.value.StepResult;

/** How a trial went, second by second: as much as tells whether it was steady. */
public final class TrialSeries {
    private static final int CALM_SECONDS = 3;
    private static final double CALM_SHARE = 0.95;

    private final SortedMap<Long, Second> seconds = new TreeMap<>();
    /** By step, of what was due in it. */
    private final SortedMap<Integer, SortedMap<Long, Second>> own = new TreeMap<>();

    private record Second(long due, long acked, long failed, long received, long most, double latency, double p99) {
        static final Second NOTHING = new Second(0, 0, 0, 0, 0, Double.NaN, Double.NaN);

        /** A later part of a second adds its counts; the latency is that of the part with the most messages. */
        Second plus(WindowRow row) {
            long events = Math.max(row.acked(), row.received());
            double p50 = Double.isNaN(row.response().p50())
                    ? row.e2e().p50()
                    : row.response().p50();
            double slow = row.response().p99();
            return new Second(
                    due + row.due(),
                    acked + row.acked(),
                    failed + row.failed(),
                    received + row.received(),
                    Math.max(most, events),
                    events > most || Double.isNaN(latency) ? p50 : latency,
                    // Of the latencies of two parts only the larger is sure to be reached.
                    Double.isNaN(p99) || slow > p99 ? slow : p99);
        }

        Second plus(Numbers counts) {
            return new Second(
                    due + counts.due(),
                    acked + counts.acked(),
                    failed + counts.failed(),
                    received + counts.received(),
                    0,
                    Double.NaN,
                    Double.NaN);
        }

        /** Nearly all that was due came, and nothing failed; one message more or less says nothing. */
        boolean came(boolean reads) {
            double enough = CALM_SHARE * due - 1;
            return failed == 0 && acked >= enough && (!reads || received >= enough);
        }

        double throughput() {
            return Math.max(acked, received);
        }
    }

    public void add(WindowRow row) {
        long second = (long) row.second();
        seconds.put(second, seconds.getOrDefault(second, Second.NOTHING).plus(row));
    }

    public void add(int step, double second, Numbers counts) {
        own.computeIfAbsent(step, none -> new TreeMap<>())
                .merge((long) second, Second.NOTHING.plus(counts), (before, more) -> before.plus(counts));
    }

    private SortedMap<Long, Second> own(int step) {
        return own.getOrDefault(step, new TreeMap<>());
    }

    /** How many messages that were due in a step were acked and, where somebody {@code reads}, received before it ended. */
    public long achieved(int step, double to, boolean reads) {
        SortedMap<Long, Second> within = own(step).headMap((long) Math.ceil(to));
        long acked = within.values().stream().mapToLong(Second::acked).sum();
        long received = within.values().stream().mapToLong(Second::received).sum();
        return reads ? Math.min(acked, received) : acked;
    }

    /** How many messages, whenever they were due, were acked from one second on and before another. */
    public long acked(long from, long to) {
        return seconds.subMap(from, to).values().stream()
                .mapToLong(Second::acked)
                .sum();
    }

    /** How many messages that were due before a step were acked between two moments. */
    public long earlierAcked(int step, double from, double to) {
        return earlier(step, from, to, Second::acked);
    }

    public long earlierReceived(int step, double from, double to) {
        return earlier(step, from, to, Second::received);
    }

    private long earlier(int step, double from, double to, ToLongFunction<Second> count) {
        return own.headMap(step).values().stream()
                .flatMap(due -> due.subMap((long) from, (long) Math.ceil(to)).values().stream())
                .mapToLong(count)
                .sum();
    }

    /**
     * Seconds from the beginning of a step until the first of three calm seconds in a row, or of as many as it has; null when
     * there are none. In a calm one nearly all that is due in the step comes, and response p99 is at most {@code millis}.
     */
    public @Nullable Double calmAfter(StepResult step, double millis, boolean reads) {
        double from = step.from();
        double to = from + step.seconds();
        SortedMap<Long, Second> due = own(step.step());
        long first = (long) Math.ceil(from);
        long end = Math.max(first, (long) Math.floor(to));
        long inARow = Math.max(1, Math.min(CALM_SECONDS, end - first));
        long calm = 0;
        for (long second = first; second < end; second++) {
            boolean quick = !(seconds.getOrDefault(second, Second.NOTHING).p99() > millis);
            calm = quick && due.getOrDefault(second, Second.NOTHING).came(reads) ? calm + 1 : 0;
            if (calm == inARow) {
                return Math.max(0, second + 1 - inARow - from);
            }
        }
        return null;
    }

    /**
     * How much longer the queue of what is due and not acked is than at the beginning: there, and at the end of each whole
     * second between two moments. By the rate, and not by what the senders got to: one that is held up comes to it late.
     */
    public double[] queue(double from, double to, double perSecond) {
        long first = (long) Math.ceil(from);
        long end = Math.max(first, (long) Math.floor(to));
        double[] queue = new double[(int) (end - first) + 1];
        for (int i = 1; i < queue.length; i++) {
            Second second = seconds.getOrDefault(first + i - 1, Second.NOTHING);
            queue[i] = queue[i - 1] + perSecond - second.acked() - second.failed();
        }
        return queue;
    }

    /** The lowest response p99, in milliseconds, of a whole second between two moments; NaN where there is none. */
    public double calmest(double from, double to) {
        return DoubleStream.of(values(from, to, Second::p99))
                .filter(Double::isFinite)
                .min()
                .orElse(Double.NaN);
    }

    public double[] throughput(double from, double to) {
        return values(from, to, Second::throughput);
    }

    /** The median latency in each whole second between two moments, NaN where nothing came. */
    public double[] latency(double from, double to) {
        return values(from, to, Second::latency);
    }

    private double[] values(double from, double to, ToDoubleFunction<Second> figure) {
        long first = (long) Math.ceil(from);
        // A trial that was stopped at once has no whole second.
        return seconds.subMap(first, Math.max(first, (long) Math.floor(to))).values().stream()
                .mapToDouble(figure)
                .toArray();
    }
}
