package weir.plan.property;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.NearestWord;
import weir.plan.syntax.Keys;

/** The client properties that the wire engine supports, from {@code wire-properties.txt}. */
public final class WireProperties {
    private static final SortedMap<String, Known> KNOWN = read();

    /**
     * A property of the wire engine.
     *
     * @param type Kafka's name of the type: {@code int}, {@code boolean} …
     * @param fallback Kafka's default, empty for none
     * @param values the accepted values; empty for all that Kafka accepts
     */
    public record Known(String type, String fallback, List<String> values) {
        public Known {
            values = List.copyOf(values);
        }
    }

    private WireProperties() {}

    public static SortedMap<String, Known> known() {
        return KNOWN;
    }

    /** The reason why the engine rejects this value; empty if the engine accepts it, or for a reference. */
    public static String refuses(String name, String value) {
        Known known = KNOWN.get(name);
        if (known == null) {
            return "is not supported by the wire engine" + hint(name);
        }
        boolean taken = known.values().isEmpty()
                || value.contains("${")
                || known.values().contains(value.strip());
        return taken
                ? ""
                : "'" + value + "' is not supported by the wire engine; allowed: " + String.join(", ", known.values());
    }

    public static List<String> values(String name) {
        Known known = KNOWN.get(name);
        return known == null ? List.of() : known.values();
    }

    private static String hint(String name) {
        List<String> near = NearestWord.to(name, KNOWN.keySet());
        String meant = near.isEmpty()
                ? "docs/explanation/wire.md lists its properties"
                : "the nearest one is '" + near.get(0) + "'";
        return "; " + meant + "; remove it from variants with engine wire (" + name + ": null), or use engine: client";
    }

    private static SortedMap<String, Known> read() {
        SortedMap<String, Known> known = new TreeMap<>();
        for (List<String> row : Keys.columns("wire-properties.txt")) {
            Properties.Known facts = Properties.known().get(row.get(0));
            if (facts == null) {
                throw new IllegalStateException("wire-properties.txt: no Kafka client knows '" + row.get(0) + "'");
            }
            List<String> values =
                    row.size() < 2 ? List.of() : List.of(row.get(1).split(" ", -1));
            known.put(row.get(0), new Known(facts.type(), facts.fallback(), values));
        }
        return Collections.unmodifiableSortedMap(known);
    }
}
