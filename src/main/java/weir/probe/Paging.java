package weir.probe;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import weir.host.kernel.KernelFiles;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/** The machine's pages: faults, what moves between memory and disks, and how hard the kernel looks for free ones. */
record Paging(KernelFiles files) implements Probe {
    private static final String FILE = "/proc/vmstat";
    private static final double PAGE_BYTES = 4096;

    private static final MetricChart PAGES = new MetricChart(
            "Pages of the machine", "MiB/s", "Read from disks and written to them, by whomever.", false);
    private static final String IN = "pages.in.mib.per.s";
    private static final String OUT = "pages.out.mib.per.s";
    private static final String MINOR = "faults.minor.per.s";
    private static final String MAJOR = "faults.major.per.s";

    @Override
    public List<ProbeMetric> drawn() {
        // Its faults are drawn with those of the processes.
        return List.of(new ProbeMetric(IN, "in", PAGES), new ProbeMetric(OUT, "out", PAGES));
    }

    @Override
    public void look(Readings into) {
        into.family("faults.*, pages.*, swap.*", () -> {
            Map<String, Long> counts = files.table(FILE);
            into.family(MAJOR, () -> into.rate(MAJOR, sum(counts, "pgmajfault")));
            into.family(MINOR, () -> into.rate(MINOR, sum(counts, "pgfault") - sum(counts, "pgmajfault")));
            // Both are counted in KiB, whatever the size of a page.
            into.family(IN, () -> into.rate(IN, sum(counts, "pgpgin") / 1024));
            into.family(OUT, () -> into.rate(OUT, sum(counts, "pgpgout") / 1024));
            into.family(
                    "pages.scanned.per.s",
                    () -> into.rate("pages.scanned.per.s", sum(counts, "pgscan_kswapd", "pgscan_direct")));
            into.family(
                    "pages.stolen.per.s",
                    () -> into.rate("pages.stolen.per.s", sum(counts, "pgsteal_kswapd", "pgsteal_direct")));
            into.family("swap.*", () -> {
                into.rate("swap.in.mib.per.s", sum(counts, "pswpin") * PAGE_BYTES / KernelFiles.MIB);
                into.rate("swap.out.mib.per.s", sum(counts, "pswpout") * PAGE_BYTES / KernelFiles.MIB);
            });
        });
    }

    private static double sum(Map<String, Long> counts, String... names) throws IOException {
        double sum = 0;
        for (String name : names) {
            Long count = counts.get(name);
            if (count == null) {
                throw new IOException(FILE + " has no line '" + name + "'");
            }
            sum += count;
        }
        return sum;
    }
}
