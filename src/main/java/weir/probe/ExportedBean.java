package weir.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.ValueExp;
import org.jspecify.annotations.Nullable;
import weir.probe.BrokerExport.Exported;
import weir.probe.exporter.ExporterDialect;
import weir.probe.exporter.ExporterName;

/** One MBean of a broker, the names of its series, and the values read last. */
final class ExportedBean {
    private static final String COUNT = "Count";
    private static final String VALUE = "Value";
    private static final Set<String> LABELS = Set.of("quantile", "broker");

    final ObjectName name;
    private final String[] attributes;
    private final Map<String, ExporterName> names = new HashMap<>();

    final String request;

    final boolean countsRequests;

    final boolean ofPartition;
    /** The attribute that changes whenever any other does; empty without one. */
    final String decisive;

    double number = Double.NaN;

    private List<Exported> last = List.of();
    boolean seen;

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
            // Rules may match a number or a text.
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

    /** Priority of an MBean when not all fit: partitions come last, and among them internal topics. */
    static int order(ObjectName name) {
        String topic = name.getKeyProperty("topic");
        if (name.getKeyProperty("partition") == null) {
            return topic == null ? 0 : 1;
        }
        return topic != null && topic.startsWith("__") ? 3 : 2;
    }

    private boolean labelled(ExporterName series) {
        Set<String> known = new HashSet<>(LABELS);
        name.getKeyPropertyList().keySet().forEach(key -> known.add(ExporterDialect.safe(key)));
        return known.containsAll(series.labels().keySet());
    }

    private Optional<ExporterName> name(String attribute, Object value) {
        return ExporterDialect.STRIMZI.name(name, attribute, value).map(ExporterName::fromRelease1);
    }

    int series() {
        return attributes.length;
    }

    double count(MBeanServerConnection broker) throws IOException {
        try {
            return broker.getAttribute(name, COUNT) instanceof Number count ? count.doubleValue() : Double.NaN;
        } catch (JMException gone) {
            return Double.NaN;
        }
    }

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

    /**
     * MBeans of one type whose series change only with one number, such as counters. Most have the same number, many
     * of them 0: one query finds those that still have it, and only the others are read one by one.
     */
    static final class EqualFigures {
        private static final int WORTH_ASKING = 3;

        private final ObjectName pattern;
        private final String attribute;
        private final List<ExportedBean> beans;

        private EqualFigures(ObjectName pattern, String attribute, List<ExportedBean> beans) {
            this.pattern = pattern;
            this.attribute = attribute;
            this.beans = List.copyOf(beans);
        }

        static List<EqualFigures> of(Collection<ExportedBean> beans) {
            Map<String, List<ExportedBean>> groups = new TreeMap<>();
            for (ExportedBean bean : beans) {
                ObjectName name = bean.name;
                String type = name.getKeyProperty("type");
                if (bean.request.isEmpty() && !bean.decisive.isEmpty() && type != null) {
                    String part = bean.ofPartition ? ",name=" + name.getKeyProperty("name") : "";
                    groups.computeIfAbsent(
                                    bean.decisive + " " + name.getDomain() + ":type=" + type + part + ",*",
                                    key -> new ArrayList<>())
                            .add(bean);
                }
            }
            return groups.entrySet().stream()
                    .map(group -> {
                        String[] words = group.getKey().split(" ", 2);
                        return new EqualFigures(BrokerFigure.name(words[1]), words[0], group.getValue());
                    })
                    .toList();
        }

        boolean ofPartitions() {
            return beans.get(0).ofPartition;
        }

        void unchanged(MBeanServerConnection broker, Set<ObjectName> to) throws IOException {
            Map<Double, Integer> counts = new HashMap<>();
            for (ExportedBean bean : beans) {
                if (!Double.isNaN(bean.number)) {
                    counts.merge(bean.number, 1, Integer::sum);
                }
            }
            Map.Entry<Double, Integer> usual =
                    counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(Map.entry(0.0, 0));
            if (usual.getValue() < WORTH_ASKING) {
                return;
            }
            Set<ObjectName> have = having(broker, pattern, attribute, usual.getKey());
            for (ExportedBean bean : beans) {
                if (bean.number == usual.getKey() && have.contains(bean.name)) {
                    to.add(bean.name);
                }
            }
        }

        /** The MBeans of the pattern with this number, found by the broker; one without a number is not among them. */
        static Set<ObjectName> having(MBeanServerConnection broker, ObjectName pattern, String attribute, double number)
                throws IOException {
            ValueExp value = number == Math.rint(number) ? Query.value((long) number) : Query.value(number);
            return new HashSet<>(broker.queryNames(pattern, Query.eq(Query.attr(attribute), value)));
        }
    }
}
