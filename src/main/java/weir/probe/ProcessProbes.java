package weir.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weir.host.kernel.ControlGroup;
import weir.host.kernel.KernelFiles;
import weir.measure.DisturbanceReadings;
import weir.measure.ProbeMetric;
import weir.measure.ProbeMetric.MetricChart;
import weir.probe.HostProbes.Pressure;

/** The probes of a process, from the files of its kernel. */
final class ProcessProbes {
    private ProcessProbes() {}

    static final class ProcStat implements Probe {
        static final MetricChart CHART = new MetricChart("CPU", "cores", "", false);
        static final String CORES = "cpu.cores";
        private static final String MINOR = "faults.minor.per.s";
        private static final String MAJOR = "faults.major.per.s";
        private static final String MISSING = "the kernel reports no '%s' for this process";
        private static final MetricChart MINOR_CHART = new MetricChart(
                "Minor page faults", "faults/s", "Page faults on pages that were already in memory.", true);
        private static final MetricChart MAJOR_CHART = new MetricChart(
                "Major page faults",
                "faults/s",
                "Page faults that waited for a disk. Weir reads host and processes at slightly different times.",
                true);

        private static final long NOT_SEEN = -1;

        private final KernelFiles files;
        private final long pid;
        private long startTicks = NOT_SEEN;

        ProcStat(KernelFiles files, long pid) {
            this.files = files;
            this.pid = pid;
        }

        record Counts(
                char state,
                double minorFaults,
                double majorFaults,
                double userTicks,
                double systemTicks,
                double threads,
                long startTicks) {
            static Counts of(KernelFiles files, long pid) throws IOException {
                String stat = files.text("/proc/" + pid + "/stat");
                // "17 (any (name) at all) S 1 …": the numbers begin after the last parenthesis.
                int name = stat.lastIndexOf(')');
                String[] words = KernelFiles.words(stat.substring(name + 1));
                if (name < 0 || words.length < 20) {
                    throw new IOException("the stat of a process is cut short: '" + stat.strip() + "'");
                }
                return new Counts(
                        words[0].charAt(0),
                        KernelFiles.number(words[7]),
                        KernelFiles.number(words[9]),
                        KernelFiles.number(words[11]),
                        KernelFiles.number(words[12]),
                        KernelFiles.number(words[17]),
                        Long.parseLong(words[19]));
            }

            /** True for a dead process, even if its parent has not read its exit code. */
            boolean ended() {
                return state == 'Z' || state == 'X';
            }

            double cpuSeconds() {
                return (userTicks + systemTicks) / KernelFiles.TICKS_PER_SECOND;
            }
        }

        @Override
        public List<ProbeMetric> drawn() {
            return List.of(
                    new ProbeMetric(CORES, "", CHART),
                    new ProbeMetric(MINOR, "", MINOR_CHART),
                    new ProbeMetric(MAJOR, "", MAJOR_CHART));
        }

        @Override
        public void sample(Readings into) {
            into.family("cpu.*, memory.*", () -> {
                try {
                    read(into);
                } catch (IOException e) {
                    // Between two reads of a dying process, the kernel reports "no such process", not "no such file".
                    if (files.has("/proc/" + pid)) {
                        throw e;
                    }
                    into.gone("process " + pid + " has ended");
                }
            });
        }

        private void read(Readings into) throws IOException {
            Counts counts = Counts.of(files, pid);
            Map<String, Long> status = files.table("/proc/" + pid + "/status");
            boolean another = startTicks != NOT_SEEN && startTicks != counts.startTicks();
            if (counts.ended() || another) {
                into.gone("process " + pid + " has ended" + (another ? ", and another process has its number" : ""));
                return;
            }
            startTicks = counts.startTicks();
            into.rate("cpu.user.cores", counts.userTicks() / KernelFiles.TICKS_PER_SECOND);
            into.rate("cpu.system.cores", counts.systemTicks() / KernelFiles.TICKS_PER_SECOND);
            into.rate(CORES, counts.cpuSeconds());
            into.rate(MINOR, counts.minorFaults());
            into.rate(MAJOR, counts.majorFaults());
            into.level("threads", counts.threads());
            into.mebibytes("memory.rss.mib", status, "VmRSS", MISSING);
            into.mebibytes("memory.rss.peak.mib", status, "VmHWM", MISSING);
            openFiles(into);
        }

