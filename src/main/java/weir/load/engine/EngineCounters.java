package weir.load.engine;

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
}
