package weir.probe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts.BlockDevices;
import weir.measure.ProbeMetric;
import weir.measure.ProbeMetric.MetricChart;
import weir.probe.ProcessProbes.ProcStat;

/** The probes of a machine, from the files of its kernel. */
final class HostProbes {
    private HostProbes() {}

    record HostCpu(KernelFiles files) implements Probe {
        /** The index of steal in the line "cpu": cpu user nice system idle iowait irq softirq steal (since 2.6.11). */
        private static final int STEAL = 8;

        private static final String STOLEN = "cpu.steal.percent";

        @Override
        public List<ProbeMetric> drawn() {
            return List.of(
                    new ProbeMetric(ProcStat.CORES, "", ProcStat.CHART),
                    new ProbeMetric(STOLEN, "steal", Pressure.CHART));
        }

        @Override
        public void sample(Readings into) {
            into.family("cpu.*", () -> read(into));
        }

        private void read(Readings into) throws IOException {
            List<String> lines = files.lines("/proc/stat");
            long cores = lines.stream()
                    .filter(line -> line.startsWith("cpu") && !line.startsWith("cpu "))
                    .count();
            for (String line : lines) {
                String[] words = KernelFiles.words(line);
                switch (words[0]) {
                    case "cpu" -> cpu(words, cores, into);
                    case "ctxt" -> into.rate("context.switches.per.s", KernelFiles.number(words[1]));
                    case "procs_running" -> into.level("run.queue.threads", KernelFiles.number(words[1]));
                    case "procs_blocked" -> into.level("blocked.threads", KernelFiles.number(words[1]));
                    default -> {}
                }
            }
        }

        private static void cpu(String[] words, long cores, Readings into) {
            // The sum of ticks is the reference, because the kernel's ticks differ from seconds: a second of two cores
            // may have 202 ticks.
            double all = 0;
            for (int column = 1; column < Math.min(words.length, STEAL + 1); column++) {
                all += KernelFiles.number(words[column]);
            }
            double user = KernelFiles.number(words[1]) + KernelFiles.number(words[2]);
            double system = KernelFiles.number(words[3]) + KernelFiles.number(words[6]) + KernelFiles.number(words[7]);
            into.mean("cpu.user.percent", 100 * user, all);
            into.mean("cpu.system.percent", 100 * system, all);
            into.mean("cpu.busy.percent", 100 * (user + system), all);
            into.mean(ProcStat.CORES, (user + system) * cores, all);
            into.mean("cpu.iowait.percent", 100 * KernelFiles.number(words[5]), all);
            if (words.length > STEAL) {
                into.mean(STOLEN, 100 * KernelFiles.number(words[STEAL]), all);
            } else {
                into.absent(STOLEN, "this kernel's /proc/stat has no steal column");
            }
        }
    }

    record HostMemory(KernelFiles files) implements Probe {
        private static final String MISSING = "this kernel's /proc/meminfo has no line '%s'";

        @Override
        public void sample(Readings into) {
            into.family("memory.*", () -> {
                Map<String, Long> kibibytes = files.table("/proc/meminfo");
                into.mebibytes("memory.available.mib", kibibytes, "MemAvailable", MISSING);
                into.mebibytes("memory.cached.mib", kibibytes, "Cached", MISSING);
                into.mebibytes("memory.dirty.mib", kibibytes, "Dirty", MISSING);
                into.mebibytes("memory.writeback.mib", kibibytes, "Writeback", MISSING);
            });
        }
    }

    record Paging(KernelFiles files) implements Probe {
        private static final String FILE = "/proc/vmstat";
        private static final double PAGE_BYTES = 4096;

        private static final MetricChart PAGES = new MetricChart(
                "Pages of the machine", "MiB/s", "Reads and writes of the disks by all programs.", false);
        private static final String IN = "pages.in.mib.per.s";
        private static final String OUT = "pages.out.mib.per.s";
        private static final String MINOR = "faults.minor.per.s";
        private static final String MAJOR = "faults.major.per.s";

        @Override
        public List<ProbeMetric> drawn() {
            // The chart of the processes contains the faults.
            return List.of(new ProbeMetric(IN, "in", PAGES), new ProbeMetric(OUT, "out", PAGES));
        }

