package weir.probe;

import java.io.IOException;
import java.util.List;

/**
 * Pressure stall information: how much of a second somebody ("some") or everybody ("full") waited for a resource.
 *
 * @param path where the kernel keeps it, with "*" for the resource
 */
record Pressure(KernelFiles files, String prefix, String path) implements Probe {
    private static final List<String> RESOURCES = List.of("cpu", "io", "memory");

    static Pressure ofHost(KernelFiles files) {
        return new Pressure(files, "psi.", "/proc/pressure/*");
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
