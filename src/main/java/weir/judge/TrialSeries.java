package weir.judge;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Numbers;
import weir.results.WindowRow;
import weir.results.value.StepResult;

/** The course of a trial second by second, to judge whether it was steady. */
public final class TrialSeries {
    private static final int CALM_SECONDS = 3;
    private static final double CALM_SHARE = 0.95;

    private static final WindowRow NOTHING =
            new WindowRow(0, 1, WindowRow.NO_STEP, new EnumMap<>(Count.class), Map.of(), Double.NaN, Double.NaN);

    private final SortedMap<Long, WindowRow> seconds = new TreeMap<>();
    private final SortedMap<Integer, SortedMap<Long, Numbers>> own = new TreeMap<>();

    public void add(WindowRow row) {
        seconds.put((long) row.second(), row);
    }

    public void add(int step, double second, Numbers counts) {
        own.computeIfAbsent(step, none -> new TreeMap<>()).merge((long) second, counts, Numbers::plus);
    }

    private SortedMap<Long, Numbers> own(int step) {
        return own.getOrDefault(step, new TreeMap<>());
    }

    /** The messages due in a step that were acked and, if {@code reads}, received before the step's end. */
    public long achieved(int step, double to, boolean reads) {
        SortedMap<Long, Numbers> within = own(step).headMap((long) Math.ceil(to));
        long acked = within.values().stream().mapToLong(Numbers::acked).sum();
        long received = within.values().stream().mapToLong(Numbers::received).sum();
        return reads ? Math.min(acked, received) : acked;
    }

    /** The messages acked in the seconds [from, to), whenever they were due. */
    public long acked(long from, long to) {
        return seconds.subMap(from, to).values().stream()
                .mapToLong(WindowRow::acked)
                .sum();
    }

    /** The count of earlier steps' messages in the seconds [from, to). */
    public long earlier(int step, double from, double to, Count count) {
        return own.headMap(step).values().stream()
                .flatMap(due -> due.subMap((long) from, (long) Math.ceil(to)).values().stream())
                .mapToLong(numbers -> numbers.count(count))
                .sum();
    }

    /**
     * Seconds from the start of a step to three consecutive calm seconds; all seconds of a shorter step must be calm.
     * Null without calm seconds. A second is calm if nearly all due messages come and response p99 is at most {@code
     * millis}.
     */
    public @Nullable Double calmAfter(StepResult step, double millis, boolean reads) {
        double from = step.from();
        double to = from + step.seconds();
        SortedMap<Long, Numbers> due = own(step.step());
        long first = (long) Math.ceil(from);
        long end = Math.max(first, (long) Math.floor(to));
        long inARow = Math.max(1, Math.min(CALM_SECONDS, end - first));
        long calm = 0;
        for (long second = first; second < end; second++) {
            boolean quick = !(p99(seconds.getOrDefault(second, NOTHING)) > millis);
            calm = quick && came(due.getOrDefault(second, new Numbers()), reads) ? calm + 1 : 0;
            if (calm == inARow) {
                return Math.max(0, second + 1 - inARow - from);
            }
        }
        return null;
    }

    private static boolean came(Numbers of, boolean reads) {
        double enough = CALM_SHARE * of.due() - 1;
        return of.failed() == 0 && of.acked() >= enough && (!reads || of.received() >= enough);
    }

    /**
     * The growth of the queue of due and unacked messages since {@code from}, after each whole second. The rate gives
     * the due messages, because a blocked sender counts them late.
     */
    public double[] queue(double from, double to, double perSecond) {
        long first = (long) Math.ceil(from);
        long end = Math.max(first, (long) Math.floor(to));
        double[] queue = new double[(int) (end - first) + 1];
        for (int i = 1; i < queue.length; i++) {
            WindowRow second = seconds.getOrDefault(first + i - 1, NOTHING);
            queue[i] = queue[i - 1] + perSecond - second.acked() - second.failed();
        }
        return queue;
    }

    /** The lowest response p99, in milliseconds, of a whole second of the period; NaN without a whole second. */
    public double lowestP99(double from, double to) {
        return DoubleStream.of(values(from, to, TrialSeries::p99))
                .filter(Double::isFinite)
                .min()
                .orElse(Double.NaN);
    }

    public double[] throughput(double from, double to) {
        return values(from, to, second -> Math.max(second.acked(), second.received()));
    }

    public double[] latency(double from, double to) {
        return values(from, to, TrialSeries::p50);
    }

    private static double p99(WindowRow row) {
        return row.response().p99();
    }

    private static double p50(WindowRow row) {
        double response = row.response().p50();
        return Double.isNaN(response) ? row.e2e().p50() : response;
    }

    private double[] values(double from, double to, ToDoubleFunction<WindowRow> figure) {
        long first = (long) Math.ceil(from);
        // A trial that stops at once has no whole second.
        return seconds.subMap(first, Math.max(first, (long) Math.floor(to))).values().stream()
                .mapToDouble(figure)
                .toArray();
    }
}
