package weir.measure;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of a set of messages. An absent count is unknown: the load has no readers, or Weir cannot separate the
 * counts of steps.
 *
 * @param resolvedTwice number of messages with two outcomes, or with an outcome although they were never sent
 */
public record Balance(Map<Count, Long> counts, long resolvedTwice) {
    public static final long UNKNOWN = -1;

    public Balance {
        counts = new TreeMap<>(counts);
        counts.values().removeIf(count -> count == UNKNOWN);
        counts = Collections.unmodifiableMap(counts);
    }

    public long of(Count count) {
        return counts.getOrDefault(count, UNKNOWN);
    }

    public boolean balances() {
        return of(Count.DUE) == of(Count.SENT) + of(Count.UNSENT)
                && of(Count.SENT) == of(Count.ACKED) + of(Count.FAILED) + of(Count.ABORTED) + of(Count.UNRESOLVED)
                && resolvedTwice == 0;
    }
}
