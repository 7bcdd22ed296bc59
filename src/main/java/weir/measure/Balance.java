package weir.measure;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of some messages. A count that is not known is absent: nobody read, or it cannot be told apart for these
 * steps.
 *
 * @param resolvedTwice messages that ended in two ways, or were never sent
 */
public record Balance(Map<Count, Long> counts, long resolvedTwice) {
    /** Stands for a count that is not known. */
    public static final long UNKNOWN = -1;

    public Balance {
        counts = new TreeMap<>(counts);
        counts.values().removeIf(count -> count == UNKNOWN);
        counts = Collections.unmodifiableMap(counts);
    }

    public long of(Count count) {
        return counts.getOrDefault(count, UNKNOWN);
    }

    /** True when every due message is in exactly one place. */
    public boolean balances() {
        return of(Count.DUE) == of(Count.SENT) + of(Count.UNSENT)
                && of(Count.SENT) == of(Count.ACKED) + of(Count.FAILED) + of(Count.ABORTED) + of(Count.UNRESOLVED)
                && resolvedTwice == 0;
    }
}
