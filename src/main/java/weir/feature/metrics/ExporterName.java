package weir.feature.metrics;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/**
 * The exported name, labels and type of one attribute of an MBean.
 *
 * @param one true if the attribute is a text. A label contains the text, and the value is always 1.
 */
public record ExporterName(String name, SortedMap<String, String> labels, SeriesType type, boolean one) {
    /** Endings of names that Prometheus' Java client reserves since version 1.0. */
    private static final Pattern RESERVED = Pattern.compile("(_total|_created|_bucket|_info)+$");

    public enum SeriesType {
        COUNTER,
        GAUGE,
        UNTYPED
    }

    public ExporterName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a series must have a name; its labels: " + labels);
        }
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    ExporterName(String name, Map<String, String> labels, SeriesType type) {
        this(name, new TreeMap<>(labels), type, false);
    }

    /**
     * The name in exporters from version 1.0 on. All counters end with "_total", even after "_count"; no other series
     * does. Exporters up to 0.20 use the name of the rule.
     */
    public ExporterName fromRelease1() {
        String bare = RESERVED.matcher(name).replaceFirst("");
        return new ExporterName(type == SeriesType.COUNTER ? bare + "_total" : bare, labels, type, one);
    }

    public static Collection<ExporterName> spellings(ObjectName bean, String attribute) {
        Set<ExporterName> all = new LinkedHashSet<>();
        for (ExporterDialect dialect : ExporterDialect.values()) {
            dialect.name(bean, attribute, 0).ifPresent(name -> {
                all.add(name.fromRelease1());
                all.add(name);
            });
        }
        return all;
    }
}
