package weir.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The readings of our own JVM that are only available from inside. */
record OwnJvm(MemoryMXBean memory) implements Probe {
    OwnJvm() {
        this(ManagementFactory.getMemoryMXBean());
    }

    @Override
    public void look(Readings into) {
        into.level("heap.used.mib", memory.getHeapMemoryUsage().getUsed() / KernelFiles.MIB);
    }
}
