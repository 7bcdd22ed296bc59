package weir.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/** The readings of our own JVM that are only available from inside, the cost of all probes among them. */
record OwnJvm(MemoryMXBean memory, ThreadMXBean threads, AllocatedBytes.OfOwnJvm allocated) implements Probe {
    static final String HEAP = "heap.used.mib";
    static final String PROBES = "probes.cpu.cores";
    private static final double NANOS = 1e9;
    static final List<ProbeMetric> DRAWN =
            List.of(new ProbeMetric(HEAP, "", new MetricChart("Heap in use", "MiB", "", false)));

    OwnJvm() {
        this(ManagementFactory.getMemoryMXBean(), ManagementFactory.getThreadMXBean(), new AllocatedBytes.OfOwnJvm());
    }

    @Override
    public List<ProbeMetric> drawn() {
        return DRAWN;
    }

    @Override
    public void look(Readings into) {
        into.level(HEAP, memory.getHeapMemoryUsage().getUsed() / KernelFiles.MIB);
        allocated.look(into);
        if (threads.isCurrentThreadCpuTimeSupported()) {
            // The thread that asks is the one that asks all probes.
            into.rate(PROBES, threads.getCurrentThreadCpuTime() / NANOS);
        } else {
            into.absent(PROBES, "this JVM does not count the CPU time of its threads");
        }
    }
}
