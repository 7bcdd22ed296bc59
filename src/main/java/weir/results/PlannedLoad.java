package weir.results;

import weir.plan.LoadSpec;
import weir.plan.RateSpec;

/**
 * The parts of a trial's plan that its figures depend on.
 *
 * @param offered whether operations are due by a schedule, and not in a closed loop
 * @param even whether the rate of each step is the same all the time
 * @param operates whether operations are more than single records
 * @param catchesUp whether readers begin far behind producers that go on
 * @param processes that carry the load
 */
public record PlannedLoad(
        LoadSpec.Workload workload, boolean offered, boolean even, boolean operates, boolean catchesUp, int processes) {
    static PlannedLoad of(LoadSpec load) {
        return new PlannedLoad(
                load.workload(),
                !load.rate().closed(),
                load.rate() instanceof RateSpec.Fixed || load.rate() instanceof RateSpec.Steps,
                load.operates(),
                load.catchesUp(),
                load.processes());
    }

    /** True when what is sent is also read. */
    public boolean reads() {
        return workload == LoadSpec.Workload.DELIVER;
    }
}
