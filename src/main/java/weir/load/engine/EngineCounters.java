package weir.load.engine;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of one sender or receiver since its start. One thread adds to the counts; any thread may read them. */
public final class EngineCounters<C extends Enum<C>> {
    private final Map<C, AtomicLong> counts;

    public EngineCounters(Class<C> of) {
        counts = new EnumMap<>(of);
        for (C count : of.getEnumConstants()) {
            counts.put(count, new AtomicLong());
        }
    }

    public void add(C count, long more) {
        AtomicLong known = of(count);
        known.lazySet(known.getPlain() + more);
    }

    public long now(C count) {
        return of(count).get();
    }

    private AtomicLong of(C count) {
        return Objects.requireNonNull(counts.get(count));
    }

    /** The sums of the counts of several senders or receivers, and their growth since the previous report. */
    public static final class Totals<C extends Enum<C>> {
        private final Class<C> counts;
        private final Map<C, Long> totals;
        private final Map<C, Long> growth;

        public Totals(Class<C> counts) {
            this.counts = counts;
            this.totals = new EnumMap<>(counts);
            this.growth = new EnumMap<>(counts);
        }

        /** Reads the counters; called once for each report. */
        public void read(Collection<EngineCounters<C>> all) {
            for (C count : counts.getEnumConstants()) {
                long now = all.stream().mapToLong(each -> each.now(count)).sum();
                growth.put(count, now - totals.getOrDefault(count, 0L));
                totals.put(count, now);
            }
        }

        public double total(C count) {
            return (double) totals.getOrDefault(count, 0L);
        }

        /** Reports the growth of {@code sum} divided by the growth of {@code of}, if {@code of} has grown. */
        public void mean(EnginePort.Figures into, String name, C sum, C of, double unit) {
            long count = growth.getOrDefault(of, 0L);
            if (count > 0) {
                into.figure(name, growth.getOrDefault(sum, 0L) / unit / count);
            }
        }
    }
}
