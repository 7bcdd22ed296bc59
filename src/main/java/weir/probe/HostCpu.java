package weir.probe;

import java.io.IOException;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.measure.ProbeMetric;

/** Where the CPU time of the whole machine went, and how many threads waited for it. */
record HostCpu(KernelFiles files) implements Probe {
    /** Columns of the line "cpu": user nice system idle iowait irq softirq steal; the last came with Linux 2.6.11. */
    private static final int STEAL = 8;

    private static final String STOLEN = "cpu.steal.percent";

    @Override
    public List<ProbeMetric> drawn() {
        return List.of(
                new ProbeMetric(ProcStat.CORES, "", ProcStat.CHART), new ProbeMetric(STOLEN, "steal", Pressure.CHART));
    }

    @Override
    public void look(Readings into) {
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
        // Of the ticks that the kernel counted, for its ticks and our seconds differ: there may be 202 in a second of
        // two cores.
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
