package weir.host.kernel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.host.kernel.Mounts.Mount;

/**
 * The kernel's folder of a process's control group for one controller, such as "cpu" or "memory".
 *
 * @param folder the path, without "/" at the end
 * @param top the topmost visible folder that contains {@code folder}
 */
public record ControlGroup(KernelFiles files, int version, String folder, String top) {
    public static ControlGroup of(KernelFiles files, long pid, String controller) throws IOException {
        return mounted(files, pid, controller)
                .orElseThrow(
                        () -> new IOException("no control group file system with '" + controller + "' is mounted"));
    }

    static Optional<ControlGroup> mounted(KernelFiles files, long pid, String controller) throws IOException {
        List<String> lines = files.lines("/proc/" + pid + "/cgroup");
        Mounts mounts = Mounts.of(files);
        for (String line : lines) {
            // 4:memory,hugetlb:/system.slice/kafka.service
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                for (Mount mount : mounts.all()) {
                    if (mount.type().equals("cgroup") && mount.options().contains(controller)) {
                        return Optional.of(at(files, 1, mount, parts[2]));
                    }
                }
            }
        }
        for (String line : lines) {
            if (line.startsWith("0::")) {
                for (Mount mount : mounts.all()) {
                    if (mount.type().equals("cgroup2")) {
                        return Optional.of(at(files, 2, mount, line.substring(3)));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static ControlGroup at(KernelFiles files, int version, Mount mount, String group) throws IOException {
        boolean part = !mount.root().equals("/");
        if (group.startsWith("/..") || (part && !(group + "/").startsWith(mount.root() + "/"))) {
            throw new IOException("control group '" + group + "' is not visible in this container");
        }
        String below = part ? group.substring(mount.root().length()) : group;
        String top = mount.at().toString();
        return new ControlGroup(files, version, below.equals("/") ? top : top + below, top);
    }

    public String file(String name) {
        return folder + "/" + name;
    }

    /** True if this group, of version 2, has the controller. */
    public boolean has(String controller) throws IOException {
        return List.of(KernelFiles.words(files.text(file("cgroup.controllers"))))
                .contains(controller);
    }

    /** The lines that limit reads and writes of a device, each to this rate, by the names of their files. */
    public SortedMap<String, String> throttled(String device, long bytesPerSecond) {
        return version == 1
                ? new TreeMap<>(Map.of(
                        "blkio.throttle.read_bps_device", device + " " + bytesPerSecond,
                        "blkio.throttle.write_bps_device", device + " " + bytesPerSecond))
                : new TreeMap<>(Map.of("io.max", device + " rbps=" + bytesPerSecond + " wbps=" + bytesPerSecond));
    }

    /** The lowest CPU limit, in cores, of the group and of all groups above; infinite without a limit. */
    public double cpuLimit() throws IOException {
        double tightest = Double.POSITIVE_INFINITY;
        for (String group : upwards()) {
            String quota = "max";
            String period = "1";
            if (version == 2 && files.has(group + "/cpu.max")) {
                String[] words = KernelFiles.words(files.text(group + "/cpu.max"));
                quota = words[0];
                period = words[1];
            } else if (version == 1 && files.has(group + "/cpu.cfs_quota_us")) {
                quota = files.text(group + "/cpu.cfs_quota_us").strip();
                period = files.text(group + "/cpu.cfs_period_us").strip();
            }
            if (!quota.equals("max") && !quota.equals("-1")) {
                tightest = Math.min(tightest, Double.parseDouble(quota) / Double.parseDouble(period));
            }
        }
        return tightest;
    }

    /** The lowest memory limit, in bytes, of the group and of all groups above; infinite without a limit. */
    public double memoryLimit() throws IOException {
        double tightest = Double.POSITIVE_INFINITY;
        for (String group : upwards()) {
            String path = group + (version == 2 ? "/memory.max" : "/memory.limit_in_bytes");
            String limit = files.has(path) ? files.text(path).strip() : "max";
            // Without a limit, version 1 reports the largest number of whole pages in a long.
            if (!limit.equals("max") && Double.parseDouble(limit) < 0x1p62) {
                tightest = Math.min(tightest, Double.parseDouble(limit));
            }
        }
        return tightest;
    }

    /** Bytes of memory of the group, including the page cache. */
    public long memoryUsed() throws IOException {
        return Long.parseLong(files.text(file(version == 1 ? "memory.usage_in_bytes" : "memory.current"))
                .strip());
    }

    private List<String> upwards() {
        List<String> groups = new ArrayList<>();
        String group = folder;
        while (group.length() > top.length()) {
            groups.add(group);
            group = group.substring(0, group.lastIndexOf('/'));
        }
        groups.add(top);
        return groups;
    }

    /** The memory that a new process could take without swapping. */
    public static final class FreeMemory {
        private static final long KIB = 1024;

        private FreeMemory() {}

        /** The free bytes of the machine, or the free bytes of the process's control group if they are fewer. */
        public static long bytes(KernelFiles files, long pid) throws IOException {
            Long kibibytes = files.table("/proc/meminfo").get("MemAvailable");
            if (kibibytes == null) {
                throw new IOException("/proc/meminfo has no line 'MemAvailable'");
            }
            return Math.min(kibibytes * KIB, left(files, pid));
        }

        /** Counts pages of files as free, because the kernel frees them before it refuses memory. */
        private static long left(KernelFiles files, long pid) throws IOException {
            if (!files.has("/proc/" + pid + "/cgroup")) {
                return Long.MAX_VALUE;
            }
            Optional<ControlGroup> seen = ControlGroup.mounted(files, pid, "memory");
            if (seen.isEmpty()) {
                return Long.MAX_VALUE;
            }
            ControlGroup group = seen.get();
            double limit = group.memoryLimit();
            if (Double.isInfinite(limit)) {
                return Long.MAX_VALUE;
            }
            Map<String, Long> stat = files.table(group.file("memory.stat"));
            String total = group.version() == 1 ? "total_" : "";
            long pages = stat.getOrDefault(total + "inactive_file", 0L) + stat.getOrDefault(total + "active_file", 0L);
            return Math.max(0, (long) limit - group.memoryUsed() + pages);
        }
    }
}
