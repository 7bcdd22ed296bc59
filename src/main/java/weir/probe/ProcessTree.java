package weir.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weir.host.kernel.KernelFiles;
import weir.measure.DisturbanceReadings;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/** A process and all that it started, added up: the figures of whoever stresses this machine. */
final class ProcessTree implements Probe {
    private static final MetricChart MEMORY = new MetricChart(
            "Resident memory",
            "MiB",
            "Of each process; of a stress that of all its processes, without shared pages.",
            false);
    private static final MetricChart WRITTEN =
            new MetricChart("Disk writes of the stress", "MiB/s", "Written to files, cached or not.", false);

    private static final Counts NOTHING = new Counts(0, 0, 0, 0);

    private final KernelFiles files;
    private final long pid;
    private final Map<Long, Counts> last = new HashMap<>();
    private Counts sum = NOTHING;

    /** Running totals of one process, or of all. */
    private record Counts(double cpuSeconds, double minorFaults, double majorFaults, double writtenBytes) {
        Counts plus(Counts to, Counts from) {
            return new Counts(
                    cpuSeconds + to.cpuSeconds - from.cpuSeconds,
                    minorFaults + to.minorFaults - from.minorFaults,
                    majorFaults + to.majorFaults - from.majorFaults,
                    writtenBytes + to.writtenBytes - from.writtenBytes);
        }
    }

    ProcessTree(KernelFiles files, long pid) {
        this.files = files;
        this.pid = pid;
    }

    @Override
    public List<ProbeMetric> drawn() {
        return List.of(
                new ProbeMetric(ProcStat.CORES, "", ProcStat.CHART),
                new ProbeMetric(DisturbanceReadings.MEMORY, "", MEMORY),
                new ProbeMetric(DisturbanceReadings.WRITTEN, "", WRITTEN));
    }

    @Override
    public void look(Readings into) {
        if (!files.has("/proc/" + pid)) {
            into.gone("process " + pid + " has ended");
            return;
        }
        into.family("cpu.*, memory.*, faults.*, disk.*, processes", () -> read(into, tree()));
    }

    private void read(Readings into, List<Long> tree) {
        last.keySet().retainAll(tree);
        double kibibytes = 0;
        for (long one : tree) {
            try {
                ProcStat.Counts stat = ProcStat.Counts.of(files, one);
                Map<String, Long> status = files.table("/proc/" + one + "/status");
                Counts now = new Counts(
                        stat.cpuSeconds(),
                        stat.minorFaults(),
                        stat.majorFaults(),
                        files.table("/proc/" + one + "/io").getOrDefault("write_bytes", 0L));
                kibibytes += status.getOrDefault("RssAnon", status.getOrDefault("VmRSS", 0L));
                sum = sum.plus(now, last.getOrDefault(one, NOTHING));
                last.put(one, now);
            } catch (IOException ended) {
                // They come and go; what one did until its last look is counted.
                last.remove(one);
            }
        }
        into.level("processes", last.size());
        into.level(DisturbanceReadings.MEMORY, kibibytes / 1024);
        into.rate(DisturbanceReadings.CORES, sum.cpuSeconds);
        into.rate("faults.minor.per.s", sum.minorFaults);
        into.rate("faults.major.per.s", sum.majorFaults);
        into.rate(DisturbanceReadings.WRITTEN, sum.writtenBytes / KernelFiles.MIB);
    }

    /** The process and its descendants. */
    private List<Long> tree() throws IOException {
        if (!files.has(children(pid))) {
            throw new IOException("this kernel does not name the children of a process (CONFIG_PROC_CHILDREN)");
        }
        List<Long> tree = new ArrayList<>(List.of(pid));
        for (int i = 0; i < tree.size(); i++) {
            try {
                files.text(children(tree.get(i)))
                        .lines()
                        .flatMap(line -> Stream.of(KernelFiles.words(line)))
                        .filter(word -> !word.isEmpty())
                        .forEach(child -> tree.add(Long.parseLong(child)));
            } catch (IOException ended) {
                // Whom it had started, somebody else has now, or nobody.
            }
        }
        return tree;
    }

    private static String children(long process) {
        return "/proc/" + process + "/task/" + process + "/children";
    }
}
