package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.KernelFiles;

class MachineFactsTest {
    @Test
    void factsComeFromWhereTheKernelKeepsThem(@TempDir Path root) {
        Tree tree = new Tree(root)
                .put("/proc/cpuinfo", """
                        processor	: 0
                        model name	: AMD EPYC
                        flags		: fpu hypervisor lahf_lm

                        processor	: 1
                        model name	: AMD EPYC
                        flags		: fpu hypervisor lahf_lm
                        """)
                .put("/proc/meminfo", "MemTotal: 2048000 kB\nSwapTotal: 0 kB\n")
                .put("/proc/sys/kernel/osrelease", "6.1.0-32-amd64\n")
                .put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
                .put("/etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
                .put(
                        "/proc/self/mountinfo",
                        "27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 0:2 / /shm rw - tmpfs t rw\n");
        assertThat(MachineFacts.of(tree.files(), Path.of("/shm/logs")))
                .contains(
                        entry("cpu.cores", "2"),
                        entry("cpu.model", "AMD EPYC"),
                        entry("cpu.virtualised", "true"),
                        entry("memory.mib", "2000"),
                        entry("swap.mib", "0"),
                        entry("memory.huge.pages", "madvise"),
                        entry("kernel", "6.1.0-32-amd64"),
                        entry("os", "Debian GNU/Linux 12 (bookworm)"),
                        entry("filesystem", "tmpfs"),
                        entry("java.vm.version", System.getProperty("java.vm.version")));
    }

    @Test
    void aMachineThatTellsNothingHasOnlyItsJava(@TempDir Path root) {
        assertThat(MachineFacts.of(new KernelFiles(root), Path.of("/")))
                .containsOnlyKeys("java.vendor", "java.vm.name", "java.vm.version", "os.arch");
    }

    @Test
    void thisMachineTellsItsKernelCoresAndFileSystem() throws IOException {
        assertThat(MachineFacts.of(Path.of("")))
                .containsKeys("kernel", "cpu.cores", "memory.mib", "filesystem")
                .doesNotContainValue("");
    }
}
