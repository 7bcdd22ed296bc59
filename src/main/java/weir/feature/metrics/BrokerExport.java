package weir.feature.metrics;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.feature.metrics.ExporterDialect.ExporterName;
import weir.feature.metrics.ExporterDialect.ExporterName.SeriesType;
import weir.probe.BrokerFigure;
import weir.probe.BrokerMBeans;
import weir.time.DaemonThreads;

/**
 * All metrics of a local broker, under the names that Strimzi's rules for the JMX exporter create. On request, a
 * separate thread reads the metrics: at most once a second, and for at most 1 % of the time. So reading does not change
 * the figures of a run. The exporter's Java agent would cost more CPU. Here, each rule is applied once to a name, and
 * one request reads all values. {@link BrokerSeries} calls this object from one thread at a time.
 */
public final class BrokerExport implements AutoCloseable {
    /** The limit of series of a broker. Above it, series of partitions are omitted, internal topics first. */
    public static final int MOST_SERIES = 20_000;

    private static final long FRESH = Duration.ofMillis(900).toNanos();
    private static final int RESTS = 100;

    private static final long LONGEST_REST = Duration.ofSeconds(10).toNanos();
    private static final long NAMES_FOR = Duration.ofSeconds(10).toNanos();
    /** The pause after a failed reading, because the broker may be stopped. */
    private static final long REFUSED_FOR = Duration.ofSeconds(10).toNanos();

    private static final long STALE = Duration.ofSeconds(15).toNanos();
    private static final ObjectName KAFKA = BrokerFigure.name("kafka.*:*");
    private static final Logger LOG = LoggerFactory.getLogger(BrokerExport.class);

    private final LongSupplier clock;
    private final int most;
    private final BrokerMBeans mbeans;
    private final ExecutorService thread;
    private @Nullable Future<?> asked;
    /** True after one wait for the pending answer. A paused broker then delays its callers only once. */
    private boolean late;

    private boolean reported;
    private volatile Answer answer;
    private volatile long restsUntilNanos;

    private volatile long begunNanos;
    private volatile boolean refused;
    private volatile boolean renewed;

    /** Only the reading thread uses this field and all fields below. */
    private final Map<ObjectName, ExportedBean> beans = new LinkedHashMap<>();

    private final Map<String, List<String>> attributesOfClass = new HashMap<>();
    private long namedNanos;
    private int leftOut;

    public record Exported(ExporterName name, double value) {}

    /**
     * The state of a broker at its last reading: no series if the broker did not answer; {@code leftOut} is the number
     * of omitted series above {@link #MOST_SERIES}.
     */
    public record Answer(List<Exported> series, int leftOut, long nanos) {
        public Answer {
            series = List.copyOf(series);
        }

        private Answer none() {
            return new Answer(List.of(), leftOut, nanos);
        }
    }

    public BrokerExport(long pid, LongSupplier clock) {
        this(new BrokerMBeans(pid), clock, MOST_SERIES);
    }

    BrokerExport(BrokerMBeans mbeans, LongSupplier clock, int most) {
        this.mbeans = mbeans;
        this.clock = clock;
        this.most = most;
        long now = clock.getAsLong();
        answer = new Answer(List.of(), 0, now - STALE);
        namedNanos = now - NAMES_FOR;
        begunNanos = now - FRESH;
        restsUntilNanos = now;
        thread = Executors.newSingleThreadExecutor(DaemonThreads.named("weir-export"));
    }

    /** Lists the MBeans again and permits a reading immediately, for example after the end of a phase. */
    public void renew() {
        renewed = true;
    }

    public void ask() {
        Future<?> before = asked;
        boolean waits = before != null && !before.isDone();
        long now = clock.getAsLong();
        // The interval counts from the start of the last reading, so that a scraper with 1 s gets every reading.
        boolean anew = renewed && !refused;
        boolean rested = anew ? now - begunNanos >= FRESH : now - restsUntilNanos >= 0;
        if (!waits && rested && !thread.isShutdown()) {
            late = false;
            asked = thread.submit(this::read);
        }
    }

