package weir.probe;

import java.io.IOException;
import java.util.Map;
import weir.host.kernel.KernelFiles;

/** How much memory is left on the machine, how much waits to be written, and how often the disk had to stand in. */
record HostMemory(KernelFiles files) implements Probe {
    @Override
    public void look(Readings into) {
        into.family("memory.*", () -> {
            Map<String, Long> kibibytes = files.table("/proc/meminfo");
            level(into, "memory.available.mib", kibibytes, "MemAvailable");
            level(into, "memory.cached.mib", kibibytes, "Cached");
            level(into, "memory.dirty.mib", kibibytes, "Dirty");
            level(into, "memory.writeback.mib", kibibytes, "Writeback");
        });
        into.family("faults.major.per.s", () -> {
            Long faults = files.table("/proc/vmstat").get("pgmajfault");
            if (faults == null) {
                throw new IOException("/proc/vmstat has no line 'pgmajfault'");
            }
            into.rate("faults.major.per.s", faults);
        });
    }

    private static void level(Readings into, String metric, Map<String, Long> kibibytes, String name) {
        Long value = kibibytes.get(name);
        if (value == null) {
            into.absent(metric, "this kernel's /proc/meminfo has no line '" + name + "'");
        } else {
            into.level(metric, value / 1024.0);
        }
    }
}
