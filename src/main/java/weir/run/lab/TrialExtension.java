package weir.run.lab;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import weir.cluster.Cluster;
import weir.feature.Feature;
import weir.plan.Experiment;
import weir.plan.trial.Trial;
import weir.worker.Bridge;
import weir.worker.Worker;

/** The work of one feature in one trial, from before the warm-up to the end of the measured phase. */
public interface TrialExtension extends AutoCloseable {
    void begin();

    void end(Instant from, Instant to);

    /** Writes the recorded data to the folder of the trial while the processes run; returns notes for the user. */
    List<String> taken();

    @Override
    void close();

    /**
     * The trial of an extension.
     *
     * @param topics the names of the load's topics on the cluster
     */
    record Stage(
            Experiment experiment,
            Trial trial,
            Cluster cluster,
            List<String> topics,
            Worker worker,
            Bridge bridge,
            Path folder) {}

    interface Maker extends Feature.Part {
        List<TrialExtension> attach(Stage stage, Supplier<Instant> wall);
    }
}
