package weir.run.lab;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import weir.cluster.Cluster;
import weir.feature.Feature;
import weir.plan.Experiment;
import weir.plan.trial.Trial;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.worker.Bridge;
import weir.worker.Worker;

/** The part of one ability in one trial, from before its warm-up to the end of its measured phase. */
public interface TrialExtension extends AutoCloseable {
    void begin();

    void end(Instant from, Instant to);

    /** Takes what was recorded, while the processes still run; returns notes for the user. */
    List<String> taken();

    /** Writes it to the folder of the trial, also after the close; returns the reasons to doubt it. */
    List<Caveat> keep(TrialResult result);

    @Override
    void close();

    /** A trial whose processes are up and prepared. */
    record Stage(Experiment experiment, Trial trial, Cluster cluster, Worker worker, Bridge bridge, Path folder) {}

    interface Maker extends Feature.Part {
        List<TrialExtension> attach(Stage stage, Supplier<Instant> wall);
    }
}
