package weir.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.ValueExp;

/**
 * MBeans of one type whose series change only when a number of theirs does, such as counters. Most have the same number, many
 * of them 0: one question tells which of them still have it, and only the others are read one by one.
 */
final class EqualFigures {
    /** Fewer with the same number are read as fast one by one. */
    private static final int WORTH_ASKING = 3;

    private final ObjectName pattern;
    private final String attribute;
    private final List<ExportedBean> beans;

    private EqualFigures(ObjectName pattern, String attribute, List<ExportedBean> beans) {
        this.pattern = pattern;
        this.attribute = attribute;
        this.beans = List.copyOf(beans);
    }

    /** These MBeans by what can be asked about them at once. */
    static List<EqualFigures> of(Collection<ExportedBean> beans) {
        Map<String, List<ExportedBean>> groups = new TreeMap<>();
        for (ExportedBean bean : beans) {
            ObjectName name = bean.name();
            String type = name.getKeyProperty("type");
            if (bean.request().isEmpty() && !bean.decisive().isEmpty() && type != null) {
                String part = bean.ofPartition() ? ",name=" + name.getKeyProperty("name") : "";
                groups.computeIfAbsent(
                                bean.decisive() + " " + name.getDomain() + ":type=" + type + part + ",*",
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
        return beans.get(0).ofPartition();
    }

    /** Adds the names of those whose series are what they were when they were read last. */
    void unchanged(MBeanServerConnection broker, Set<ObjectName> to) throws IOException {
        Map<Double, Integer> counts = new HashMap<>();
        for (ExportedBean bean : beans) {
            if (!Double.isNaN(bean.number())) {
                counts.merge(bean.number(), 1, Integer::sum);
            }
        }
        Map.Entry<Double, Integer> usual =
                counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(Map.entry(0.0, 0));
        if (usual.getValue() < WORTH_ASKING) {
            return;
        }
        Set<ObjectName> have = having(broker, pattern, attribute, usual.getKey());
        for (ExportedBean bean : beans) {
            if (bean.number() == usual.getKey() && have.contains(bean.name())) {
                to.add(bean.name());
            }
        }
    }

    /** The MBeans of the pattern that have this number, found where they are: one without such a number is none of them. */
    static Set<ObjectName> having(MBeanServerConnection broker, ObjectName pattern, String attribute, double number)
            throws IOException {
        ValueExp value = number == Math.rint(number) ? Query.value((long) number) : Query.value(number);
        return new HashSet<>(broker.queryNames(pattern, Query.eq(Query.attr(attribute), value)));
    }
}
