package weir.probe;

import java.io.IOException;
import java.util.Map;
import weir.host.kernel.KernelFiles;
import weir.probe.ProcessProbes.ProcStat;

/** The cost of a process since its start: CPU of all threads (to 10 ms), resident memory now and at its peak. */
public record Footprint(double cpuSeconds, double rssMib, double peakRssMib) {
    /** Adds two processes. The sum of their peaks is an upper limit, because peaks may be at different times. */
    public Footprint plus(Footprint other) {
        return new Footprint(cpuSeconds + other.cpuSeconds, rssMib + other.rssMib, peakRssMib + other.peakRssMib);
    }

    public static Footprint of(long pid) throws IOException {
        KernelFiles files = KernelFiles.LIVE;
        Map<String, Long> status = files.table("/proc/" + pid + "/status");
        Long rss = status.get("VmRSS");
        Long peak = status.get("VmHWM");
        if (rss == null || peak == null) {
            throw new IOException("process " + pid + " has ended: the kernel reports no memory for it");
        }
        return new Footprint(ProcStat.Counts.of(files, pid).cpuSeconds(), rss / 1024.0, peak / 1024.0);
    }
}
