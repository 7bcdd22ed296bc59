package weir.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/** The readings of our own JVM that are only available from inside. */
record OwnJvm(MemoryMXBean memory) implements Probe {
    static final String HEAP = "heap.used.mib";
    static final List<ProbeMetric> DRAWN =
            List.of(new ProbeMetric(HEAP, "", new MetricChart("Heap in use", "MiB", "", false)));

    OwnJvm() {
        this(ManagementFactory.getMemoryMXBean());
    }

    @Override
    public List<ProbeMetric> drawn() {
        return DRAWN;
    }

    @Override
    public void look(Readings into) {
        into.level(HEAP, memory.getHeapMemoryUsage().getUsed() / KernelFiles.MIB);
    }
}
