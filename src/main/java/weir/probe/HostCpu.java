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
        double toPercent = 100 / (KernelFiles.TICKS_PER_SECOND * cores);
        double user = KernelFiles.number(words[1]) + KernelFiles.number(words[2]);
        double system = KernelFiles.number(words[3]) + KernelFiles.number(words[6]) + KernelFiles.number(words[7]);
        into.rate("cpu.user.percent", user * toPercent);
        into.rate("cpu.system.percent", system * toPercent);
        into.rate("cpu.busy.percent", (user + system) * toPercent);
        into.rate(ProcStat.CORES, (user + system) / KernelFiles.TICKS_PER_SECOND);
        into.rate("cpu.iowait.percent", KernelFiles.number(words[5]) * toPercent);
        if (words.length > STEAL) {
            into.rate(STOLEN, KernelFiles.number(words[STEAL]) * toPercent);
        } else {
            into.absent(STOLEN, "this kernel's /proc/stat has no steal column");
        }
    }
}
