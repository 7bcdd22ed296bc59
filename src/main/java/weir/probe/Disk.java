package weir.probe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import weir.host.kernel.BlockDevices;
import weir.host.kernel.KernelFiles;
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
            device = BlockDevices.holding(files, folder);
        }
        try {
            return BlockDevices.statistics(files, device);
        } catch (IOException e) {
            throw new IOException(e.getMessage() + ", which holds " + folder, e);
        }
    }
}
