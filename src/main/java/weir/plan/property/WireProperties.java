package weir.plan.property;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.NearestWord;
import weir.plan.syntax.Keys;

/** The client properties that the wire engine supports, from {@code wire-properties.txt}. */
public final class WireProperties {
    /** The accepted values of each property; empty for all that Kafka accepts. */
    private static final SortedMap<String, List<String>> KNOWN = Keys.columns("wire-properties.txt").stream()
            .collect(Collectors.toMap(
                    row -> row.get(0),
                    row -> row.stream()
                            .skip(1)
                            .flatMap(values -> Stream.of(values.split(" ", -1)))
                            .toList(),
                    (a, b) -> b,
                    TreeMap::new));

    private WireProperties() {}

    public static SortedMap<String, List<String>> known() {
        return Collections.unmodifiableSortedMap(KNOWN);
    }

    /** The reason why the engine rejects this value; empty if the engine accepts it, or for a reference. */
    public static String refuses(String name, String value) {
        List<String> allowed = KNOWN.get(name);
        if (allowed == null) {
            return "is not supported by the wire engine" + hint(name);
        }
        return allowed.isEmpty() || value.contains("${") || allowed.contains(value.strip())
                ? ""
                : "'" + value + "' is not supported by the wire engine; allowed: " + String.join(", ", allowed);
    }

    private static String hint(String name) {
        List<String> near = NearestWord.to(name, KNOWN.keySet());
        String meant = near.isEmpty()
                ? "docs/explanation/wire.md lists its properties"
                : "the nearest one is '" + near.get(0) + "'";
        return "; " + meant + "; remove it from variants with engine wire (" + name + ": null), or use engine: client";
    }
}
