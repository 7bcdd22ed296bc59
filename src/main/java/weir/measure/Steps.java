package weir.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a trial and their parts. A message belongs to a step and a part by its due time. The start or end of a
 * disturbance cuts a step, and a new part begins. A load treats each part like a step. The figures of a step or a
 * disturbance are sums over its parts. Parts are numbered in the order of time, from {@link #MEASURE} on.
 */
public record Steps(List<Part> parts) {
    public static final int FILL = 0;
    public static final int WARMUP = 1;
    public static final int MEASURE = 2;

    public static final Steps WHOLE = new Steps(List.of());

    private static final double SECOND = 1e9;

    public Steps {
        parts = List.copyOf(parts);
    }

    /** A part of a step. Times count from the measured phase's start; {@code sinceNanos} is the last cut, or 0. */
    public record Part(int step, long sinceNanos, long startNanos, long endNanos) {}

    public static Steps cut(List<Part> steps, SortedSet<Long> cuts) {
        List<Part> parts = new ArrayList<>();
        for (Part step : steps) {
            long from = step.startNanos;
            for (long cut : cuts.subSet(step.startNanos + 1, step.endNanos)) {
                parts.add(new Part(step.step, since(cuts, from), from, cut));
                from = cut;
            }
            parts.add(new Part(step.step, since(cuts, from), from, step.endNanos));
        }
        return new Steps(parts);
    }

    private static long since(SortedSet<Long> cuts, long nanos) {
        SortedSet<Long> before = cuts.headSet(nanos + 1);
        return before.isEmpty() ? 0 : before.last();
    }

    public int step(int part) {
        return has(part) ? parts.get(part - MEASURE).step : part;
    }

    /** The name of a part in files: {@code 2}, or {@code 2+6.5} for messages due in step 2 after a cut at 6.5 s. */
    public String name(int part) {
        long since = has(part) ? parts.get(part - MEASURE).sinceNanos : 0;
        return new HistogramLog.LatencyTag("", step(part), since / SECOND).place();
    }

    private boolean has(int part) {
        return part >= MEASURE && part - MEASURE < parts.size();
    }

    public Balance balance(Ledger ledger, int step) {
        int[] own = IntStream.range(MEASURE, MEASURE + parts.size())
                .filter(part -> step(part) == step)
                .toArray();
        return own.length == 0 ? ledger.balance(step) : ledger.balance(own[0], own[own.length - 1]);
    }

    public @Nullable Balance balance(Ledger ledger, long fromNanos, long toNanos) {
        int[] own = IntStream.range(0, parts.size())
                .filter(i -> parts.get(i).sinceNanos >= fromNanos && parts.get(i).sinceNanos < toNanos)
                .map(i -> MEASURE + i)
                .toArray();
        return own.length == 0 ? null : ledger.balance(own[0], own[own.length - 1]);
    }
}
