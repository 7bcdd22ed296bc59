package weir.host;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts;
import weir.host.kernel.Mounts.BlockDevices;
import weir.io.Io;
import weir.plan.DisturbanceSpec;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * A disk for one folder: an ext4 file system on a loop device, stored in a file next to the folder. If Weir fills or
 * slows this disk, only processes that use the folder are affected. Unwritten parts of the file occupy no space.
 */
public final class DiskImage implements AutoCloseable {
    private static final String LOOP_CONTROL = "/dev/loop-control";
    private static final List<String> PROGRAMS = List.of("mkfs.ext4", "losetup", "mount", "umount", "fallocate");
    /** The number of the capability CAP_SYS_ADMIN, see capabilities(7). */
    private static final int MAY_MOUNT = 21;

    private static final String FILLING = ".weir-filling";
    private static final long SLACK = 1 << 20;

    private static final int CHUNK = 4 << 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int PAUSE_MILLIS = 20;

    private final Journal journal;
    private final Path folder;
    private final String device;

    private DiskImage(Journal journal, Path folder, String device) {
        this.journal = journal;
        this.folder = folder;
        this.device = device;
    }

    public static List<String> missing(DisturbanceSpec.Disk asked) {
        List<String> missing = new ArrayList<>();
        for (String program : PROGRAMS) {
            if (Programs.named(program).toString().isEmpty()) {
                missing.add("disk needs the program " + program
                        + ", which is not on the PATH: apt install util-linux mount e2fsprogs");
            }
        }
        KernelFiles files = KernelFiles.LIVE;
        if (!mayMount(files)) {
            missing.add("disk needs a file system for each broker, but this process may not mount file systems; run as"
                    + " root, and outside of a container or in a privileged container");
        }
        if (!Files.isWritable(Path.of(LOOP_CONTROL))) {
            missing.add("disk needs a loop device, but " + LOOP_CONTROL + " cannot be written; run modprobe loop, or"
                    + " start the container with --privileged");
        }
        String limit = asked.ioPerSecond().bytes() == 0
                ? ""
                : DiskThrottle.missing(files, ProcessHandle.current().pid());
        if (!limit.isEmpty()) {
            missing.add(limit);
        }
        return missing;
    }

    private static boolean mayMount(KernelFiles files) {
        return Io.attempt(
                "reading the capabilities of this process",
                () -> (Long.parseUnsignedLong(files.field("/proc/self/status", "CapEff"), 16) >> MAY_MOUNT & 1) == 1);
    }

    /** Mounts a disk on an empty folder, as large as the free space at the folder. */
    public static DiskImage mount(Journal journal, Path folder) {
        Path image = image(folder);
        journal.add(Journal.entry(Journal.MOUNT, folder));
        DiskImage made = new DiskImage(journal, folder, "");
        try {
            long size = Files.getFileStore(folder).getUsableSpace();
            try (FileChannel file = FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                file.position(size - 1).write(ByteBuffer.allocate(1));
            }
            // The kernel must not initialize the file system later, during the measurement.
            Programs.run(
                    "mkfs.ext4",
                    "-q",
                    "-m",
                    "0",
                    "-T",
                    "largefile4",
                    "-E",
                    "lazy_itable_init=0,lazy_journal_init=1,nodiscard",
                    image.toString());
            String loop = attached(image);
            Programs.run("mount", loop, folder.toString());
            // From now on unmounting also detaches the device.
            Programs.run("losetup", "--detach", loop);
            Files.deleteIfExists(folder.resolve("lost+found"));
            return new DiskImage(journal, folder, BlockDevices.holding(KernelFiles.LIVE, folder.toRealPath()));
        } catch (IOException e) {
            made.close();
            throw new UncheckedIOException("mounting a disk at " + folder, e);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private static String attached(Path image) {
        try {
            // Bypasses the page cache of the real disk, so that data is cached only once.
            return Programs.run("losetup", "--find", "--show", "--direct-io=on", image.toString());
        } catch (IllegalStateException indirect) {
            return Programs.run("losetup", "--find", "--show", image.toString());
        }
    }

    private static Path image(Path folder) {
        return folder.resolveSibling(folder.getFileName() + ".img");
    }

    /** Fills the disk without using space of the real disk. */
    public void fill() {
        Path filling = folder.resolve(FILLING);
        Io.attempt("filling " + folder, () -> {
            long most = Files.getFileStore(folder).getUsableSpace() - SLACK;
            if (most > 0) {
                Programs.run("fallocate", "--length", Long.toString(most), filling.toString());
            }
            rest(filling);
        });
    }

    private void rest(Path filling) throws IOException {
        byte[] chunk = new byte[CHUNK];
        try (FileChannel file = FileChannel.open(filling, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                OutputStream out = Channels.newOutputStream(file)) {
            while (true) {
                try {
                    out.write(chunk);
                } catch (IOException full) {
                    if (Files.getFileStore(folder).getUsableSpace() >= CHUNK) {
                        throw full;
                    }
                    return;
                }
            }
        }
    }

    public void empty() {
        Io.attempt("emptying " + folder, () -> Files.deleteIfExists(folder.resolve(FILLING)));
    }

    /** Limits reads and writes separately, until the result is closed; {@code pid} is a process that uses the disk. */
    public DiskThrottle throttle(long bytesPerSecond, long pid) {
        return DiskThrottle.open(journal, KernelFiles.LIVE, device, bytesPerSecond, pid);
    }

    /** Unmounts the disk and deletes its content. No process may use the disk any more. */
    @Override
    public void close() {
        unmount(folder);
        journal.remove(Journal.entry(Journal.MOUNT, folder));
    }

    static boolean unmount(Path folder) {
        Path image = image(folder);
        boolean there = Files.exists(image);
        while (mounted(folder)) {
            there = true;
            release(folder);
        }
        if (Files.exists(image)) {
            // The device was attached but never mounted.
            Programs.run("losetup", "--noheadings", "--output", "NAME", "--associated", image.toString())
                    .lines()
                    .filter(loop -> !loop.isBlank())
                    .forEach(loop -> Programs.run("losetup", "--detach", loop.strip()));
        }
        Io.attempt("deleting " + image, () -> Files.deleteIfExists(image));
        return there;
    }

    /** Retries, because a killed process may use the disk a moment longer. */
    private static void release(Path folder) {
        TimeLimit deadline = MachineClock.within(TIMEOUT);
        while (true) {
            try {
                Programs.run("umount", folder.toString());
                return;
            } catch (IllegalStateException busy) {
                if (deadline.passed()) {
                    throw busy;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a disk was unmounted", e);
        }
    }

    private static boolean mounted(Path folder) {
        return Io.attempt("reading the mount at " + folder, () -> {
            if (!Files.isDirectory(folder)) {
                return false;
            }
            Path real = folder.toRealPath();
            return Mounts.of(KernelFiles.LIVE).all().stream()
                    .anyMatch(mount -> mount.at().equals(real));
        });
    }
}
