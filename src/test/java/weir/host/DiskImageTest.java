package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts.BlockDevices;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;

/** Disks of their own below folders of this machine, if it allows mounting. */
@Timeout(60)
class DiskImageTest {
    private static final DisturbanceSpec.Disk ALL =
            new DisturbanceSpec.Disk(Duration.ZERO, Duration.ZERO, 1, new ByteSize(1 << 20), true);

    @TempDir
    Path root;

    private Path folder;
    private Journal journal;

    @BeforeEach
    void folder() throws IOException {
        assumeTrue(DiskImage.missing(ALL).isEmpty());
        folder = Files.createDirectory(root.toRealPath().resolve("data"));
        journal = Journal.open(root.resolve("state"));
    }

    private long space() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    private String loops() {
        return Programs.run("losetup", "--list", "--noheadings", "--output", "BACK-FILE");
    }

    @Test
    void diskImageIsFilledAndEmptiedWithoutUsingHostSpace() throws IOException {
        try (DiskImage disk = DiskImage.mount(journal, folder)) {
            assertThat(folder).isEmptyDirectory();
            long before = space();
            assertThat(before).isGreaterThan(Files.getFileStore(root).getUsableSpace() / 2);
            disk.fill();
            assertThatThrownBy(() -> Files.write(folder.resolve("more"), new byte[1 << 20]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            assertThat(Files.getFileStore(root).getUsableSpace())
                    .as("the real disk")
                    .isGreaterThan(before / 2);
            disk.empty();
            Files.write(folder.resolve("more"), new byte[1 << 20]);
            assertThat(space()).isGreaterThan(before - (4 << 20));
        }
        assertThat(folder).isEmptyDirectory();
        assertThat(root.resolve("data.img")).doesNotExist();
        assertThat(loops()).doesNotContain(folder.toString());
        journal.close();
        assertThat(root.resolve("state/journal")).isEmptyDirectory();
    }

    @Test
    void diskImageHasALimitableLoopDevice() throws IOException {
        try (DiskImage disk = DiskImage.mount(journal, folder)) {
            String device = BlockDevices.disk(KernelFiles.LIVE, folder);
            assertThat(device).as("a loop device").startsWith("7:");
            Path limits = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");
            assumeTrue(Files.exists(limits));
            try (DiskThrottle throttle =
                    disk.throttle(1 << 20, ProcessHandle.current().pid())) {
                assertThat(throttle).isNotNull();
                assertThat(Files.readAllLines(limits)).contains(device + " 1048576");
            }
            assertThat(Files.readString(limits)).doesNotContain(device + " ");
        }
    }

    @Test
    void theDiskOfAKilledProcessIsTakenAway() throws IOException {
        DiskImage lost = DiskImage.mount(journal, folder);
        assertThat(lost).isNotNull();
        assertThat(Killed.clear(root.resolve("state")))
                .isEqualTo(List.of("clean-up after a killed weir: unmounted " + folder));
        assertThat(root.resolve("data.img")).doesNotExist();
        assertThat(loops()).doesNotContain(folder.toString());
        assertThat(root.resolve("state/journal")).isEmptyDirectory();
    }
}
