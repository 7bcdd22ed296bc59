package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts in rows of words, such as {@code due 1000, acked 990, failed 10}. */
public final class Balances {
    private Balances() {}

    /** Returns these counts; all others are 0. Only a row that names them knows parked and the counts of share groups. */
    public static Balance of(String row, long... values) {
        return of(counts(row, values));
    }

    static Balance of(Map<Count, Long> counts) {
        Map<Count, Long> all = new EnumMap<>(counts);
        for (Count count : Count.LEDGER) {
            boolean usual = count != Count.PARKED && !Count.OF_SHARE_GROUPS.contains(count);
            all.putIfAbsent(count, usual ? 0L : Balance.UNKNOWN);
        }
        return new Balance(all, 0);
    }

    /** Returns the counts of a row, in which {@code $1} stands for the first value. */
    public static Map<Count, Long> counts(String row, long... values) {
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        for (String cell : row.split(", ", -1)) {
            String[] words = cell.split(" ", -1);
            long value = words[1].startsWith("$")
                    ? values[Integer.parseInt(words[1].substring(1)) - 1]
                    : Long.parseLong(words[1]);
            counts.put(Count.valueOf(words[0].toUpperCase(Locale.ROOT)), value);
        }
        return counts;
    }

    /** Fails if one of these counts differs in the balance; its other counts are free. */
    public static void assertCounts(Balance balance, String row) {
        String names = row.replaceAll(" -?\\d+", "");
        assertThat(only(balance, names)).isEqualTo(counts(row));
    }

    /** Returns these counts of a balance, such as {@code sent, lost}, as far as they are known. */
    public static Map<Count, Long> only(Balance balance, String names) {
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        for (String name : names.split(", ", -1)) {
            Count count = Count.valueOf(name.toUpperCase(Locale.ROOT));
            counts.put(count, balance.of(count));
        }
        return counts;
    }
}
