package weir.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import weir.cluster.admin.Topics;
import weir.io.Io;
import weir.measure.LoadListener;
import weir.plan.Variant;
import weir.run.disturbance.FurtherLoad;
import weir.run.lab.Lab;
import weir.worker.GivenBridge;
import weir.worker.Worker;

/** A starter of loads beside the load of a trial. The messages and topics of each load have a tag of their own. */
record FurtherLoads(AssignmentFactory trial, Lab lab, Path folder, long originNanos, TrialRun.CleanUp cleanUp)
        implements FurtherLoad.Starter {
    @Override
    public FurtherLoad start(String name, Variant variant, LoadListener listener) {
        AssignmentFactory own = trial.beside(variant, new SecureRandom().nextInt());
        Topics topics = lab.topics(own.cluster(), own.naming());
        Lab.Activity end = () -> {
            try (topics) {
                if (!own.cluster().gone()) {
                    cleanUp.step(topics::delete);
                }
            }
        };
        try {
            topics.create(own.topics());
            Path logs = folder.resolve("load-" + name);
            Io.attempt("making " + logs, () -> Files.createDirectories(logs));
            Worker worker = lab.worker(
                    variant.load().placed(),
                    own.jvm(),
                    variant.load().processes(),
                    logs,
                    TrialRun.longest(variant),
                    listener);
            Lab.Activity processes = worker::close;
            end = processes.andThen(end);
            worker.prepare(own.assignment(topics, originNanos, new GivenBridge(List.of())));
            return new FurtherLoad(worker, end);
        } catch (RuntimeException e) {
            Lab.Activity begun = end;
            try (begun) {
                throw e;
            }
        }
    }
}
