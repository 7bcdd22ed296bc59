package weir.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.ControlGroup.FreeMemory;

class FreeMemoryTest {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path root;

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file.substring(1));
        Files.createDirectories(path.resolveSibling(""));
        Files.writeString(path, content);
    }

    @BeforeEach
    void aMachineOfOneGibibyte() throws IOException {
        write("/proc/meminfo", "MemTotal: 2097152 kB\nMemAvailable: 1048576 kB\n");
        write("/proc/17/cgroup", "0::/box\n");
        write("/proc/self/mountinfo", "25 30 0:23 / /sys rw - sysfs sysfs rw\n");
    }

    private long bytes() throws IOException {
        return FreeMemory.bytes(new KernelFiles(root), 17);
    }

    @Test
    void freeMemoryIsThatOfTheMachineWithoutControlGroups() throws IOException {
        assertThat(bytes()).isEqualTo(1_024 * MIB);
    }

    @Test
    void controlGroupLimitsFreeMemory() throws IOException {
        write("/proc/self/mountinfo", "25 30 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        write("/sys/fs/cgroup/box/memory.max", Long.toString(100 * MIB));
        write("/sys/fs/cgroup/box/memory.current", Long.toString(60 * MIB));
        write("/sys/fs/cgroup/box/memory.stat", "inactive_file " + 10 * MIB + "\nactive_file " + 5 * MIB + "\n");
        assertThat(bytes()).isEqualTo(55 * MIB);
    }
}
