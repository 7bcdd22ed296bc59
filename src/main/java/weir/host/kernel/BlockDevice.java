package weir.host.kernel;

import java.io.IOException;
import java.nio.file.Path;
import weir.host.kernel.Mounts.Mount;

/** The device that holds a folder: its number "254:0", and its name, "vda". */
public record BlockDevice(String number, String name) {
    /** The device as the kernel knows it: a partition where the file system lies on one. */
    public static BlockDevice holding(KernelFiles files, Path folder) throws IOException {
        Mount mount = Mounts.of(files).holding(folder);
        // A file system such as btrfs hides its device behind a number of its own.
        String name = mount.device().startsWith("0:") && mount.source().startsWith("/dev/")
                ? String.valueOf(files.at(mount.source()).toRealPath().getFileName())
                : "";
        for (String line : files.lines("/proc/diskstats")) {
            String[] words = KernelFiles.words(line);
            if (words.length > 2 && (mount.device().equals(words[0] + ":" + words[1]) || name.equals(words[2]))) {
                return new BlockDevice(words[0] + ":" + words[1], words[2]);
            }
        }
        throw new IOException(folder + " is on " + mount.type() + ", which has no device of its own");
    }

    /** The disk of which it is a part; limits are kept for whole disks only. */
    public BlockDevice disk(KernelFiles files) throws IOException {
        // A partition is a folder within that of its disk.
        Path folder = files.at("/sys/dev/block/" + number).toRealPath();
        if (!files.has("/sys/dev/block/" + number + "/partition")) {
            return this;
        }
        Path disk = folder.resolveSibling("");
        return new BlockDevice(
                files.text("/sys/dev/block/" + number + "/../dev").strip(), String.valueOf(disk.getFileName()));
    }
}
