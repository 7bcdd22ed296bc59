package weir.results;

import java.util.Collections;
import java.util.List;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;

/**
 * The parts of a plan that affect the figures and caveats of its trial.
 *
 * @param offered whether a schedule determines the due times; false for a closed loop
 * @param even whether the rate is constant within each step
 * @param level whether the load is constant over the trial
 * @param operates whether an operation is more than a single record
 * @param catchesUp whether readers begin with a backlog while producers run
 * @param cold whether a backlog is read from the disk
 * @param sameValue whether all messages have the same value
 * @param queued whether an acked record may exist only in the memory of a gateway or a channel
 * @param redelivers whether an event may be delivered twice, or after a later event
 * @param countedPerSecond the fixed rate of a measured phase that ends with its last message; 0 for other phases
 * @param sharing number of Weir's brokers on this machine that may share cores with the generator
 */
public record PlannedTrial(
        LoadSpec.Workload workload,
        LoadSpec.Target target,
        boolean offered,
        boolean even,
        boolean level,
        boolean operates,
        boolean catchesUp,
        boolean cold,
        boolean sameValue,
        boolean disturbed,
        boolean queued,
        boolean redelivers,
        double countedPerSecond,
        int processes,
        int sharing) {
    public static PlannedTrial of(Variant variant) {
        LoadSpec load = variant.load();
        RateSpec rate = load.rate();
        List<Integer> brokers = variant.cluster().within().cpus();
        List<Integer> generator = load.within().cpus();
        boolean apart = !brokers.isEmpty() && !generator.isEmpty() && Collections.disjoint(brokers, generator);
        return new PlannedTrial(
                load.workload(),
                load.target(),
                !rate.closed(),
                rate.even(),
                rate.level(),
                load.operates(),
                load.catchesUp(),
                load.backlog().cold(),
                load.messages().value() instanceof ValueSpec.Generated made
                        && made.content() instanceof ValueSpec.Content.Same,
                !variant.during().isEmpty(),
                variant.bridge().queued() && (variant.bridge().startedByWeir() || variant.receivesOutsideKafka()),
                variant.receivesOutsideKafka(),
                counted(variant),
                load.processes(),
                variant.cluster().here() && !apart ? variant.cluster().brokers().size() : 0);
    }

    /** A trial of another tool, of which only the workload is known. */
    static PlannedTrial imported(LoadSpec.Workload workload) {
        LoadSpec.Target target = LoadSpec.Target.CLUSTER;
        return new PlannedTrial(
                workload, target, false, false, false, false, false, false, false, false, false, false, 0, 1, 0);
    }

    private static double counted(Variant variant) {
        RateSpec rate = variant.load().rate();
        boolean counted = variant.measure().counted() && !variant.load().operates();
        return counted && rate instanceof RateSpec.Fixed
                ? rate.highest(variant.load().senders())
                : 0;
    }

    public boolean reads() {
        return workload == LoadSpec.Workload.DELIVER;
    }
}
