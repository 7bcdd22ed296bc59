package weir.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** What the JVM we run in can only be asked from inside. */
record OwnJvm(MemoryMXBean memory) implements Probe {
    OwnJvm() {
        this(ManagementFactory.getMemoryMXBean());
    }

    @Override
    public void look(Readings into) {
        into.level("heap.used.mib", memory.getHeapMemoryUsage().getUsed() / KernelFiles.MIB);
    }
}
