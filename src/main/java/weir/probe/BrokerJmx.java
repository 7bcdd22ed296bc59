package weir.probe;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import weir.host.kernel.KernelFiles;
import weir.measure.ProbeMetric;
import weir.probe.BrokerFigure.Form;
import weir.probe.OwnJvm.AllocatedBytes;

/**
 * A Kafka broker's metrics about itself, from its MBeans. It asks on a thread of its own, because the other probes
 * must not wait for a paused broker.
 */
final class BrokerJmx implements Probe {
    /**
     * Each MBean costs a newly started broker 0.5 ms of CPU, so all but the seven of a produce request are read in
     * every fifth look only.
     */
    private static final int EVERY = 5;

    /** Time that the other probes may wait when a broker stops answering: once, until it answers again. */
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private static final ObjectName MEMORY = BrokerFigure.name("java.lang:type=Memory");
    private static final ObjectName THREADS = BrokerFigure.name("java.lang:type=Threading");

    private final long pid;
    private final Duration patience;
    private final ExecutorService thread;
    private int looks;
    private @Nullable Future<Answer> asked;

    /** Owned by the thread, like all fields below. */
    private final BrokerMBeans mbeans;

    private final AllocatedBytes allocated = new AllocatedBytes();

    private record Answer(
            double heapMib,
            double allocatedBytes,
            Map<BrokerFigure, Map<String, Double>> values,
            Map<BrokerFigure, String> missing) {}

    BrokerJmx(long pid) {
        this(pid, PATIENCE);
    }

    BrokerJmx(long pid, Duration patience) {
        this.pid = pid;
        this.mbeans = new BrokerMBeans(pid);
        this.patience = patience;
        this.thread = BrokerMBeans.thread("weir-jmx-" + pid);
    }

    @Override
    public List<ProbeMetric> drawn() {
        return OwnJvm.DRAWN;
    }

    @Override
    public void look(Readings into) {
        Future<Answer> before = asked;
        if (before != null && !before.isDone()) {
            into.absent("kafka.*", "the broker has not answered yet");
            return;
        }
        // An answer that is too late for its second is dropped.
        boolean whole = looks++ % EVERY == 0;
        Future<Answer> answer = thread.submit(() -> ask(whole));
        asked = answer;
        try {
            give(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS), into);
        } catch (TimeoutException e) {
            into.absent("kafka.*", "the broker did not answer within " + patience.toMillis() + " ms");
        } catch (ExecutionException e) {
            into.absent("kafka.*", "asking process " + pid + " over JMX: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void give(Answer answer, Readings into) {
        into.level(OwnJvm.HEAP, answer.heapMib);
        if (!Double.isNaN(answer.allocatedBytes)) {
            into.rate(AllocatedBytes.METRIC, answer.allocatedBytes);
        }
        answer.values.forEach((figure, values) -> figure.give(values, into));
        answer.missing.forEach((figure, why) -> into.absent(figure.metric(), why));
    }

    private Answer ask(boolean whole) throws IOException, JMException {
        try {
            return ask(mbeans.connection(), whole);
        } catch (IOException e) {
            mbeans.close();
            throw e;
        }
    }

    private Answer ask(MBeanServerConnection broker, boolean whole) throws IOException, JMException {
        List<BrokerFigure> figures = whole ? BrokerFigure.ALL : BrokerFigure.EACH_SECOND;
        Map<BrokerFigure, Map<String, Double>> values = new LinkedHashMap<>();
        Map<BrokerFigure, String> missing = new LinkedHashMap<>();
        for (BrokerFigure figure : figures) {
            try {
                Form form = figure.form();
                values.put(figure, values(broker, figure.name(), whole ? form.attributes() : form.totals()));
            } catch (JMException e) {
                missing.put(figure, "this broker has no MBean " + figure.name());
            }
        }
        CompositeData heap = (CompositeData) broker.getAttribute(MEMORY, "HeapMemoryUsage");
        double bytes = whole ? allocated(broker) : Double.NaN;
        return new Answer((long) heap.get("used") / KernelFiles.MIB, bytes, values, missing);
    }

    /** NaN for a JVM that does not count them. */
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

    private static Map<String, Double> values(MBeanServerConnection broker, ObjectName name, List<String> attributes)
            throws IOException, JMException {
        Map<String, Double> values = new HashMap<>();
        BrokerMBeans.values(broker, name, attributes.toArray(String[]::new)).forEach((attribute, value) -> {
            if (value instanceof Number number) {
                values.put(attribute, number.doubleValue());
            }
        });
        return values;
    }

    /** Does not wait for a paused broker: the thread is a daemon and ends with the broker. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(mbeans::close);
        thread.shutdown();
    }
}
