package weir.load.client;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import weir.load.engine.EnginePort;

/** The clients' own metrics that explain a measurement, combined over all clients of a kind. */
final class ClientExplanation {
    private static final Map<String, List<Figure>> FIGURES = Map.of(
            "producer",
            List.of(
                    mean("producer-metrics", "batch-size-avg"),
                    mean("producer-metrics", "records-per-request-avg"),
                    mean("producer-metrics", "compression-rate-avg"),
                    mean("producer-metrics", "bufferpool-wait-ratio"),
                    sum("producer-metrics", "bufferpool-wait-time-ns-total"),
                    mean("producer-metrics", "buffer-available-bytes"),
                    mean("producer-metrics", "request-latency-avg"),
                    mean("producer-metrics", "record-queue-time-avg"),
                    mean("producer-metrics", "produce-throttle-time-avg"),
                    sum("producer-metrics", "requests-in-flight"),
                    sum("producer-metrics", "record-retry-total"),
                    sum("producer-metrics", "record-error-total")),
            "consumer",
            List.of(
                    mean("consumer-fetch-manager-metrics", "fetch-latency-avg"),
                    mean("consumer-fetch-manager-metrics", "fetch-size-avg"),
                    mean("consumer-fetch-manager-metrics", "records-per-request-avg"),
                    mean("consumer-fetch-manager-metrics", "fetch-throttle-time-avg"),
                    sum("consumer-fetch-manager-metrics", "fetch-total"),
                    mean("consumer-metrics", "poll-idle-ratio-avg"),
                    sum("consumer-coordinator-metrics", "rebalance-total"),
                    mean("consumer-coordinator-metrics", "rebalance-latency-avg")));

    private ClientExplanation() {}

    private record Figure(String group, String name, boolean adds) {}

    private static Figure mean(String group, String name) {
        return new Figure(group, name, false);
    }

    private static Figure sum(String group, String name) {
        return new Figure(group, name, true);
    }

    static void report(String kind, List<Metrics> clients, EnginePort.Figures into) {
        for (Figure figure : FIGURES.getOrDefault(kind, List.of())) {
            double sum = 0;
            int count = 0;
            for (Metrics client : clients) {
                double value = value(figure, client.client.get().values());
                if (Double.isFinite(value)) {
                    sum += value;
                    count++;
                }
            }
            if (count > 0) {
                into.figure(kind + "." + figure.name, figure.adds ? sum : sum / count);
            }
        }
    }

    static final class Metrics {
        private final Supplier<Map<MetricName, ? extends Metric>> client;
        volatile SortedMap<String, Object> last = new TreeMap<>();

        Metrics(Supplier<Map<MetricName, ? extends Metric>> client) {
            this.client = client;
        }

        void keep() {
            SortedMap<String, Object> all = new TreeMap<>(last);
            if (all.isEmpty()) {
                client.get().forEach((name, metric) -> {
                    Object value = metric.metricValue();
                    all.put(
                            name.group() + ":" + name.name() + ":" + name.tags(),
                            value instanceof Number ? value : String.valueOf(value));
                });
            }
            last = all;
        }
    }

    /** Returns a metric of the whole client, which has no tags of brokers, topics or partitions; NaN for none. */
    private static double value(Figure figure, Collection<? extends Metric> metrics) {
        for (Metric metric : metrics) {
            MetricName name = metric.metricName();
            if (name.name().equals(figure.name)
                    && name.group().equals(figure.group)
                    && name.tags().size() == 1
                    && metric.metricValue() instanceof Number number) {
                return number.doubleValue();
            }
        }
        return Double.NaN;
    }
}
