package weir.run.disturbance;

import weir.measure.LoadListener;
import weir.plan.Variant;
import weir.run.lab.Lab;
import weir.worker.Worker;

/**
 * A load beside the load of a trial, with its own processes, topics and messages.
 *
 * @param worker ready for its phases
 * @param end ends the processes and deletes the topics
 */
public record FurtherLoad(Worker worker, Lab.Activity end) {
    public interface Starter {
        /** Starts the load of a variant with the topics of this variant; {@code name} is the name of its log folder. */
        FurtherLoad start(String name, Variant variant, LoadListener listener);
    }
}
