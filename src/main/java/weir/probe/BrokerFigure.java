package weir.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import weir.host.kernel.KernelFiles;
import weir.host.mbean.LocalMBeans;

/**
 * One MBean of a broker, and its metric. Names and meanings are the same from Kafka 3.3 to 4.4.
 *
 * @param scale the factor from Kafka's unit to the metric's unit
 */
public record BrokerFigure(ObjectName name, Form form, String metric, double scale) {
    private static final String TOTAL = ".total";

    public enum Form {
        /** A running total; its growth per second is shown. */
        METER("Count"),
        /** A running total of rare events; the total is shown. */
        EVENTS("Count"),
        GAUGE("Value"),
        /**
         * Durations in ms: the mean since the previous reading, and two percentiles. Kafka takes the percentiles from a
         * sample that favours the last five minutes.
         */
        TIMER("Count", "Mean", "50thPercentile", "99thPercentile");

        @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable.
        private final List<String> attributes;

        Form(String... attributes) {
            this.attributes = List.of(attributes);
        }

        public List<String> attributes() {
            return attributes;
        }

        /** The attributes with running totals, which cost a broker the least to read. */
        List<String> totals() {
            return attributes.subList(0, Math.min(2, attributes.size()));
        }
    }

    public static final List<BrokerFigure> ALL = all();

    static final List<BrokerFigure> EACH_SECOND = ALL.stream()
            .filter(figure -> figure.metric.startsWith("request.produce."))
            .toList();

    private static List<BrokerFigure> all() {
        List<BrokerFigure> all = new ArrayList<>(List.of(
                // The count is idle nanoseconds of the average handler, so its growth per second is the idle share.
                figure(
                        "kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent",
                        Form.METER,
                        "handlers.idle.percent",
                        1e-7),
                figure(
                        "kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent",
                        Form.GAUGE,
                        "network.idle.percent",
                        100),
                figure("kafka.network:type=RequestChannel,name=RequestQueueSize", Form.GAUGE, "request.queue", 1),
                figure("kafka.network:type=RequestChannel,name=ResponseQueueSize", Form.GAUGE, "response.queue", 1),
                purgatory("Produce"),
                purgatory("Fetch"),
                topics("MessagesInPerSec", "messages.in.per.s", 1),
                topics("BytesInPerSec", "bytes.in.mib.per.s", 1 / KernelFiles.MIB),
                topics("BytesOutPerSec", "bytes.out.mib.per.s", 1 / KernelFiles.MIB),
                replicas("UnderReplicatedPartitions", Form.GAUGE, "partitions.under.replicated"),
                replicas("IsrShrinksPerSec", Form.EVENTS, "isr.shrinks"),
                replicas("IsrExpandsPerSec", Form.EVENTS, "isr.expands"),
                figure("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs", Form.TIMER, "log.flush", 1)));
        for (String request : List.of("Produce", "FetchConsumer", "FetchFollower")) {
            for (String part :
                    List.of("Total", "RequestQueue", "Local", "Remote", "ResponseQueue", "ResponseSend", "Throttle")) {
                all.add(request(request, part));
            }
        }
        return List.copyOf(all);
    }

    private static BrokerFigure topics(String name, String metric, double scale) {
        return figure("kafka.server:type=BrokerTopicMetrics,name=" + name, Form.METER, metric, scale);
    }

    private static BrokerFigure purgatory(String request) {
        String bean = "kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=" + request;
        return figure(bean, Form.GAUGE, "purgatory." + dotted(request), 1);
    }

    private static BrokerFigure replicas(String name, Form form, String metric) {
        return figure("kafka.server:type=ReplicaManager,name=" + name, form, metric, 1);
    }

    private static BrokerFigure request(String request, String part) {
        String bean = "kafka.network:type=RequestMetrics,name=" + part + "TimeMs,request=" + request;
        return figure(bean, Form.TIMER, "request." + dotted(request) + "." + dotted(part), 1);
    }

    private static BrokerFigure figure(String bean, Form form, String metric, double scale) {
        return new BrokerFigure(name(bean), form, metric, scale);
    }

    private static String dotted(String name) {
        return name.replaceAll("(?<=.)([A-Z])", ".$1").toLowerCase(Locale.ROOT);
    }

    public static ObjectName name(String bean) {
        try {
            return new ObjectName(bean);
        } catch (MalformedObjectNameException e) {
            throw new AssertionError(bean, e);
        }
    }

    public void report(Map<String, Double> values, Readings into) {
        double main = values.getOrDefault(form.attributes().get(0), Double.NaN) * scale;
        switch (form) {
            case METER -> into.rate(metric, main);
            case EVENTS -> into.count(metric, main);
            case GAUGE -> into.level(metric, main);
            case TIMER -> {
                into.mean(metric + ".mean.ms", main * values.getOrDefault("Mean", Double.NaN), main);
                if (metric.startsWith("request.") && metric.endsWith(TOTAL)) {
                    // The count is the weight of the means of all stages.
                    into.count(metric.substring(0, metric.length() - TOTAL.length()) + ".count", main);
                }
                // Without values, Kafka's percentile is 0.
                if (main > 0) {
                    into.level(metric + ".p50.ms", values.getOrDefault("50thPercentile", Double.NaN));
                    into.level(metric + ".p99.ms", values.getOrDefault("99thPercentile", Double.NaN));
                }
            }
        }
    }

    /** The number of records that came into the partitions that a broker leads, as the broker counts them by topic. */
    public static final class MessagesIn {
        private static final String BEAN = "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=";

        private MessagesIn() {}

        /** The count since the creation of the topics; 0 for a broker that never led one of their partitions. */
        public static long of(long pid, Collection<String> topics) throws IOException {
            long sum = 0;
            try (LocalMBeans mbeans = LocalMBeans.of(pid)) {
                for (String topic : topics) {
                    sum += count(mbeans, bean(topic));
                }
            }
            return sum;
        }

        public static ObjectName bean(String topic) {
            return BrokerFigure.name(BEAN + topic);
        }

        private static long count(LocalMBeans mbeans, ObjectName bean) throws IOException {
            try {
                return ((Number) mbeans.connection().getAttribute(bean, "Count")).longValue();
            } catch (InstanceNotFoundException neverLed) {
                return 0;
            } catch (JMException | JMRuntimeException e) {
                throw new IOException("reading Count of " + bean, e);
            }
        }
    }
}
