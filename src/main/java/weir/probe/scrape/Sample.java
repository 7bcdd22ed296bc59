package weir.probe.scrape;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One line of what an exporter tells.
 *
 * @param value may be anything that a double is
 * @param timed whether it has a time of its own, as what somebody else has collected before
 */
record Sample(String name, Map<String, String> labels, double value, boolean timed) {
    Sample {
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** The value of a label; empty where it has none. */
    String label(String label) {
        return labels.getOrDefault(label, "");
    }
}