    /** Waits for the answer to {@link #ask}. At the limit, returns the previous answer until it is too old. */
    public Answer answer(Duration timeout) {
        Future<?> waiting = late ? null : asked;
        try {
            if (waiting != null) {
                waiting.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException slow) {
            // For a while, old numbers are better than none.
            late = true;
        } catch (ExecutionException e) {
            // A fault of one broker must not remove the series of others.
            if (!reported) {
                reported = true;
                LOG.warn("cannot read the MBeans of a broker", e.getCause());
            }
            return answer.none();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Answer last = answer;
        return clock.getAsLong() - last.nanos() < STALE ? last : last.none();
    }

    private void read() {
        long now = clock.getAsLong();
        begunNanos = now;
        restsUntilNanos = now + FRESH;
        boolean anew = renewed;
        renewed = false;
        try {
            MBeanServerConnection broker = mbeans.connection();
            // New work creates MBeans: Kafka registers many of them with the first request that they count.
            if (anew || now - namedNanos >= NAMES_FOR) {
                name(broker);
                namedNanos = now;
            }
            List<ExportedBean> asks = List.copyOf(beans.values());
            AttributeList[] values = mbeans.values(
                    beans.keySet().toArray(ObjectName[]::new),
                    asks.stream()
                            .map(bean -> bean.attributes().toArray(String[]::new))
                            .toArray(String[][]::new));
            List<Exported> all = new ArrayList<>();
            for (int i = 0; i < values.length; i++) {
                asks.get(i).report(values[i], all);
            }
            long done = clock.getAsLong();
            restsUntilNanos = now + Math.min(Math.max(FRESH, RESTS * (done - now)), LONGEST_REST);
            answer = new Answer(all, leftOut, done);
            refused = false;
        } catch (IOException | JMRuntimeException e) {
            // The broker ended or will end soon. From now on its figures are unknown, and readers see that it is down.
            long failedNanos = clock.getAsLong();
            restsUntilNanos = failedNanos + REFUSED_FOR;
            refused = true;
            answer = new Answer(List.of(), leftOut, failedNanos);
            mbeans.close();
            beans.clear();
            namedNanos = failedNanos - NAMES_FOR;
        }
    }

    private void name(MBeanServerConnection broker) throws IOException {
        Map<ObjectName, ObjectInstance> there = new HashMap<>();
        broker.queryMBeans(KAFKA, null).forEach(bean -> there.put(bean.getObjectName(), bean));
        beans.keySet().retainAll(there.keySet());
        List<ObjectInstance> added = there.values().stream()
                .filter(bean -> !beans.containsKey(bean.getObjectName()))
                .sorted(Comparator.comparing((ObjectInstance bean) -> ExportedBean.order(bean.getObjectName()))
                        .thenComparing(ObjectInstance::getObjectName))
                .toList();
        int series = beans.values().stream().mapToInt(ExportedBean::series).sum();
        leftOut = 0;
        for (ObjectInstance instance : added) {
            ExportedBean bean = ExportedBean.of(instance.getObjectName(), attributes(broker, instance));
            if (series + bean.series() > most) {
                leftOut += bean.series();
            } else if (bean.series() > 0) {
                series += bean.series();
                beans.put(instance.getObjectName(), bean);
            }
        }
        for (JvmFigure figure : JvmFigure.ALL) {
            for (ObjectName bean : broker.queryNames(figure.bean(), null)) {
                beans.computeIfAbsent(bean, ExportedBean::ofJvm);
            }
        }
    }

    /** All MBeans of one class of Kafka's metrics library share their candidates. */
    private List<String> attributes(MBeanServerConnection broker, ObjectInstance bean) throws IOException {
        if (bean.getObjectName().getKeyProperty("name") == null) {
            return described(broker, bean.getObjectName());
        }
        List<String> known = attributesOfClass.get(bean.getClassName());
        if (known == null) {
            known = described(broker, bean.getObjectName()).stream()
                    .filter(ExporterDialect::exportsOfMetric)
                    .toList();
            attributesOfClass.put(bean.getClassName(), known);
        }
        return known;
    }

    private static List<String> described(MBeanServerConnection broker, ObjectName bean) throws IOException {
        try {
            return Arrays.stream(broker.getMBeanInfo(bean).getAttributes())
                    .map(attribute -> Objects.requireNonNull(attribute.getName()))
                    .toList();
        } catch (JMException e) {
            // The MBean was unregistered after the list was made.
            return List.of();
        }
    }

    /** Ends the reading without a wait for a paused broker: the thread is a daemon and ends with the broker. */
    @Override
    public void close() {
        if (!thread.isShutdown()) {
            thread.execute(mbeans::close);
            thread.shutdown();
        }
    }

    /** @param attributes attributes to read; one of them may be a text, which only some rules export */
    private record ExportedBean(ObjectName name, List<String> attributes, Map<String, ExporterName> names) {
        private static final Set<String> LABELS = Set.of("quantile", "broker");

        /** @param candidates names of attributes; the result omits names that no rule exports */
        static ExportedBean of(ObjectName name, List<String> candidates) {
            List<String> exported = new ArrayList<>();
            Map<String, ExporterName> names = new HashMap<>();
            Set<String> labels = new HashSet<>(LABELS);
            name.getKeyPropertyList().keySet().forEach(key -> labels.add(ExporterDialect.safe(key)));
            // While a log moves to another disk, rules use its topic as a part of the name.
            boolean moves = name.getKeyProperty("is-future") != null;
            for (String attribute : moves ? List.<String>of() : candidates) {
                // With more keys than a rule knows, the rule makes label names of values: topic_orders_partition="0".
                Optional<ExporterName> named = series(name, attribute, 0)
                        .filter(series -> labels.containsAll(series.labels().keySet()));
                named.ifPresent(series -> names.put(attribute, series));
                // Rules may match a number or a text.
                if (named.isPresent() || series(name, attribute, "text").isPresent()) {
                    exported.add(attribute);
                }
            }
            return new ExportedBean(name, exported, names);
        }

        static ExportedBean ofJvm(ObjectName name) {
            List<String> attributes = JvmFigure.ALL.stream()
                    .filter(figure -> figure.bean().apply(name))
                    .map(JvmFigure::attribute)
                    .distinct()
                    .toList();
            return new ExportedBean(name, attributes, Map.of());
        }

        /** Returns the rank in the export. MBeans of partitions come last, and among them internal topics. */
        static int order(ObjectName name) {
            String topic = name.getKeyProperty("topic");
            if (name.getKeyProperty("partition") == null) {
                return topic == null ? 0 : 1;
            }
            return topic != null && topic.startsWith("__") ? 3 : 2;
        }

        private static Optional<ExporterName> series(ObjectName bean, String attribute, Object value) {
            return ExporterDialect.STRIMZI.name(bean, attribute, value).map(ExporterName::fromRelease1);
        }

        int series() {
            return attributes.size();
        }

        void report(AttributeList values, List<Exported> to) {
            for (Attribute read : values.asList()) {
                ExporterName series = names.get(read.getName());
                Object value = read.getValue();
                if (series != null && value instanceof Number number) {
                    to.add(new Exported(series, series.one() ? 1 : number.doubleValue()));
                } else if (series != null && value instanceof Boolean fact) {
                    to.add(new Exported(series, series.one() || fact ? 1 : 0));
                } else if (value instanceof String text) {
                    series(name, read.getName(), text).ifPresent(label -> to.add(new Exported(label, 1)));
                } else if (value != null) {
                    JvmFigure.ALL.forEach(figure -> figure.report(name, read.getName(), value, to));
                }
            }
        }
    }

    /**
     * A series of the JVM that the exporter's agent adds, with the names of Prometheus' Java client. As with the agent,
     * JVMs of other vendors may lack it.
     *
     * @param part of a composite attribute; empty for a number
     * @param series with the value of its only label; an empty value means the name of the MBean
     * @param factor to Prometheus' base unit
     */
    private record JvmFigure(ObjectName bean, String attribute, String part, ExporterName series, double factor) {
        /** Collections have no type, because the agent exports parts of a summary; the values are the same. */
        private static final String ROWS = """
                Threading ThreadCount jvm_threads_current GAUGE 1
                OperatingSystem ProcessCpuTime process_cpu_seconds_total COUNTER 1e-9
                OperatingSystem OpenFileDescriptorCount process_open_fds GAUGE 1
                OperatingSystem MaxFileDescriptorCount process_max_fds GAUGE 1
                Runtime StartTime process_start_time_seconds GAUGE 1e-3
                GarbageCollector,name=* CollectionCount jvm_gc_collection_seconds_count UNTYPED 1 gc=
                GarbageCollector,name=* CollectionTime jvm_gc_collection_seconds_sum UNTYPED 1e-3 gc=
                Memory HeapMemoryUsage.used jvm_memory_used_bytes GAUGE 1 area=heap
                Memory HeapMemoryUsage.committed jvm_memory_committed_bytes GAUGE 1 area=heap
                Memory HeapMemoryUsage.max jvm_memory_max_bytes GAUGE 1 area=heap
                Memory HeapMemoryUsage.init jvm_memory_init_bytes GAUGE 1 area=heap
                Memory NonHeapMemoryUsage.used jvm_memory_used_bytes GAUGE 1 area=nonheap
                Memory NonHeapMemoryUsage.committed jvm_memory_committed_bytes GAUGE 1 area=nonheap
                Memory NonHeapMemoryUsage.max jvm_memory_max_bytes GAUGE 1 area=nonheap
                Memory NonHeapMemoryUsage.init jvm_memory_init_bytes GAUGE 1 area=nonheap
                """;

        static final List<JvmFigure> ALL = ROWS.lines().map(JvmFigure::of).toList();

        private static JvmFigure of(String row) {
            String[] words = row.split(" ", -1);
            String[] attribute = (words[1] + ".").split("\\.", -1);
            SortedMap<String, String> labels = new TreeMap<>();
            if (words.length > 5) {
                String[] label = words[5].split("=", -1);
                labels.put(label[0], label[1]);
            }
            return new JvmFigure(
                    BrokerFigure.name("java.lang:type=" + words[0]),
                    attribute[0],
                    attribute[1],
                    new ExporterName(words[2], labels, SeriesType.valueOf(words[3]), false),
                    Double.parseDouble(words[4]));
        }

        void report(ObjectName from, String read, Object value, List<Exported> to) {
            if (!read.equals(attribute) || !bean.apply(from)) {
                return;
            }
            Object found = value instanceof CompositeData parts ? parts.get(part) : value;
            if (found instanceof Number number) {
                SortedMap<String, String> labels = new TreeMap<>(series.labels());
                labels.replace("gc", "", from.getKeyProperty("name"));
                ExporterName labelled = new ExporterName(series.name(), labels, series.type(), false);
                to.add(new Exported(labelled, number.doubleValue() * factor));
            }
        }
    }
}
