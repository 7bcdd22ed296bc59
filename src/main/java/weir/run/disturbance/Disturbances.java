package weir.run.disturbance;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.measure.DisturbanceReadings;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.run.lab.Lab;
import weir.worker.Bridge;

/** Makes the disturbances of a trial ready, and notes what they will be judged by. */
public final class Disturbances implements AutoCloseable {
    private final Experiment experiment;
    private final Variant variant;
    private final Lab lab;
    private final Cluster cluster;
    private final Bridge bridge;
    private final Path trial;
    private final Path data;
    private final TrialNotes notes;
    private final Map<String, BrokerWatch> watches = new TreeMap<>();

    /**
     * @param trial the folder of the trial
     * @param data the folder in which those of the brokers are
     */
    public Disturbances(
            Experiment experiment,
            Variant variant,
            Lab lab,
            Cluster cluster,
            Bridge bridge,
            Path trial,
            Path data,
            TrialNotes notes) {
        this.experiment = experiment;
        this.variant = variant;
        this.lab = lab;
        this.cluster = cluster;
        this.bridge = bridge;
        this.trial = trial;
        this.data = data;
        this.notes = notes;
    }

    /**
     * A timeline of all of them.
     *
     * @param stop called when a disturbance could not be carried out or undone, with the reason
     */
    public Timeline timeline(Lab.Probing probes, Consumer<String> stop) {
        boolean ends = variant.cluster().ours() && variant.cluster().freshEachTrial();
        return new Timeline(
                experiment, variant, lab, (name, what) -> watched(name, ready(name, what, probes)), ends, notes, stop);
    }

    private Disturbance watched(String name, Disturbance disturbance) {
        BrokerWatch watch = watches.get(name);
        return watch == null ? disturbance : new WatchedDisturbance(disturbance, watch, lab);
    }

    private Disturbance ready(String name, DisturbanceSpec what, Lab.Probing probes) {
        if (what instanceof DisturbanceSpec.Outage outage) {
            return OutageDisturbance.of(cluster, bridge, outage);
        }
        if (what instanceof DisturbanceSpec.Network network) {
            return ImpairmentDisturbance.network(cluster, network);
        }
        if (what instanceof DisturbanceSpec.Disk disk) {
            return ImpairmentDisturbance.disk(cluster, disk);
        }
        if (what instanceof DisturbanceSpec.Stress stress) {
            return onEach(
                    stress.placed(),
                    host -> new StressDisturbance(
                            host, name, stress, lab, probes, notes, data(host), log("stress-" + name, host)));
        }
        if (what instanceof DisturbanceSpec.Run run) {
            Path folder = experiment.file().toAbsolutePath().resolveSibling("");
            return onEach(
                    run.placed(),
                    host -> new CommandDisturbance(
                            host, name, run.command(), lab, cluster, folder, log("run-" + name, host)));
        }
        throw new IllegalArgumentException("not built yet: " + what);
    }

    private static Disturbance onEach(PlacedSpec placed, Function<String, Disturbance> made) {
        List<Disturbance> parts = placed.each().stream().map(made).toList();
        return placed.elsewhere() ? new DisturbanceGroup(placed.each(), parts) : parts.get(0);
    }

    private Path log(String name, String host) {
        return trial.resolve(name + (host.isEmpty() ? "" : "-" + host) + ".log");
    }

    /** The folder that the brokers on a host write to; an empty path where there are none. */
    private Path data(String host) {
        return host.isEmpty()
                ? data
                : cluster.brokers().stream()
                        .filter(broker -> broker.host().equals(host))
                        .map(broker -> broker.data().resolveSibling(""))
                        .findFirst()
                        .orElse(Path.of(""));
    }

    /**
     * Notes how many partitions brokers lead that will be disturbed, as the end of one that leads none is hardly felt, and
     * watches those that lead some.
     */
    public void leaders(Topics topics) {
        if (variant.during().values().stream().noneMatch(what -> what.broker() > 0)) {
            return;
        }
        List<Integer> leaders = topics.leaders();
        variant.during().forEach((name, what) -> {
            if (what.broker() > 0) {
                long led = leaders.stream()
                        .filter(leader -> leader == what.broker())
                        .count();
                notes.reading(DisturbanceReadings.ofFault(name), DisturbanceReadings.LED, (double) led);
                if (led > 0) {
                    watches.put(name, new BrokerWatch(lab, topics.outside(what.broker()), notes, name));
                }
            }
        });
    }

    @Override
    public void close() {
        watches.values().forEach(BrokerWatch::close);
    }
}
