package weir.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import weir.feature.Features;
import weir.host.DiskImage;
import weir.host.FreeDiskSpace;
import weir.host.MachineResources;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;

/**
 * The check that one machine has enough resources for the parts of a variant that run there.
 *
 * @param host the name of the machine in the run; empty for this machine
 */
record MachineNeeds(Variant variant, String host, MachineResources machine) {
    private static final Path NO_DATA = Path.of("");

    /** The reasons why the machine cannot run the parts, each with a remedy. */
    List<String> missing(long disk) {
        List<String> lines = new ArrayList<>();
        brokers(disk, lines);
        if (here(variant.load().placed())) {
            machine.missing(variant.load().within(), NO_DATA).forEach(line -> lines.add("load." + line));
        }
        bridge(lines);
        new TreeMap<>(variant.during()).forEach((name, what) -> {
            if (!what.processes().isEmpty() && here(what.placed())) {
                lines.addAll(after(name, Features.disturbance(what).missing(what, machine, variant)));
            } else if (what instanceof DisturbanceSpec.Disk asked
                    && host.isEmpty()
                    && variant.cluster().here()) {
                lines.addAll(after(name, DiskImage.missing(asked)));
            }
        });
        String where = "variant '" + variant.name() + "': " + (host.isEmpty() ? "" : "host '" + host + "': ");
        return lines.stream().map(line -> where + line).toList();
    }

    private static List<String> after(String disturbance, List<String> missing) {
        return missing.stream()
                .map(line -> "during." + disturbance + "." + line)
                .toList();
    }

    static String size(long bytes) {
        return bytes < 1 << 30
                ? String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20))
                : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
    }

    private boolean here(PlacedSpec placed) {
        return placed.each().contains(host);
    }

    private void brokers(long disk, List<String> lines) {
        ClusterSpec cluster = variant.cluster();
        int all = cluster.brokers().size() + variant.addedBrokers();
        int brokers = PlacedSpec.on(host, cluster.placed(), all).size();
        if (!cluster.startedByWeir() || variant.load().target() == LoadSpec.Target.NULL || brokers == 0) {
            return;
        }
        machine.missing(cluster.within(), cluster.data()).forEach(line -> lines.add("cluster." + line));
        long memory = brokers * cluster.heap().bytes();
        long free = machine.freeMemory();
        if (memory > free) {
            lines.add("the heaps of the brokers need " + size(memory) + ", and only " + size(free)
                    + " of memory is free; set cluster.heap lower, or place brokers on more hosts");
        }
        FreeDiskSpace room = machine.disk(cluster.data());
        if (disk > room.usable()) {
            lines.add("a trial may write " + size(disk) + ", and the disk of " + room.folder() + " has "
                    + size(Math.max(0, room.usable()))
                    + " free above its reserve of 5 %; lower the rate, the duration or the sizes, or set cluster.data"
                    + " to a larger disk");
        }
    }

    private void bridge(List<String> lines) {
        BridgeSpec bridge = variant.bridge();
        if (!bridge.none() && here(bridge.placed())) {
            Features.bridge(bridge).missing(bridge, host, machine).forEach(line -> lines.add("bridge." + line));
        }
    }
}
