package weir.cli.perf;

import java.io.PrintWriter;
import java.util.SortedMap;

/** The client's own metrics, as Kafka's tools print them. */
final class ClientMetrics {
    private static final String HEAD = "Metric Name";

    private ClientMetrics() {}

    static void print(SortedMap<String, Object> metrics, PrintWriter out) {
        if (metrics.isEmpty()) {
            return;
        }
        int width = metrics.keySet().stream().mapToInt(String::length).max().orElse(HEAD.length());
        out.printf("%n%-" + width + "s   %s%n", HEAD, "Value");
        metrics.forEach((name, value) -> out.printf(
                ProducerPerfOutput.locale(),
                "%-" + width + (value instanceof Double ? "s : %.3f%n" : "s : %s%n"),
                name,
                value));
        out.flush();
    }
}