        private void openFiles(Readings into) throws IOException {
            String folder = "/proc/" + pid + "/fd";
            if (!Files.isReadable(files.at(folder))) {
                into.absent("files.open", "this user may not list the open files of this process");
                return;
            }
            into.level(
                    "files.open",
                    KernelFiles.entries(files.at(folder), file -> true).size());
        }
    }

    static final class ProcessTree implements Probe {
        private static final MetricChart MEMORY = new MetricChart(
                "Resident memory",
                "MiB",
                "One line for each process. The line of a stress is the sum of its processes, without shared pages.",
                false);
        private static final MetricChart WRITTEN =
                new MetricChart("Disk writes of the stress", "MiB/s", "Written to files, cached or not.", false);

        private static final Totals NOTHING = new Totals(0, 0, 0, 0);

        private final KernelFiles files;
        private final long pid;
        private final Map<Long, Totals> last = new HashMap<>();
        private Totals sum = NOTHING;

        private record Totals(double cpuSeconds, double minorFaults, double majorFaults, double writtenBytes) {
            Totals plus(Totals to, Totals from) {
                return new Totals(
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
        public void sample(Readings into) {
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
                    Totals now = new Totals(
                            stat.cpuSeconds(),
                            stat.minorFaults(),
                            stat.majorFaults(),
                            files.table("/proc/" + one + "/io").getOrDefault("write_bytes", 0L));
                    kibibytes += status.getOrDefault("RssAnon", status.getOrDefault("VmRSS", 0L));
                    sum = sum.plus(now, last.getOrDefault(one, NOTHING));
                    last.put(one, now);
                } catch (IOException ended) {
                    // Threads come and go. The work of an ended thread counts up to its last sample.
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
                    // The kernel has given the process's children to another parent.
                }
            }
            return tree;
        }

        private static String children(long process) {
            return "/proc/" + process + "/task/" + process + "/children";
        }
    }

    record Cgroup(KernelFiles files, long pid) implements Probe {
        private static final double SHARES = 1024;
        private static final double WEIGHT = 100;

        @Override
        public void sample(Readings into) {
            into.family("cgroup.cpu.*", () -> cpu(into));
            into.family("cgroup.memory.*", () -> memory(into));
        }

        private void cpu(Readings into) throws IOException {
            ControlGroup group = ControlGroup.of(files, pid, "cpu");
            Map<String, Long> stat = files.table(group.file("cpu.stat"));
            Long used = stat.get("usage_usec");
            if (used != null) {
                into.rate("cgroup.cpu.cores", used / 1e6);
            } else {
                into.family("cgroup.cpu.cores", () -> {
                    ControlGroup account = ControlGroup.of(files, pid, "cpuacct");
                    into.rate("cgroup.cpu.cores", number(account.file("cpuacct.usage")) / 1e9);
                });
            }
            Long micros = stat.get("throttled_usec");
            Long nanos = stat.get("throttled_time");
            if (micros != null) {
                into.rate("cgroup.cpu.throttled.percent", micros / 1e4);
            } else if (nanos != null) {
                into.rate("cgroup.cpu.throttled.percent", nanos / 1e7);
            } else {
                into.absent("cgroup.cpu.throttled.*", group.folder() + " has no CPU controller");
                return;
            }
            into.count("cgroup.cpu.throttled.periods", stat.getOrDefault("nr_throttled", 0L));
            into.family("cgroup.cpu.weight", () -> weight(into, group));
        }

        /** The CPU share relative to a group with default settings, when both need the CPU. */
        private void weight(Readings into, ControlGroup group) throws IOException {
            into.level(
                    "cgroup.cpu.weight",
                    group.version() == 1
                            ? number(group.file("cpu.shares")) / SHARES
                            : number(group.file("cpu.weight")) / WEIGHT);
        }

        private void memory(Readings into) throws IOException {
            ControlGroup group = ControlGroup.of(files, pid, "memory");
            boolean first = group.version() == 1;
            into.level("cgroup.memory.used.mib", group.memoryUsed() / KernelFiles.MIB);
            String events = first ? "memory.oom_control" : "memory.events";
            Long kills = files.table(group.file(events)).get("oom_kill");
            if (kills == null) {
                into.absent("cgroup.memory.oom.kills", "this kernel's " + events + " does not count them");
            } else {
                into.count("cgroup.memory.oom.kills", kills);
            }
            if (!first) {
                new Pressure(files, "cgroup.psi.", group.file("*.pressure")).sample(into);
            }
        }

        private double number(String path) throws IOException {
            return Long.parseLong(files.text(path).strip());
        }
    }
}
