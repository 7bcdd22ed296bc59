package weir.feature.kubernetes;

import java.util.List;
import java.util.stream.IntStream;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * Pods of one kind, each of them a host of the run.
 *
 * @param number from 1, among the different sets of a component
 */
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
