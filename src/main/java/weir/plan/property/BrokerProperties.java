package weir.plan.property;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import weir.plan.syntax.Keys;

/** The broker and topic properties of the default Kafka release, from {@code broker-properties.txt}. */
public final class BrokerProperties {
    private static final String TOPIC = "topic";

    private static final SortedMap<String, String> DEFAULTS = read();

    private BrokerProperties() {}

    public static SortedMap<String, String> defaults() {
        return DEFAULTS;
    }

    public static Set<String> ofTopics() {
        Set<String> names = new TreeSet<>();
        lines().filter(columns -> columns[1].contains(TOPIC)).forEach(columns -> names.add(columns[0]));
        return names;
    }

    private static SortedMap<String, String> read() {
        SortedMap<String, String> defaults = new TreeMap<>();
        lines().filter(columns -> !columns[1].equals(TOPIC)).forEach(columns -> defaults.put(columns[0], columns[2]));
        return Collections.unmodifiableSortedMap(defaults);
    }

    private static Stream<String[]> lines() {
        return Keys.resource("broker-properties.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", -1));
    }
}
