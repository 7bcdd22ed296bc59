package weir.host.kernel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The mounts by place, from /proc/self/mountinfo. A later line hides an earlier line with the same place. */
public record Mounts(List<Mount> all) {
    /**
     * One line of mountinfo.
     *
     * @param device "major:minor"
     * @param root the mounted part of the file system; "/" except for bind mounts and containers
     * @param here the options of the mount, such as noatime; {@code options} are those of the file system
     */
    public record Mount(
            String device, String root, Path at, List<String> here, String type, String source, List<String> options) {}

    public Mounts {
        all = List.copyOf(all);
    }

    public static Mounts of(KernelFiles files) throws IOException {
        List<Mount> mounts = new ArrayList<>();
        for (String line : files.lines("/proc/self/mountinfo")) {
            // 31 25 0:28 / /dev/shm rw,relatime [optional fields …] - tmpfs tmpfs rw,size=4k
            int dash = line.indexOf(" - ");
            if (dash < 0) {
                throw new IOException("a line of /proc/self/mountinfo without ' - ': '" + line + "'");
            }
            String[] left = KernelFiles.words(line.substring(0, dash));
            String[] right = KernelFiles.words(line.substring(dash + 3));
            if (left.length < 6 || right.length < 2) {
                throw new IOException("a line of /proc/self/mountinfo is cut short: '" + line + "'");
            }
            List<String> options = right.length > 2 ? List.of(right[2].split(",", -1)) : List.of();
            mounts.add(new Mount(
                    left[2],
                    unescape(left[3]),
                    Path.of(unescape(left[4])),
                    List.of(left[5].split(",", -1)),
                    right[0],
                    unescape(right[1]),
                    options));
        }
        return new Mounts(mounts);
    }

    public Mount holding(Path real) throws IOException {
        Mount deepest = null;
        for (Mount mount : all) {
            if (real.startsWith(mount.at())
                    && (deepest == null
                            || mount.at().getNameCount() >= deepest.at().getNameCount())) {
                deepest = mount;
            }
        }
        if (deepest == null) {
            throw new IOException("nothing is mounted at or above " + real);
        }
        return deepest;
    }

    /** Decodes spaces, tabs, line ends and backslashes, which mountinfo writes in octal. */
    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    /** The block devices behind folders. */
    public static final class BlockDevices {
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
}
