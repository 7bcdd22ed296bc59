package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.probe.ProcessProbes.ProcStat;

class ProcessTest {
    private static final long OWN = ProcessHandle.current().pid();

    private final Tree tree;
    private final ProcStat process;

    ProcessTest(@TempDir Path root) {
        tree = new Tree(root);
        process = new ProcStat(tree.files(), 17);
    }

    @Test
    void cpuIsInCoresAndMemoryInMebibytes() {
        stat('S', 100, 50, 8000);
        tree.look(process);
        stat('S', 225, 75, 8000);
        assertThat(tree.look(process))
                .containsOnly(
                        entry("cpu.user.cores", 1.25),
                        entry("cpu.system.cores", 0.25),
                        entry("cpu.cores", 1.5),
                        entry("faults.minor.per.s", 0.0),
                        entry("faults.major.per.s", 0.0),
                        entry("threads", 91.0),
                        entry("memory.rss.mib", 400.0),
                        entry("memory.rss.peak.mib", 500.0));
    }

    @Test
    void aProcessThatVanishesBetweenTwoReadsIsGone() throws IOException {
        stat('S', 100, 50, 8000);
        tree.look(process);
        tree.remove("/proc/17/status");
        tree.remove("/proc/17/stat");
        tree.remove("/proc/17");
        assertThat(tree.look(process)).isEmpty();
        assertThat(tree.ended()).isTrue();
        assertThat(tree.absent()).containsExactly("*: process 17 has ended");
    }

    @Test
    void zombieProcessIsReportedAsEnded() {
        stat('Z', 100, 50, 8000);
        assertThat(tree.look(process)).isEmpty();
        assertThat(tree.ended()).isTrue();
    }

    @Test
    void anotherProcessOfTheSameNumberIsNotTakenForIt() {
        stat('S', 100, 50, 8000);
        tree.look(process);
        stat('S', 1, 1, 9000);
        assertThat(tree.look(process)).isEmpty();
        assertThat(tree.absent()).containsExactly("*: process 17 has ended, and another process has its number");
    }

    @Test
    void unreadableProcessStatIsAbsentAndNotEnded() throws IOException {
        stat('S', 100, 50, 8000);
        tree.remove("/proc/17/status");
        assertThat(tree.look(process)).isEmpty();
        assertThat(tree.ended()).isFalse();
        assertThat(tree.absent()).singleElement().asString().contains("/proc/17/status does not exist");
    }

    /** The reading is at least the CPU of one thread and at most the CPU of the whole process. */
    @Test
    void theCpuReadLiesBetweenWhatAThreadAndWhatTheProcessUsed() throws IOException {
        OperatingSystemMXBean jvm = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double processBefore = jvm.getProcessCpuTime() / 1e9;
        double before = Footprint.of(OWN).cpuSeconds();
        double burnt = burn(300_000_000L) / 1e9;
        double read = Footprint.of(OWN).cpuSeconds() - before;
        double process = jvm.getProcessCpuTime() / 1e9 - processBefore;
        // Both ends of a difference are rounded down to ticks of 10 ms.
        assertThat(read).isBetween(burnt - 0.02, process + 0.02);
    }

    @Test
    void memoryThatIsTouchedIsResident() throws IOException {
        int size = 64 * 1024 * 1024;
        double before = Footprint.of(OWN).rssMib();
        ByteBuffer memory = ByteBuffer.allocateDirect(size);
        for (int page = 0; page < size; page += 4096) {
            memory.put(page, (byte) 1);
        }
        Footprint after = Footprint.of(OWN);
        assertThat(after.rssMib() - before).isGreaterThan(48);
        assertThat(after.peakRssMib()).isGreaterThanOrEqualTo(after.rssMib() - 1);
        assertThat(memory.get(0)).isEqualTo((byte) 1);
    }

    @Test
    void aProcessThatIsNotThereHasNoFootprint() {
        assertThatThrownBy(() -> Footprint.of(Integer.MAX_VALUE)).isInstanceOf(IOException.class);
    }

    private static long burn(long nanos) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        long used = 0;
        while (used < nanos) {
            used = threads.getCurrentThreadCpuTime() - start;
        }
        return used;
    }

    private void stat(char state, long user, long system, long start) {
        tree.put(
                "/proc/17/stat",
                "17 (java) (x 1) S) %c 1 17 17 0 -1 4194560 9 0 3 0 %d %d 0 0 20 0 91 0 %d 1 2 3\n"
                        .formatted(state, user, system, start));
        tree.put("/proc/17/status", """
                Name:	java
                Umask:	0022
                VmHWM:	  512000 kB
                VmRSS:	  409600 kB
                Threads:	91
                """);
    }
}
