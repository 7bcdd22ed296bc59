package weir.host.kernel;

import java.io.IOException;
import java.nio.file.Path;
import weir.host.kernel.Mounts.Mount;

/** The block devices behind folders. */
public final class BlockDevices {
    private BlockDevices() {}

    /**
     * The number of a folder's device, such as "254:1"; its name "vda1" if the file system hides the number (btrfs).
     *
     * @param folder a path without links
     */
    public static String holding(KernelFiles files, Path folder) throws IOException {
        Mount mount = Mounts.of(files).holding(folder);
        if (!mount.device().startsWith("0:")) {
            return mount.device();
        }
        if (mount.source().startsWith("/dev/")) {
            return files.at(mount.source()).toRealPath().getFileName().toString();
        }
        throw new IOException(folder + " is on " + mount.type() + ", which has no block device");
    }

    /** The words of the device's line in /proc/diskstats: "254 1 vda1 reads …". */
    public static String[] statistics(KernelFiles files, String device) throws IOException {
        for (String line : files.lines("/proc/diskstats")) {
            String[] words = KernelFiles.words(line);
            if (words.length >= 14 && (device.equals(words[0] + ":" + words[1]) || device.equals(words[2]))) {
                return words;
            }
        }
        throw new IOException("/proc/diskstats has no device '" + device + "'");
    }

    /** The number of the whole disk of a folder, because limits do not apply to partitions. */
    public static String disk(KernelFiles files, Path folder) throws IOException {
        String[] words = statistics(files, holding(files, folder));
        String device = "/sys/dev/block/" + words[0] + ":" + words[1];
        // The folder of a partition is inside the folder of its disk.
        return files.text(device + (files.has(device + "/partition") ? "/../dev" : "/dev"))
                .strip();
    }
}
