package weir.probe;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import weir.host.kernel.KernelFiles;
import weir.measure.ProbeMetric;
import weir.probe.BrokerFigure.Form;
import weir.probe.OwnJvm.AllocatedBytes;
import weir.time.DaemonThreads;

/**
 * A probe of a Kafka broker's own metrics, from the MBeans of the broker. The probe has its own thread, because other
 * probes must not wait for a paused broker.
 */
final class BrokerJmx implements Probe {
    /**
     * The interval of full readings. Reading an MBean costs a newly started broker 0.5 ms of CPU. So most readings
     * include only the seven MBeans of a produce request.
     */
    private static final int EVERY = 5;

    /** The time that other probes wait, once, for a broker that stops answering. */
    private static final Duration TIMEOUT = Duration.ofMillis(300);

    private static final ObjectName MEMORY = BrokerFigure.name("java.lang:type=Memory");
    private static final ObjectName THREADS = BrokerFigure.name("java.lang:type=Threading");

    private final long pid;
    private final Duration timeout;
    private final ExecutorService thread;
    private int looks;
    private @Nullable Future<Answer> asked;

    /** The connection. Only the probe's own thread uses this field and the fields below. */
    private final BrokerMBeans mbeans;

    private final AllocatedBytes allocated = new AllocatedBytes();

    /** {@code values} is empty for a figure whose MBean the broker lacks. */
    private record Answer(double heapMib, double allocatedBytes, Map<BrokerFigure, Map<String, Double>> values) {}

    BrokerJmx(long pid) {
        this(pid, TIMEOUT);
    }

    BrokerJmx(long pid, Duration timeout) {
        this.pid = pid;
        this.mbeans = new BrokerMBeans(pid);
        this.timeout = timeout;
        this.thread = Executors.newSingleThreadExecutor(DaemonThreads.named("weir-jmx-" + pid));
    }

    @Override
    public List<ProbeMetric> drawn() {
        return OwnJvm.DRAWN;
    }

    @Override
    public void sample(Readings into) {
        Future<Answer> before = asked;
        if (before != null && !before.isDone()) {
            into.absent("kafka.*", "the broker has not yet answered over JMX");
            return;
        }
        // A late answer does not belong to its second, so it is dropped.
        boolean whole = looks++ % EVERY == 0;
        Future<Answer> answer = thread.submit(() -> ask(whole));
        asked = answer;
        try {
            report(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS), into);
        } catch (TimeoutException e) {
            into.absent("kafka.*", "the broker did not answer within " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            into.absent("kafka.*", "reading MBeans of process " + pid + " over JMX: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void report(Answer answer, Readings into) {
        into.level(OwnJvm.HEAP, answer.heapMib);
        if (!Double.isNaN(answer.allocatedBytes)) {
            into.rate(AllocatedBytes.METRIC, answer.allocatedBytes);
        }
        answer.values.forEach((figure, values) -> {
            if (values.isEmpty()) {
                into.absent(figure.metric(), "this broker has no MBean " + figure.name());
            } else {
                figure.report(values, into);
            }
        });
    }

    private Answer ask(boolean whole) throws IOException {
        List<BrokerFigure> figures = whole ? BrokerFigure.ALL : BrokerFigure.EACH_SECOND;
        List<ObjectName> beans = new ArrayList<>(List.of(MEMORY));
        List<String[]> attributes = new ArrayList<>(List.<String[]>of(new String[] {"HeapMemoryUsage"}));
        for (BrokerFigure figure : figures) {
            beans.add(figure.name());
            Form form = figure.form();
            attributes.add((whole ? form.attributes() : form.totals()).toArray(String[]::new));
        }
        try {
            AttributeList[] read = mbeans.values(beans.toArray(ObjectName[]::new), attributes.toArray(String[][]::new));
            Map<BrokerFigure, Map<String, Double>> values = new LinkedHashMap<>();
            for (int i = 0; i < figures.size(); i++) {
                values.put(figures.get(i), numbers(read[i + 1]));
            }
            CompositeData heap = (CompositeData) read[0].asList().get(0).getValue();
            double bytes = whole ? allocated(mbeans.connection()) : Double.NaN;
            return new Answer((long) heap.get("used") / KernelFiles.MIB, bytes, values);
        } catch (IOException e) {
            mbeans.close();
            throw e;
        }
    }

    private static Map<String, Double> numbers(AttributeList read) {
        Map<String, Double> numbers = new HashMap<>();
        for (Attribute attribute : read.asList()) {
            if (attribute.getValue() instanceof Number number) {
                numbers.put(attribute.getName(), number.doubleValue());
            }
        }
        return numbers;
    }

    /** The bytes that the broker has allocated; NaN if the JVM does not count them. */
    private double allocated(MBeanServerConnection broker) throws IOException {
        try {
            long[] threads = (long[]) broker.getAttribute(THREADS, "AllThreadIds");
            Object bytes = broker.invoke(
                    THREADS, "getThreadAllocatedBytes", new Object[] {threads}, new String[] {long[].class.getName()});
            return allocated.total(threads, (long[]) bytes);
        } catch (JMException e) {
            return Double.NaN;
        }
    }

    /** Does not wait for a paused broker. The thread is a daemon and ends with the broker. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(mbeans::close);
        thread.shutdown();
    }
}
