package weir.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.KernelFiles;

/** Throttles on recorded file trees of both versions of control groups. */
class DiskThrottleTest {
    private static final String DEVICE = "7:0";
    private static final String TOP = "/sys/fs/cgroup/blkio";

    @TempDir
    Path root;

    private Journal journal;

    @BeforeEach
    void journal() {
        journal = Journal.open(root.resolve("state"));
    }

    private void put(String path, String text) {
        Path file = root.resolve(path.substring(1));
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text(String path) {
        try {
            return Files.readString(root.resolve(path.substring(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void version1(String group) {
        put("/proc/self/mountinfo", "33 22 0:30 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n");
        put("/proc/17/cgroup", "3:blkio:" + group + "\n");
        for (String way : new String[] {"read", "write"}) {
            put(TOP + "/blkio.throttle." + way + "_bps_device", "");
            put(TOP + "/broker/blkio.throttle." + way + "_bps_device", DEVICE + " 100\n8:0 7\n");
        }
    }

    private void version2() {
        put("/proc/self/mountinfo", "41 22 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        put("/proc/17/cgroup", "0::/broker\n");
        put("/sys/fs/cgroup/broker/io.max", "7:0 rbps=max wbps=900 riops=max wiops=5\n");
    }

    private DiskThrottle throttle() {
        return DiskThrottle.open(journal, new KernelFiles(root), DEVICE, 4_096, 17);
    }

    @Test
    void version1LimitsTheProcessAndTheThreadsOfTheKernel() {
        version1("/broker");
        DiskThrottle throttle = throttle();
        assertThat(text(TOP + "/blkio.throttle.write_bps_device")).isEqualTo("7:0 4096");
        assertThat(text(TOP + "/blkio.throttle.read_bps_device")).isEqualTo("7:0 4096");
        assertThat(text(TOP + "/broker/blkio.throttle.write_bps_device")).isEqualTo("7:0 4096");
        throttle.close();
        assertThat(text(TOP + "/blkio.throttle.write_bps_device"))
                .as("no limit")
                .isEqualTo("7:0 0");
        assertThat(text(TOP + "/broker/blkio.throttle.read_bps_device"))
                .as("the limit of the shield")
                .isEqualTo("7:0 100");
    }

    @Test
    void version2LimitsTheGroupOfTheProcess() {
        version2();
        DiskThrottle throttle = throttle();
        assertThat(text("/sys/fs/cgroup/broker/io.max")).isEqualTo("7:0 rbps=4096 wbps=4096");
        throttle.close();
        assertThat(text("/sys/fs/cgroup/broker/io.max")).isEqualTo("7:0 rbps=max wbps=900");
    }

    @Test
    void diskThrottleOfKilledProcessIsRemoved() throws IOException {
        version1("/");
        DiskThrottle lost = throttle();
        assertThat(lost).isNotNull();
        assertThat(Killed.clear(root.resolve("state")))
                .containsExactlyInAnyOrder(
                        "clean-up after a killed weir: wrote '7:0 0' to " + root + TOP
                                + "/blkio.throttle.read_bps_device",
                        "clean-up after a killed weir: wrote '7:0 0' to " + root + TOP
                                + "/blkio.throttle.write_bps_device");
        assertThat(text(TOP + "/blkio.throttle.write_bps_device")).isEqualTo("7:0 0");
        assertThat(root.resolve("state/journal")).isEmptyDirectory();
    }

    @Test
    void aControllerThatIsNotHandedDownIsMissing() {
        version2();
        put("/sys/fs/cgroup/broker/cgroup.controllers", "cpu memory\n");
        assertThat(DiskThrottle.missing(new KernelFiles(root), 17))
                .isEqualTo("disk.io: the control group /sys/fs/cgroup/broker has no controller 'io'; remove io");
        put("/sys/fs/cgroup/broker/cgroup.controllers", "cpu io memory\n");
        assertThat(DiskThrottle.missing(new KernelFiles(root), 17)).isEmpty();
        version1("/broker");
        assertThat(DiskThrottle.missing(new KernelFiles(root), 17)).isEmpty();
    }

    @Test
    void aGroupThatIsGoneNeedsNoUndoing() throws IOException {
        version2();
        DiskThrottle throttle = throttle();
        Files.delete(root.resolve("sys/fs/cgroup/broker/io.max"));
        throttle.close();
        journal.close();
        assertThat(root.resolve("state/journal")).isEmptyDirectory();
    }
}
