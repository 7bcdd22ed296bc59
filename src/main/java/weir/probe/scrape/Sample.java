package weir.probe.scrape;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** One line of what an exporter tells: a name, its labels, and a value, which may be anything that a double is. */
record Sample(String name, Map<String, String> labels, double value) {
    Sample {
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** The value of a label; empty where it has none. */
    String label(String label) {
        return labels.getOrDefault(label, "");
    }
}
