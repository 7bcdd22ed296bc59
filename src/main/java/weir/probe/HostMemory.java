package weir.probe;

import java.util.Map;
import weir.host.kernel.KernelFiles;

/** How much memory is left on the machine, and how much waits to be written. */
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
