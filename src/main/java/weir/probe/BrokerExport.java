package weir.probe;

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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.probe.ExportedBean.EqualFigures;
import weir.probe.exporter.ExporterDialect;
import weir.probe.exporter.ExporterName;
import weir.probe.exporter.SeriesType;

/**
 * All metrics of a broker of this machine about itself, named by Strimzi's rules for the JMX exporter. They are read
 * only on request, on a thread of their own, at most once a second and for a hundredth of the time, so that an
 * observer does not change the run's figures. This costs less than the exporter's agent: a rule runs once for each
 * name, an MBean is asked once for all of its attributes and, of many with the same number, only when its number
 * differs; the ten figures of a kind of request are read again only after such requests, and partitions every ten
 * seconds.
 */
public final class BrokerExport implements AutoCloseable {
    /** Limit of series per broker; beyond it those of partitions are left out, internal topics first. */
    public static final int MOST_SERIES = 20_000;

    private static final long FRESH = Duration.ofMillis(900).toNanos();
    private static final int RESTS = 100;

    private static final long LONGEST_REST = Duration.ofSeconds(10).toNanos();
    private static final long NAMES_FOR = Duration.ofSeconds(10).toNanos();
    private static final long PARTITIONS_FOR = Duration.ofSeconds(10).toNanos();
    /** Pause after a failure, because a stopped broker would be asked in vain. */
    private static final long REFUSED_FOR = Duration.ofSeconds(10).toNanos();

    private static final long STALE = Duration.ofSeconds(15).toNanos();
    private static final ObjectName REQUESTS =
            BrokerFigure.name("kafka.network:type=RequestMetrics,name=TotalTimeMs,*");
    private static final ObjectName KAFKA = BrokerFigure.name("kafka.*:*");
    private static final Logger LOG = LoggerFactory.getLogger(BrokerExport.class);

    private final LongSupplier clock;
    private final int most;
    private final Source source;
    private final ExecutorService thread;
    private @Nullable Future<?> asked;
    /** True when the pending answer was awaited once already; a paused broker delays its callers only once. */
    private boolean late;

    private volatile Answer answer;
    private volatile long refusedNanos;
    private volatile long begunNanos;
    private volatile long restNanos = FRESH;
    private volatile boolean renewed;
    private volatile boolean told;

    /** Owned by the thread, like all below. */
    private final Map<ObjectName, ExportedBean> beans = new LinkedHashMap<>();

    private final Map<String, List<String>> attributesOfClass = new HashMap<>();
    private final Map<String, RequestKind> requests = new HashMap<>();
    private final ExportedJvm jvm = new ExportedJvm();
    private List<EqualFigures> groups = List.of();
    private long namedNanos;
    private long partitionsNanos;
    private int leftOut;

    public record Exported(ExporterName name, double value) {}

    /**
     * The state of a broker as it was read last.
     *
     * @param series empty of a broker that could not be asked
     * @param leftOut series beyond {@link #MOST_SERIES}
     */
    public record Answer(List<Exported> series, int leftOut, long nanos) {
        public Answer {
            series = List.copyOf(series);
        }
    }

    /** Access to a broker's MBeans, which is asked again after a failure. */
    interface Source extends AutoCloseable {
        MBeanServerConnection connection() throws IOException;

        @Override
        void close();
    }

    private static final class RequestKind {
        double total = Double.NaN;
        /** True to read once more: Kafka updates the figures of a request one after the other. */
        boolean again = true;

        boolean due = true;
    }

    public BrokerExport(long pid, LongSupplier clock) {
        this("weir-export-" + pid, new BrokerMBeans(pid), clock, MOST_SERIES);
    }

    BrokerExport(String name, Source source, LongSupplier clock, int most) {
        this.source = source;
        this.clock = clock;
        this.most = most;
        answer = new Answer(List.of(), 0, clock.getAsLong() - STALE);
        namedNanos = clock.getAsLong() - NAMES_FOR;
        refusedNanos = clock.getAsLong() - REFUSED_FOR;
        begunNanos = clock.getAsLong() - FRESH;
        partitionsNanos = clock.getAsLong() - PARTITIONS_FOR;
        thread = BrokerMBeans.thread(name);
    }

    /**
     * Lists the MBeans anew and reads without a pause, because something began or ended that the numbers must
     * separate.
     */
    public void renew() {
        renewed = true;
    }

    public synchronized void ask() {
        Future<?> before = asked;
        boolean waits = before != null && !before.isDone();
        long now = clock.getAsLong();
        boolean refused = now - refusedNanos < REFUSED_FOR;
        if (!waits && !refused && !thread.isShutdown() && now - begunNanos >= (renewed ? FRESH : restNanos)) {
            late = false;
            asked = thread.submit(this::read);
        }
    }

