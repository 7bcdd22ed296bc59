package weir.feature.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import weir.feature.metrics.ExporterDialect.ExporterName;
import weir.feature.metrics.ExpositionParser.Sample;
import weir.probe.BrokerFigure;
import weir.probe.Readings;

/** A mapping of exported samples to figures of a broker. */
final class ExportedFigures {
    static final String MEAN = "Mean";

    /**
     * Labels that are keys of Kafka's MBeans. If the figure lacks such a label, the sample describes only a part of the
     * broker, such as one topic. Collectors add all other labels.
     */
    private static final Set<String> OF_PARTS = Set.of(
            "topic",
            "partition",
            "clientid",
            "request",
            "error",
            "version",
            "listener",
            "networkprocessor",
            "processor",
            "quantile",
            "delayedoperation",
            "name",
            "type",
            "user",
            "acceptor",
            "area",
            "id");

    private final Map<String, List<Wanted>> byName = new HashMap<>();

    record Wanted(BrokerFigure figure, String attribute, SortedMap<String, String> labels) {
        boolean matches(Sample sample) {
            return fits(sample, labels);
        }
    }

    static boolean fits(Sample sample, Map<String, String> labels) {
        return labels.entrySet().stream()
                        .allMatch(label -> sample.label(label.getKey()).equals(label.getValue()))
                && sample.labels().keySet().stream()
                        .allMatch(label ->
                                labels.containsKey(label) || !OF_PARTS.contains(label.toLowerCase(Locale.ROOT)));
    }

    ExportedFigures() {
        for (BrokerFigure figure : BrokerFigure.ALL) {
            for (String attribute : figure.form().attributes()) {
                for (ExporterName name : ExporterName.spellings(figure.name(), attribute)) {
                    add(name.name(), new Wanted(figure, attribute, name.labels()));
                }
            }
            if (figure.form().attributes().contains(MEAN)) {
                // No public configuration exports it. Its rule would follow that of Count, with mean instead of count.
                for (ExporterName name : ExporterName.spellings(figure.name(), "Count")) {
                    if (name.name().endsWith("_count")) {
                        add(name.name().replaceFirst("_count$", "_mean"), new Wanted(figure, MEAN, name.labels()));
                    }
                }
            }
        }
    }

    private void add(String name, Wanted wanted) {
        List<Wanted> all = byName.computeIfAbsent(name, first -> new ArrayList<>());
        if (!all.contains(wanted)) {
            all.add(wanted);
        }
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    List<Wanted> of(Sample sample) {
        return byName.getOrDefault(sample.name(), List.of()).stream()
                .filter(wanted -> wanted.matches(sample))
                .toList();
    }

    /**
     * A figure of the JVM or the process of a broker, with the names of Prometheus' Java clients from 0.x to 1.x.
     *
     * @param total true for a running total, shown per second
     */
    record JvmSample(String metric, Map<String, String> labels, boolean total, double scale) {
        private static final double MIB = 1 << 20;
        private static final JvmSample HEAP = new JvmSample("heap.used.mib", Map.of("area", "heap"), false, 1 / MIB);
        private static final Map<String, JvmSample> ALL = Map.of(
                "jvm_memory_used_bytes",
                HEAP,
                "jvm_memory_bytes_used",
                HEAP,
                "process_cpu_seconds_total",
                new JvmSample("cpu.cores", Map.of(), true, 1),
                "process_resident_memory_bytes",
                new JvmSample("memory.rss.mib", Map.of(), false, 1 / MIB));

        static boolean has(String name) {
            return ALL.containsKey(name);
        }

        static Optional<JvmSample> of(Sample sample) {
            return Optional.ofNullable(ALL.get(sample.name()))
                    .filter(jvm -> ExportedFigures.fits(sample, jvm.labels()));
        }

        void report(double value, Readings into) {
            if (total) {
                into.rate(metric, value * scale);
            } else {
                into.level(metric, value * scale);
            }
        }
    }
}
