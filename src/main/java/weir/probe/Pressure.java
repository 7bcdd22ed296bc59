package weir.probe;

import java.io.IOException;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/**
 * Pressure stall information: how much of a second somebody ("some") or everybody ("full") waited for a resource.
 *
 * @param path where the kernel keeps it, with "*" for the resource
 */
record Pressure(KernelFiles files, String prefix, String path) implements Probe {
    static final MetricChart CHART = new MetricChart(
            "Pressure", "%", "Share of the time in which something waited for it (PSI of the host), and steal.", false);

    private static final List<String> RESOURCES = List.of("cpu", "io", "memory");
    private static final String HOST = "psi.";

    static Pressure ofHost(KernelFiles files) {
        return new Pressure(files, HOST, "/proc/pressure/*");
    }

    @Override
    public List<ProbeMetric> drawn() {
        return RESOURCES.stream()
                .map(resource -> new ProbeMetric(HOST + resource + ".some.percent", resource, CHART))
                .toList();
    }

    @Override
    public void look(Readings into) {
        for (String resource : RESOURCES) {
            String metric = prefix + resource;
            into.family(metric + ".*", () -> look(metric, files.lines(path.replace("*", resource)), into));
        }
    }

    /** Lines such as "some avg10=0.24 avg60=0.12 avg300=0.15 total=1978387": only the total, in µs, is not smoothed. */
    private static void look(String metric, List<String> lines, Readings into) throws IOException {
        for (String line : lines) {
            String[] words = KernelFiles.words(line);
            String total = words[words.length - 1];
            if (!total.startsWith("total=")) {
                throw new IOException("a pressure line without a total: '" + line + "'");
            }
            into.rate(metric + "." + words[0] + ".percent", Long.parseLong(total.substring(6)) / 1e6 * 100);
        }
    }
}
