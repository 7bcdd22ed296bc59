package weir.feature.imports;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Made-up result files of OpenMessaging Benchmark, with its keys and in its order. */
final class OmbResults {
    private final Map<String, String> keys = new LinkedHashMap<>();

    private OmbResults() {}

    /** Returns a result of 30 s, with three periods. */
    static OmbResults kafka() {
        OmbResults result = new OmbResults()
                .with("workload", "\"1 topic / 16 partitions / 1kb\"")
                .with("driver", "\"Kafka\"")
                .with("messageSize", "1024")
                .with("topics", "1")
                .with("partitions", "16")
                .with("producersPerTopic", "4")
                .with("consumersPerTopic", "2")
                .with("publishRate", "[ 49000.0, 51000.0, 50000.0 ]")
                .with("publishErrorRate", "[ 0.0, 0.0, 0.0 ]")
                .with("consumeRate", "[ 48000.0, 50000.0, 5.2E4 ]")
                .with("backlog", "[ 12, 0, 7 ]");
        return result.latencies("publishLatency", 1)
                .latencies("publishDelayLatency", 100)
                .aggregates("aggregatedPublishLatency", 1)
                .aggregates("aggregatedPublishDelayLatency", 100)
                .with(
                        "aggregatedPublishLatencyQuantiles",
                        "{ \"0.0\" : 0.5, \"50.0\" : 2.0, \"99.0\" : 12.25, \"100.0\" : 140.5 }")
                .with("aggregatedPublishDelayLatencyQuantiles", "{ \"50.0\" : 200, \"100.0\" : 14050 }")
                .latencies("endToEndLatency", 2)
                .with("aggregatedEndToEndLatencyQuantiles", "{ \"50.0\" : 4.0, \"100.0\" : 281.0 }")
                .aggregates("aggregatedEndToEndLatency", 2);
    }

    /** Returns a copy without these keys. */
    OmbResults without(String begin) {
        OmbResults fewer = new OmbResults();
        keys.forEach((key, value) -> {
            if (!key.startsWith(begin)) {
                fewer.keys.put(key, value);
            }
        });
        return fewer;
    }

    OmbResults with(String key, String value) {
        keys.put(key, value);
        return this;
    }

    private OmbResults latencies(String begin, int times) {
        return with(begin + "Avg", list(2.5 * times))
                .with(begin + "50pct", list(2.0 * times))
                .with(begin + "99pct", list(10.0 * times))
                .with(begin + "999pct", list(40.0 * times))
                .with(begin + "9999pct", list(80.0 * times))
                .with(begin + "Max", "[ 90.0, " + 140.5 * times + ", 95.0 ]");
    }

    private static String list(double middle) {
        return "[ " + (middle - 1) + ", " + middle + ", " + (middle + 1) + " ]";
    }

    OmbResults aggregates(String begin, int times) {
        return with(begin + "Avg", String.valueOf(2.75 * times))
                .with(begin + "50pct", String.valueOf(2.0 * times))
                .with(begin + "75pct", String.valueOf(3.0 * times))
                .with(begin + "95pct", String.valueOf(6.0 * times))
                .with(begin + "99pct", String.valueOf(12.25 * times))
                .with(begin + "999pct", String.valueOf(45.5 * times))
                .with(begin + "9999pct", String.valueOf(101.0 * times))
                .with(begin + "Max", String.valueOf(140.5 * times));
    }

    String json() {
        return keys.entrySet().stream()
                .map(key -> "  \"" + key.getKey() + "\" : " + key.getValue())
                .collect(Collectors.joining(",\n", "{\n", "\n}"));
    }
}
