package weir.host.kernel;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The memory that a new process could take without swapping. */
public final class FreeMemory {
    private static final long KIB = 1024;

    private FreeMemory() {}

    /** The free bytes of the machine, or the free bytes of the process's control group if they are fewer. */
    public static long bytes(KernelFiles files, long pid) throws IOException {
        Long kibibytes = files.table("/proc/meminfo").get("MemAvailable");
        if (kibibytes == null) {
            throw new IOException("/proc/meminfo has no line 'MemAvailable'");
        }
        return Math.min(kibibytes * KIB, left(files, pid));
    }

    /** Counts pages of files as free, because the kernel frees them before it refuses memory. */
    private static long left(KernelFiles files, long pid) throws IOException {
        if (!files.has("/proc/" + pid + "/cgroup")) {
            return Long.MAX_VALUE;
        }
        Optional<ControlGroup> seen = ControlGroup.mounted(files, pid, "memory");
        if (seen.isEmpty()) {
            return Long.MAX_VALUE;
        }
        ControlGroup group = seen.get();
        double limit = group.memoryLimit();
        if (Double.isInfinite(limit)) {
            return Long.MAX_VALUE;
        }
        Map<String, Long> stat = files.table(group.file("memory.stat"));
        String total = group.version() == 1 ? "total_" : "";
        long pages = stat.getOrDefault(total + "inactive_file", 0L) + stat.getOrDefault(total + "active_file", 0L);
        return Math.max(0, (long) limit - group.memoryUsed() + pages);
    }
}
