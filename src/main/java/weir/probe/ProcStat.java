package weir.probe;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import weir.host.kernel.KernelFiles;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/** A process as the kernel counts it: CPU, memory, faults, threads; the one that says when the process has ended. */
final class ProcStat implements Probe {
    static final MetricChart CHART = new MetricChart("CPU", "cores", "", false);
    static final String CORES = "cpu.cores";

    private static final String MINOR = "faults.minor.per.s";
    private static final String MAJOR = "faults.major.per.s";
    private static final MetricChart MINOR_CHART =
            new MetricChart("Minor page faults", "faults/s", "Pages that were in memory already.", true);
    private static final MetricChart MAJOR_CHART = new MetricChart(
            "Major page faults",
            "faults/s",
            "Pages that a disk had to be waited for. Host and processes are read one after the other.",
            true);

    private static final long NOT_SEEN = -1;

    private final KernelFiles files;
    private final long pid;
    private long startTicks = NOT_SEEN;

    ProcStat(KernelFiles files, long pid) {
        this.files = files;
        this.pid = pid;
    }

    /** The fields of /proc/PID/stat that tell something. */
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

        /** Dead, even where nobody has asked for its exit code yet. */
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
    public void look(Readings into) {
        into.family("cpu.*, memory.*", () -> {
            try {
                read(into);
            } catch (IOException e) {
                // Between two reads of a dying process the kernel says "no such process", not "no such file".
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
            into.gone("process " + pid + " has ended" + (another ? ", and its number went to another" : ""));
            return;
        }
        startTicks = counts.startTicks();
        into.rate("cpu.user.cores", counts.userTicks() / KernelFiles.TICKS_PER_SECOND);
        into.rate("cpu.system.cores", counts.systemTicks() / KernelFiles.TICKS_PER_SECOND);
        into.rate(CORES, counts.cpuSeconds());
        into.rate(MINOR, counts.minorFaults());
        into.rate(MAJOR, counts.majorFaults());
        into.level("threads", counts.threads());
        memory("memory.rss.mib", "VmRSS", status, into);
        memory("memory.rss.peak.mib", "VmHWM", status, into);
        openFiles(into);
    }

    /** Files, sockets and the like: a partition of a broker has a few. */
    private void openFiles(Readings into) throws IOException {
        String folder = "/proc/" + pid + "/fd";
        if (!Files.isReadable(files.at(folder))) {
            into.absent("files.open", "the files of this process are not for everybody to see");
            return;
        }
        int open = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(files.at(folder))) {
            for (Iterator<Path> each = all.iterator(); each.hasNext(); each.next()) {
                open++;
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        into.level("files.open", open);
    }

    private static void memory(String metric, String name, Map<String, Long> status, Readings into) {
        Long kibibytes = status.get(name);
        if (kibibytes == null) {
            into.absent(metric, "the kernel gives no '" + name + "' for this process");
        } else {
            into.level(metric, kibibytes / 1024.0);
        }
    }
}