        @Override
        public void sample(Readings into) {
            into.family("faults.*, pages.*, swap.*", () -> {
                Map<String, Long> counts = files.table(FILE);
                into.family(MAJOR, () -> into.rate(MAJOR, sum(counts, "pgmajfault")));
                into.family(MINOR, () -> into.rate(MINOR, sum(counts, "pgfault") - sum(counts, "pgmajfault")));
                // The kernel counts both in KiB, for pages of every size.
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

    /**
     * Pressure stall information: the share of a second in which some ("some") or all ("full") tasks waited for a
     * resource.
     *
     * @param path the kernel's file, with "*" for the resource
     */
    record Pressure(KernelFiles files, String prefix, String path) implements Probe {
        static final MetricChart CHART = new MetricChart(
                "Pressure",
                "%",
                "Share of the time in which a task waited for the resource (PSI of the host), and steal.",
                false);

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
        public void sample(Readings into) {
            for (String resource : RESOURCES) {
                String metric = prefix + resource;
                into.family(metric + ".*", () -> sample(metric, files.lines(path.replace("*", resource)), into));
            }
        }

        /** Reads lines such as "some avg10=0.24 … total=1978387". Only the total, in µs, is not smoothed. */
        private static void sample(String metric, List<String> lines, Readings into) throws IOException {
            for (String line : lines) {
                String[] words = KernelFiles.words(line);
                String total = words[words.length - 1];
                if (!total.startsWith("total=")) {
                    throw new IOException("a pressure line has no total: '" + line + "'");
                }
                into.rate(metric + "." + words[0] + ".percent", Long.parseLong(total.substring(6)) / 1e6 * 100);
            }
        }
    }

    record Net(KernelFiles files, String nic) implements Probe {
        @Override
        public void sample(Readings into) {
            into.family("net." + nic + ".*", () -> {
                String[] words = line();
                into.rate("net." + nic + ".received.mib.per.s", KernelFiles.number(words[0]) / KernelFiles.MIB);
                into.rate("net." + nic + ".sent.mib.per.s", KernelFiles.number(words[8]) / KernelFiles.MIB);
                into.count("net." + nic + ".dropped", KernelFiles.number(words[3]) + KernelFiles.number(words[11]));
            });
            into.family("tcp.retransmits", () -> into.count("tcp.retransmits", retransmits()));
        }

        private String[] line() throws IOException {
            for (String line : files.lines("/proc/net/dev")) {
                // "lo:3193 …": a long number has no space after the colon.
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).strip().equals(nic)) {
                    return KernelFiles.words(line.substring(colon + 1));
                }
            }
            throw new IOException("/proc/net/dev has no interface '" + nic + "'");
        }

        /** Reads the TCP retransmissions: the first line "Tcp:" has the names, the second the values. */
        private double retransmits() throws IOException {
            List<String> tcp = files.lines("/proc/net/snmp").stream()
                    .filter(line -> line.startsWith("Tcp:"))
                    .toList();
            if (tcp.size() == 2) {
                int column = List.of(KernelFiles.words(tcp.get(0))).indexOf("RetransSegs");
                String[] values = KernelFiles.words(tcp.get(1));
                if (column > 0 && column < values.length) {
                    return KernelFiles.number(values[column]);
                }
            }
            throw new IOException("/proc/net/snmp does not count 'RetransSegs'");
        }
    }

    static final class Disk implements Probe {
        /** The number of sectors per MiB, because /proc/diskstats counts sectors of 512 bytes for every device. */
        private static final double SECTORS_PER_MIB = 2048;

        private static final MetricChart CHART = new MetricChart("Disk", "MiB/s", "", false);
        private static final String WRITTEN = "disk.write.mib.per.s";
        private static final String READ = "disk.read.mib.per.s";

        private final KernelFiles files;
        private final Path folder;
        private String device = "";

        Disk(KernelFiles files, Path folder) {
            this.files = files;
            this.folder = folder;
        }

        @Override
        public List<ProbeMetric> drawn() {
            return List.of(new ProbeMetric(WRITTEN, "written", CHART), new ProbeMetric(READ, "read", CHART));
        }

        @Override
        public void sample(Readings into) {
            into.family("disk.*", () -> {
                String[] words = line();
                double reads = KernelFiles.number(words[3]);
                double writes = KernelFiles.number(words[7]);
                into.rate(READ, KernelFiles.number(words[5]) / SECTORS_PER_MIB);
                into.rate(WRITTEN, KernelFiles.number(words[9]) / SECTORS_PER_MIB);
                into.rate("disk.reads.per.s", reads);
                into.rate("disk.writes.per.s", writes);
                into.rate("disk.busy.percent", KernelFiles.number(words[12]) / 10.0);
                into.mean("disk.wait.ms", KernelFiles.number(words[6]) + KernelFiles.number(words[10]), reads + writes);
            });
        }

        /**
         * The words of the device's line: "254 0 vda reads merged sectors ms writes merged sectors ms running busyMs
         * weightedMs …".
         */
        private String[] line() throws IOException {
            if (device.isEmpty()) {
                device = BlockDevices.holding(files, folder);
            }
            try {
                return BlockDevices.statistics(files, device);
            } catch (IOException e) {
                throw new IOException(e.getMessage() + ", which holds " + folder, e);
            }
        }
    }
}
