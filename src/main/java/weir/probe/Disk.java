package weir.probe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts;
import weir.host.kernel.Mounts.Mount;
import weir.measure.MetricChart;
import weir.measure.ProbeMetric;

/** The block device behind a folder: how much it moves, and for how much of a second it was busy. */
final class Disk implements Probe {
    /** /proc/diskstats counts in sectors of 512 bytes, whatever the device has. */
    private static final double SECTORS_PER_MIB = 2048;

    private static final MetricChart CHART = new MetricChart("Disk", "MiB/s", "", false);
    private static final String WRITTEN = "disk.write.mib.per.s";
    private static final String READ = "disk.read.mib.per.s";

    private final KernelFiles files;
    private final Path folder;
    private String device = "";

    Disk(KernelFiles files, Path folder) {
        this.files = files;
        this.folder = folder;
    }

    @Override
    public List<ProbeMetric> drawn() {
        return List.of(new ProbeMetric(WRITTEN, "written", CHART), new ProbeMetric(READ, "read", CHART));
    }

    @Override
    public void look(Readings into) {
        into.family("disk.*", () -> {
            String[] words = line();
            double reads = KernelFiles.number(words[3]);
            double writes = KernelFiles.number(words[7]);
            into.rate(READ, KernelFiles.number(words[5]) / SECTORS_PER_MIB);
            into.rate(WRITTEN, KernelFiles.number(words[9]) / SECTORS_PER_MIB);
            into.rate("disk.reads.per.s", reads);
            into.rate("disk.writes.per.s", writes);
            into.rate("disk.busy.percent", KernelFiles.number(words[12]) / 10.0);
            into.mean("disk.wait.ms", KernelFiles.number(words[6]) + KernelFiles.number(words[10]), reads + writes);
        });
    }

    /** "254 0 vda reads merged sectors ms writes merged sectors ms running busyMs weightedMs …". */
    private String[] line() throws IOException {
        if (device.isEmpty()) {
            device = device();
        }
        for (String line : files.lines("/proc/diskstats")) {
            String[] words = KernelFiles.words(line);
            if (words.length >= 14 && (device.equals(words[0] + ":" + words[1]) || device.equals(words[2]))) {
                return words;
            }
        }
        throw new IOException("/proc/diskstats has no device '" + device + "', which holds " + folder);
    }

    /** The number "254:0", or, where the file system hides it behind a number of its own (btrfs), the name "vda". */
    private String device() throws IOException {
        Mount mount = Mounts.of(files).holding(folder);
        if (!mount.device().startsWith("0:")) {
            return mount.device();
        }
        if (mount.source().startsWith("/dev/")) {
            return files.at(mount.source()).toRealPath().getFileName().toString();
        }
        throw new IOException(folder + " is on " + mount.type() + ", which has no device of its own");
    }
}
