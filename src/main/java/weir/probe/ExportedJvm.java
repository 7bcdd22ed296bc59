package weir.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import weir.probe.BrokerExport.Exported;
import weir.probe.exporter.ExporterName;
import weir.probe.exporter.SeriesType;

/** The series about its JVM that the exporter's agent adds to those of its rules, by the names of Prometheus' Java client. */
final class ExportedJvm {
    private static final ObjectName MEMORY = BrokerFigure.name("java.lang:type=Memory");
    private static final ObjectName THREADS = BrokerFigure.name("java.lang:type=Threading");
    private static final ObjectName SYSTEM = BrokerFigure.name("java.lang:type=OperatingSystem");
    private static final ObjectName RUNTIME = BrokerFigure.name("java.lang:type=Runtime");
    private static final ObjectName COLLECTORS = BrokerFigure.name("java.lang:type=GarbageCollector,name=*");

    /** Attribute, series, and the factor to Prometheus' base unit. */
    private record Figure(ObjectName bean, String attribute, ExporterName series, double factor) {}

    private static final Map<ObjectName, List<Figure>> FIGURES = Stream.of(
                    figure(THREADS, "ThreadCount", "jvm_threads_current", SeriesType.GAUGE, 1),
                    figure(SYSTEM, "ProcessCpuTime", "process_cpu_seconds_total", SeriesType.COUNTER, 1e-9),
                    figure(SYSTEM, "OpenFileDescriptorCount", "process_open_fds", SeriesType.GAUGE, 1),
                    figure(SYSTEM, "MaxFileDescriptorCount", "process_max_fds", SeriesType.GAUGE, 1),
                    figure(RUNTIME, "StartTime", "process_start_time_seconds", SeriesType.GAUGE, 1e-3))
            .collect(Collectors.groupingBy(Figure::bean));

    private @Nullable List<ObjectName> collectors;

    private static Figure figure(ObjectName bean, String attribute, String name, SeriesType type, double factor) {
        return new Figure(bean, attribute, new ExporterName(name, new TreeMap<>(), type, false), factor);
    }

    void read(MBeanServerConnection broker, List<Exported> to) throws IOException {
        for (Map.Entry<ObjectName, List<Figure>> bean : FIGURES.entrySet()) {
            Map<String, Object> values = values(
                    broker,
                    bean.getKey(),
                    bean.getValue().stream().map(Figure::attribute).toArray(String[]::new));
            for (Figure figure : bean.getValue()) {
                // A JVM of another maker may not tell; then there is no such series, as with the agent.
                if (values.get(figure.attribute) instanceof Number number) {
                    to.add(new Exported(figure.series, number.doubleValue() * figure.factor));
                }
            }
        }
        Map<String, Object> memory = values(broker, MEMORY, "HeapMemoryUsage", "NonHeapMemoryUsage");
        memory(memory.get("HeapMemoryUsage"), "heap", to);
        memory(memory.get("NonHeapMemoryUsage"), "nonheap", to);
        collections(broker, to);
    }

    private static Map<String, Object> values(MBeanServerConnection broker, ObjectName bean, String... attributes)
            throws IOException {
        Map<String, Object> values = new HashMap<>();
        try {
            broker.getAttributes(bean, attributes)
                    .asList()
                    .forEach(attribute -> values.put(attribute.getName(), attribute.getValue()));
            return values;
        } catch (JMException e) {
            throw new IOException("asking for " + bean, e);
        }
    }

    private static void memory(@Nullable Object usage, String area, List<Exported> to) {
        if (usage instanceof CompositeData parts) {
            for (String part : List.of("used", "committed", "max", "init")) {
                if (parts.get(part) instanceof Number bytes) {
                    to.add(labelled("jvm_memory_" + part + "_bytes", "area", area, bytes.doubleValue()));
                }
            }
        }
    }

    private void collections(MBeanServerConnection broker, List<Exported> to) throws IOException {
        List<ObjectName> beans = collectors;
        if (beans == null) {
            beans = new ArrayList<>(broker.queryNames(COLLECTORS, null));
            collectors = beans;
        }
        for (ObjectName bean : beans) {
            String gc = bean.getKeyProperty("name");
            try {
                for (Attribute attribute : broker.getAttributes(
                                bean, new String[] {"CollectionCount", "CollectionTime"})
                        .asList()) {
                    if (attribute.getValue() instanceof Number number) {
                        boolean count = attribute.getName().equals("CollectionCount");
                        to.add(labelled(
                                "jvm_gc_collection_seconds_" + (count ? "count" : "sum"),
                                "gc",
                                gc,
                                count ? number.doubleValue() : number.doubleValue() / 1e3));
                    }
                }
            } catch (JMException gone) {
                collectors = null;
            }
        }
    }

    /** Untyped where the agent has a part of a summary: the numbers are the same, whatever is said of their kind. */
    private static Exported labelled(String name, String label, String value, double number) {
        SeriesType type = name.startsWith("jvm_gc") ? SeriesType.UNTYPED : SeriesType.GAUGE;
        return new Exported(new ExporterName(name, new TreeMap<>(Map.of(label, value)), type, false), number);
    }
}
