package weir.load;

import java.util.TreeSet;
import weir.load.message.Payloads;
import weir.plan.Variant;

/** Plans of loads that a single worker carries. */
public final class LoadPlans {
    private LoadPlans() {}

    public static LoadPlan alone(Variant variant, Payloads payloads, int runTag, long originNanos) {
        return alone(variant, payloads.meanBytes(), runTag, originNanos);
    }

    static LoadPlan alone(Variant variant, double meanBytes, int runTag, long originNanos) {
        return new LoadPlan(
                variant.load(),
                variant.warmup(),
                variant.measure(),
                variant.during().values(),
                variant.verify(),
                1,
                meanBytes,
                0,
                1,
                runTag,
                originNanos,
                LoadPlan.parts(variant.load(), variant.measure(), new TreeSet<>()));
    }
}
