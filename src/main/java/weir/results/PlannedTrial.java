package weir.results;

import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;

/**
 * The parts of a plan that the figures and caveats of its trial depend on.
 *
 * @param offered whether operations are due by a schedule, and not in a closed loop
 * @param even whether the rate of each step is the same all the time
 * @param level whether the load is to be the same from the first second to the last
 * @param operates whether operations are more than single records
 * @param catchesUp whether readers begin far behind producers that go on
 * @param cold whether a backlog is to be read from the disk
 * @param sameValue whether all messages have the same value
 * @param disturbed whether anything was asked to go wrong
 * @param processes that carry the load
 * @param unpinned brokers that are started here and may use every core
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
        int processes,
        int unpinned) {
    public static PlannedTrial of(Variant variant) {
        LoadSpec load = variant.load();
        RateSpec rate = load.rate();
        boolean unpinned =
                variant.cluster().here() && variant.cluster().within().cpus().isEmpty();
        return new PlannedTrial(
                load.workload(),
                load.target(),
                !rate.closed(),
                rate instanceof RateSpec.Fixed || rate instanceof RateSpec.Steps,
                rate.closed()
                        || rate instanceof RateSpec.Fixed
                        || rate instanceof RateSpec.Poisson
                        || rate instanceof RateSpec.OfCapacity
                        || (rate instanceof RateSpec.Steps steps
                                && steps.steps().size() == 1),
                load.operates(),
                load.catchesUp(),
                load.backlog().cold(),
                load.messages().value() instanceof ValueSpec.Generated made
                        && made.content() instanceof ValueSpec.Content.Same,
                !variant.during().isEmpty(),
                load.processes(),
                unpinned ? variant.cluster().brokers().size() : 0);
    }

    /** True when what is sent is also read. */
    public boolean reads() {
        return workload == LoadSpec.Workload.DELIVER;
    }
}
