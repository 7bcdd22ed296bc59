package weir.measure;

import java.util.EnumMap;
import java.util.Map;

/** Balances made up for a test. */
public final class Balances {
    private Balances() {}

    /** These counts, and none of all others; parked is only known where it is told. */
    public static Balance of(Map<Count, Long> counts) {
        Map<Count, Long> all = new EnumMap<>(Count.class);
        for (Count count : Count.LEDGER) {
            all.put(count, counts.getOrDefault(count, count == Count.PARKED ? Balance.UNKNOWN : 0L));
        }
        return new Balance(all, 0);
    }
}
