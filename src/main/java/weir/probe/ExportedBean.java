package weir.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import weir.probe.BrokerExport.Exported;
import weir.probe.exporter.ExporterDialect;
import weir.probe.exporter.ExporterName;

/** One MBean of a broker, the names of its series, and their values when it was read last. */
final class ExportedBean {
    private static final String COUNT = "Count";
    private static final String VALUE = "Value";
    private static final Set<String> LABELS = Set.of("quantile", "broker");

    private final ObjectName name;
    private final String[] attributes;
    /** By attribute; those whose text makes a label are named when they are read. */
    private final Map<String, ExporterName> names = new HashMap<>();

    private final String request;
    private final boolean countsRequests;
    private final boolean ofPartition;
    private final String decisive;
    private double number = Double.NaN;
    private List<Exported> last = List.of();
    private boolean seen;

    /** @param candidates attributes, some of which no rule may export */
    ExportedBean(ObjectName name, List<String> candidates) {
        this.name = name;
        List<String> exported = new ArrayList<>();
        // While a log moves to another disk, a rule takes its topic for a part of the name.
        boolean moves = name.getKeyProperty("is-future") != null;
        for (String attribute : moves ? List.<String>of() : candidates) {
            // Where a rule meets more keys than it knows, it makes a label's name of values:
            // topic_orders_partition="0".
            Optional<ExporterName> named = name(attribute, 0).filter(this::labelled);
            named.ifPresent(series -> names.put(attribute, series));
            // A number's name and a text's: a rule may want either.
            if (named.isPresent() || name(attribute, "text").isPresent()) {
                exported.add(attribute);
            }
        }
        attributes = exported.toArray(String[]::new);
        String type = name.getKeyProperty("type");
        String figure = name.getKeyProperty("name");
        String kind = name.getKeyProperty("request");
        request = "RequestMetrics".equals(type) && kind != null ? kind : "";
        countsRequests = !request.isEmpty() && "TotalTimeMs".equals(figure);
        ofPartition = name.getKeyProperty("partition") != null;
        decisive = decisive(exported);
    }

    private static String decisive(List<String> exported) {
        if (exported.equals(List.of(VALUE))) {
            return VALUE;
        }
        boolean counts = exported.stream().allMatch(each -> each.equals(COUNT) || each.endsWith("thPercentile"));
        return counts && exported.contains(COUNT) ? COUNT : "";
    }

    /** The place of an MBean when not all can be shown: partitions last, and of those internal topics. */
    static int order(ObjectName name) {
        String topic = name.getKeyProperty("topic");
        if (name.getKeyProperty("partition") == null) {
            return topic == null ? 0 : 1;
        }
        return topic != null && topic.startsWith("__") ? 3 : 2;
    }

    /** True when each label is a key of the MBean, or one that a rule names itself. */
    private boolean labelled(ExporterName series) {
        Set<String> known = new HashSet<>(LABELS);
        name.getKeyPropertyList().keySet().forEach(key -> known.add(ExporterDialect.safe(key)));
        return known.containsAll(series.labels().keySet());
    }

    private Optional<ExporterName> name(String attribute, Object value) {
        return ExporterDialect.STRIMZI.name(name, attribute, value).map(ExporterName::fromRelease1);
    }

    ObjectName name() {
        return name;
    }

    int series() {
        return attributes.length;
    }

    /** The kind of request that it is about; empty for all others. */
    String request() {
        return request;
    }

    /** True for the figure that Kafka counts up with each request of its kind, whatever else it does. */
    boolean countsRequests() {
        return countsRequests;
    }

    /** The attribute without whose change no other changes; empty where there is none. */
    String decisive() {
        return decisive;
    }

    /** The number of {@link #decisive} when it was read last; NaN for none. */
    double number() {
        return number;
    }

    boolean ofPartition() {
        return ofPartition;
    }

    /** True once it was read. */
    boolean seen() {
        return seen;
    }

    double count(MBeanServerConnection broker) throws IOException {
        try {
            return broker.getAttribute(name, COUNT) instanceof Number count ? count.doubleValue() : Double.NaN;
        } catch (JMException gone) {
            return Double.NaN;
        }
    }

    /** False when it is not there any more. */
    boolean read(MBeanServerConnection broker) throws IOException {
        List<Exported> now = new ArrayList<>(attributes.length);
        number = Double.NaN;
        try {
            for (Attribute attribute : broker.getAttributes(name, attributes).asList()) {
                Exported exported = exported(attribute.getName(), attribute.getValue());
                if (exported != null) {
                    now.add(exported);
                }
                if (attribute.getName().equals(decisive) && attribute.getValue() instanceof Number read) {
                    number = read.doubleValue();
                }
            }
        } catch (JMException gone) {
            return false;
        }
        last = now;
        seen = true;
        return true;
    }

    private @Nullable Exported exported(String attribute, @Nullable Object value) {
        ExporterName series = names.get(attribute);
        if (value instanceof Number number && series != null) {
            return new Exported(series, series.one() ? 1 : number.doubleValue());
        }
        if (value instanceof Boolean fact && series != null) {
            return new Exported(series, series.one() || fact ? 1 : 0);
        }
        return value instanceof String text
                ? name(attribute, text).map(label -> new Exported(label, 1)).orElse(null)
                : null;
    }

    void give(List<Exported> to) {
        to.addAll(last);
    }
}
