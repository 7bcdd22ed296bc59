package weir.run.disturbance;

import java.nio.file.Path;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.plan.Experiment;
import weir.plan.Variant;
import weir.run.lab.Lab;
import weir.worker.Bridge;

/**
 * A running trial with disturbances.
 *
 * @param data the folder that contains the data folders of the brokers on this machine
 */
public record DisturbedTrial(
        Experiment experiment,
        Variant variant,
        Lab lab,
        Cluster cluster,
        Topics topics,
        Bridge bridge,
        Lab.ProbeActivity probes,
        FurtherLoad.Starter loads,
        Path folder,
        Path data,
        TrialNotes notes) {
    public Path log(String name, String host) {
        return folder.resolve(name + (host.isEmpty() ? "" : "-" + host) + ".log");
    }

    /** The data folder of the brokers on a host; an empty path without brokers. */
    public Path data(String host) {
        return host.isEmpty()
                ? data
                : cluster.brokers().stream()
                        .filter(broker -> broker.host().equals(host))
                        .map(broker -> broker.data().resolveSibling(""))
                        .findFirst()
                        .orElse(Path.of(""));
    }
}
