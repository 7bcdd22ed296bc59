package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.Mounts;
import weir.probe.HostProbes.Disk;

class DiskTest {
    private final Tree tree;

    DiskTest(@TempDir Path root) {
        tree = new Tree(root);
        tree.put("/proc/self/mountinfo", """
                22 27 0:21 / /proc rw,relatime - proc proc rw
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                28 27 254:1 / /var/lib rw shared:1 master:2 - xfs /dev/vda1 rw
                29 27 0:41 / /pool rw - btrfs /dev/vdb rw
                30 27 0:26 / /shm rw - tmpfs tmpfs rw,size=4k
                31 27 8:1 / /my\\040disk rw - ext4 /dev/sda1 rw
                32 27 0:99 / /twice rw - tmpfs tmpfs rw
                33 27 254:1 / /twice rw - xfs /dev/vda1 rw
                """);
        diskstats(0, 0, 0);
    }

    @Test
    void deviceOfTheDeepestMountIsRead() {
        Disk disk = new Disk(tree.files(), Path.of("/var/lib/kafka"));
        tree.look(disk);
        diskstats(10, 4096, 250);
        assertThat(tree.look(disk))
                .containsKeys(Tree.drawn(disk))
                .contains(
                        entry("disk.writes.per.s", 10.0),
                        entry("disk.write.mib.per.s", 2.0),
                        entry("disk.busy.percent", 25.0),
                        entry("disk.wait.ms", 2.0));
    }

    @Test
    void mountPointMatchesWholePathSegments() {
        tree.look(new Disk(tree.files(), Path.of("/var/library")));
        assertThat(tree.absent()).isEmpty();
        assertThat(tree.look(new Disk(tree.files(), Path.of("/var/library")))).containsEntry("disk.reads.per.s", 0.0);
    }

    @Test
    void diskOfAFileSystemIsFoundByItsDevicePath() throws IOException {
        tree.put("/dev/dm-3", "");
        Files.createSymbolicLink(tree.files().at("/dev/vdb"), Path.of("dm-3"));
        Disk disk = new Disk(tree.files(), Path.of("/pool/kafka"));
        tree.look(disk);
        assertThat(tree.look(disk)).containsEntry("disk.busy.percent", 0.0);
    }

    @Test
    void memoryHasNoDisk() {
        assertThat(tree.look(new Disk(tree.files(), Path.of("/shm/logs")))).isEmpty();
        assertThat(tree.absent()).containsExactly("disk.*: /shm/logs is on tmpfs, which has no block device");
    }

    @Test
    void blanksInAMountPointAndMountsOverMountsAreUnderstood() throws IOException {
        Mounts mounts = Mounts.of(tree.files());
        assertThat(mounts.holding(Path.of("/my disk/logs")).device()).isEqualTo("8:1");
        assertThat(mounts.holding(Path.of("/twice")).type()).isEqualTo("xfs");
    }

    @Test
    void aBusyTimeThatWrapsAroundGivesNoFigure() {
        Disk disk = new Disk(tree.files(), Path.of("/var/lib"));
        diskstats(0, 0, 4_294_967_290L);
        tree.look(disk);
        diskstats(0, 0, 20);
        assertThat(tree.look(disk)).doesNotContainKey("disk.busy.percent").containsKey("disk.writes.per.s");
    }

    /** Kernels before 4.18 write 14 columns, later kernels more. This file has one of each. */
    private void diskstats(long writes, long sectors, long busyMillis) {
        tree.put("/proc/diskstats", """
                 254       0 vda 26894 5113 1767794 4663 5101 5523 311016 692 0 2556 5510 3194 51 140792 145 238 8
                 254       1 vda1 0 0 0 0 %d 0 %d %d 0 %d 0
                 253       3 dm-3 1 0 8 1 0 0 0 0 0 0 0
                """.formatted(writes, sectors, writes * 2, busyMillis));
    }
}