    /** Waits this long for the answer to {@link #ask}; without one, returns the previous answer until it is too old. */
    public Answer answer(Duration patience) {
        Future<?> waiting = awaited();
        try {
            if (waiting != null) {
                waiting.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException slow) {
            // The old numbers say more than none, for a while.
            late();
        } catch (ExecutionException e) {
            // A fault of one broker must not cost other brokers or the run their series.
            if (!told) {
                told = true;
                LOG.warn("the MBeans of a broker cannot be read", e.getCause());
            }
            return new Answer(List.of(), answer.leftOut(), answer.nanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Answer last = answer;
        return clock.getAsLong() - last.nanos() < STALE ? last : new Answer(List.of(), last.leftOut(), last.nanos());
    }

    private synchronized @Nullable Future<?> awaited() {
        return late ? null : asked;
    }

    private synchronized void late() {
        late = true;
    }

    private void read() {
        try {
            // By the begin of the last look: whoever asks each second would otherwise be answered every other second
            // only.
            long now = clock.getAsLong();
            begunNanos = now;
            boolean anew = renewed;
            renewed = false;
            MBeanServerConnection broker = source.connection();
            // What begins brings MBeans with it: Kafka makes many with the first request that they count.
            if (anew || now - namedNanos >= NAMES_FOR) {
                name(broker);
                namedNanos = now;
            }
            boolean partitions = now - partitionsNanos >= PARTITIONS_FOR;
            if (partitions) {
                partitionsNanos = now;
            }
            List<Exported> all = new ArrayList<>();
            jvm.read(broker, all);
            askRequests(broker);
            Set<ObjectName> unchanged = new HashSet<>();
            for (EqualFigures group : groups) {
                if (partitions || !group.ofPartitions()) {
                    group.unchanged(broker, unchanged);
                }
            }
            for (ExportedBean bean : List.copyOf(beans.values())) {
                if (due(bean, partitions) && !unchanged.contains(bean.name) && !bean.read(broker)) {
                    beans.remove(bean.name);
                } else {
                    bean.give(all);
                }
            }
            long done = clock.getAsLong();
            restNanos = Math.min(Math.max(FRESH, RESTS * (done - now)), LONGEST_REST);
            answer = new Answer(all, leftOut, done);
        } catch (IOException | JMRuntimeException e) {
            // It ended or is about to: its figures are unknown from now on, and readers see that it is not up.
            refusedNanos = clock.getAsLong();
            answer = new Answer(List.of(), leftOut, refusedNanos);
            source.close();
            beans.clear();
            requests.clear();
            groups = List.of();
            namedNanos = clock.getAsLong() - NAMES_FOR;
        }
    }

    private boolean due(ExportedBean bean, boolean partitions) {
        if (bean.ofPartition) {
            return partitions || !bean.seen;
        }
        RequestKind kind = bean.request.isEmpty() ? null : requests.get(bean.request);
        return kind == null || kind.due || !bean.seen;
    }

    private void askRequests(MBeanServerConnection broker) throws IOException {
        Set<ObjectName> none = EqualFigures.having(broker, REQUESTS, "Count", 0);
        for (ExportedBean bean : List.copyOf(beans.values())) {
            if (!bean.countsRequests) {
                continue;
            }
            RequestKind kind = requests.computeIfAbsent(bean.request, name -> new RequestKind());
            double total = none.contains(bean.name) ? 0 : bean.count(broker);
            boolean grew = total != kind.total;
            kind.due = grew || kind.again;
            kind.again = grew;
            kind.total = total;
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
            ExportedBean bean = new ExportedBean(instance.getObjectName(), attributes(broker, instance));
            if (series + bean.series() > most) {
                leftOut += bean.series();
            } else if (bean.series() > 0) {
                series += bean.series();
                beans.put(bean.name, bean);
            }
        }
        groups = EqualFigures.of(beans.values());
    }

    /** The attributes that may be exported; all MBeans of one class of Kafka's metrics library share them. */
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
            // Gone since it was listed.
            return List.of();
        }
    }

    /** Does not wait for a paused broker: the thread is a daemon and ends with the broker. */
    @Override
    public synchronized void close() {
        if (!thread.isShutdown()) {
            thread.execute(source::close);
            thread.shutdown();
        }
    }

    /** The JVM series that the exporter's agent adds to those of its rules, named as by Prometheus' Java client. */
    static final class ExportedJvm {
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
                    // A JVM of another vendor may lack it; then the series is missing, as with the agent.
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
            try {
                return BrokerMBeans.values(broker, bean, attributes);
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
                    BrokerMBeans.values(broker, bean, "CollectionCount", "CollectionTime")
                            .forEach((attribute, value) -> {
                                if (value instanceof Number number) {
                                    boolean count = attribute.equals("CollectionCount");
                                    String name = "jvm_gc_collection_seconds_" + (count ? "count" : "sum");
                                    to.add(labelled(name, "gc", gc, number.doubleValue() / (count ? 1 : 1e3)));
                                }
                            });
                } catch (JMException gone) {
                    collectors = null;
                }
            }
        }

        /** Untyped where the agent has a part of a summary; the numbers are the same for every type. */
        private static Exported labelled(String name, String label, String value, double number) {
            SeriesType type = name.startsWith("jvm_gc") ? SeriesType.UNTYPED : SeriesType.GAUGE;
            return new Exported(new ExporterName(name, new TreeMap<>(Map.of(label, value)), type, false), number);
        }
    }
}
