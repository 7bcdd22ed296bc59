package weir.run;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import weir.cluster.BrokerAction;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.measure.DisturbanceReadings;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.Variant;

/**
 * Makes the disturbances of a trial ready, and notes what they will be judged by.
 *
 * @param trial the folder of the trial
 * @param data the folder that a broker writes to
 */
record Disturbances(
        Experiment experiment,
        Variant variant,
        Lab lab,
        Cluster cluster,
        Path trial,
        Path data,
        TrialRecorder recorder) {
    /** @param stop called when a disturbance could not be carried out or undone, with the reason */
    Timeline timeline(Lab.Probing probes, Consumer<String> stop) {
        boolean ends = variant.cluster().ours() && variant.cluster().freshEachTrial();
        return new Timeline(
                experiment, variant, lab, (name, what) -> ready(name, what, probes), ends, recorder::mark, stop);
    }

    private Disturbance ready(String name, DisturbanceSpec what, Lab.Probing probes) {
        if (what instanceof DisturbanceSpec.Kill kill) {
            return new BrokerDisturbance(cluster, kill.broker(), "killed", BrokerAction.KILL, BrokerAction.RESTART);
        }
        if (what instanceof DisturbanceSpec.Stop end) {
            return new BrokerDisturbance(cluster, end.broker(), "stopped", BrokerAction.STOP, BrokerAction.RESTART);
        }
        if (what instanceof DisturbanceSpec.Pause pause) {
            return new BrokerDisturbance(cluster, pause.broker(), "paused", BrokerAction.PAUSE, BrokerAction.RESUME);
        }
        if (what instanceof DisturbanceSpec.Network network) {
            return new NetworkDisturbance(cluster, network);
        }
        if (what instanceof DisturbanceSpec.Stress stress) {
            Path log = trial.resolve("stress-" + name + ".log");
            return new StressDisturbance(name, stress, lab, probes, this::note, data.resolveSibling(""), log);
        }
        if (what instanceof DisturbanceSpec.Run run) {
            Path folder = experiment.file().toAbsolutePath().resolveSibling("");
            Path log = trial.resolve("run-" + name + ".log");
            return new CommandDisturbance(name, run.command(), lab, cluster, folder, log);
        }
        throw new IllegalArgumentException("not built yet: " + what);
    }

    /** Notes how many partitions brokers lead that will be disturbed: the end of one that leads none is hardly felt. */
    void leaders(Topics topics) {
        if (variant.during().values().stream().noneMatch(what -> what.broker() > 0)) {
            return;
        }
        List<Integer> leaders = topics.leaders();
        variant.during().forEach((name, what) -> {
            if (what.broker() > 0) {
                long led = leaders.stream()
                        .filter(leader -> leader == what.broker())
                        .count();
                note(DisturbanceReadings.ofFault(name), DisturbanceReadings.LED, (double) led);
            }
        });
    }

    private void note(String source, String metric, double value) {
        recorder.reading((long) recorder.second(lab.nanos()), source, metric, value);
    }
}
