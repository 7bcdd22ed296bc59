package weir.plan.property;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import weir.plan.syntax.Keys;

/** The broker and topic properties of the default Kafka release, from {@code broker-properties.txt}. */
public final class BrokerProperties {
    private static final String TOPIC = "topic";

    private static final List<List<String>> ROWS = Keys.columns("broker-properties.txt");

    private static final SortedMap<String, String> DEFAULTS = ROWS.stream()
            .filter(row -> !row.get(1).equals(TOPIC))
            .collect(Collectors.toMap(row -> row.get(0), row -> row.get(2), (a, b) -> b, TreeMap::new));

    private BrokerProperties() {}

    public static SortedMap<String, String> defaults() {
        return Collections.unmodifiableSortedMap(DEFAULTS);
    }

    public static Set<String> ofTopics() {
        Set<String> names = new TreeSet<>();
        ROWS.stream().filter(row -> row.get(1).contains(TOPIC)).forEach(row -> names.add(row.get(0)));
        return names;
    }
}
