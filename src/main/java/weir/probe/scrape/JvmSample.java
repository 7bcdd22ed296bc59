package weir.probe.scrape;

import java.util.Map;
import java.util.Optional;
import weir.probe.Readings;

/**
 * A figure of the JVM or the process of a broker, as the Prometheus clients of Java name it from 0.x to 1.x.
 *
 * @param total whether it is a running total, shown per second
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
        return Optional.ofNullable(ALL.get(sample.name())).filter(jvm -> ExportedFigures.fits(sample, jvm.labels()));
    }

    void give(double value, Readings into) {
        if (total) {
            into.rate(metric, value * scale);
        } else {
            into.level(metric, value * scale);
        }
    }
}
