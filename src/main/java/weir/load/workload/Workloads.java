package weir.load.workload;

import weir.plan.LoadSpec;

/** The workloads by their names in a plan. */
public final class Workloads {
    private Workloads() {}

    public static Workload of(LoadSpec.Workload workload) {
        return switch (workload) {
            case PRODUCE -> new Produce();
            case CONSUME -> new Consume();
            case DELIVER -> new Deliver();
            case WRITE -> new Write();
            case STREAM -> new Stream();
        };
    }
}
