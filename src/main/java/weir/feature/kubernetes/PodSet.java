package weir.feature.kubernetes;

import java.util.List;
import java.util.stream.IntStream;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/** A set of equal pods. Each pod is a host of the run. {@code number} counts the sets of a component from 1. */
public record PodSet(Component component, int number, int pods, PlacedSpec.Kubernetes placed, Limits within) {
    public String name(RunIdentity run) {
        return run.name() + "-" + component.word() + (number == 1 ? "" : "-" + number);
    }

    public List<String> hosts(RunIdentity run) {
        return IntStream.range(0, pods).mapToObj(pod -> name(run) + "-" + pod).toList();
    }

    boolean stateful() {
        return component == Component.BROKER;
    }

    boolean alike(PodSet other) {
        return component == other.component
                && pods == other.pods
                && placed.equals(other.placed)
                && within.equals(other.within);
    }

    PodSet numbered(int newNumber) {
        return new PodSet(component, newNumber, pods, placed, within);
    }
}
