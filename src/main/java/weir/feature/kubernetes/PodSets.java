package weir.feature.kubernetes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;

/** The sets of pods for each variant of a run, in the order of the run. Variants that need equal sets share a set. */
public record PodSets(Map<String, List<PodSet>> byVariant) {
    public PodSets {
        Map<String, List<PodSet>> copy = new LinkedHashMap<>();
        byVariant.forEach((variant, sets) -> copy.put(variant, List.copyOf(sets)));
        byVariant = Collections.unmodifiableMap(copy);
    }

    public static PodSets of(Experiment experiment) {
        List<PodSet> known = new ArrayList<>();
        Map<String, List<PodSet>> byVariant = new LinkedHashMap<>();
        for (Variant variant : experiment.variants()) {
            List<PodSet> sets = new ArrayList<>();
            for (PodSet asked : asked(variant)) {
                // Two stresses of one variant may run at once, so they do not share pods.
                PodSet set = known.stream()
                        .filter(other -> other.alike(asked) && !sets.contains(other))
                        .findFirst()
                        .orElseGet(() -> asked.numbered(1
                                + (int) known.stream()
                                        .filter(other -> other.component() == asked.component())
                                        .count()));
                if (!known.contains(set)) {
                    known.add(set);
                }
                sets.add(set);
            }
            byVariant.put(variant.name(), sets);
        }
        return new PodSets(byVariant);
    }

    public List<PodSet> all() {
        return byVariant.values().stream().flatMap(List::stream).distinct().toList();
    }

    private static List<PodSet> asked(Variant variant) {
        List<PodSet> sets = new ArrayList<>();
        if (variant.load().target() == LoadSpec.Target.CLUSTER) {
            // The pod of a broker also runs the dedicated controller with the same number.
            int brokers = Math.max(
                    variant.cluster().brokers().size() + variant.addedBrokers(),
                    variant.cluster().dedicatedControllers());
            add(
                    sets,
                    Component.BROKER,
                    brokers,
                    variant.cluster().placed(),
                    variant.cluster().within());
        }
        BridgeSpec bridge = variant.bridge();
        add(sets, Component.GATEWAY, bridge.instances(), bridge.placed(), bridge.within());
        LoadSpec load = variant.load();
        add(sets, Component.LOAD, load.processes(), load.placed(), load.within());
        new TreeMap<>(variant.during()).values().forEach(disturbance -> disturbance(sets, disturbance, variant));
        return sets;
    }

    private static void disturbance(List<PodSet> sets, DisturbanceSpec disturbance, Variant variant) {
        int pods = disturbance.placed() instanceof PlacedSpec.Kubernetes placed
                        && placed.spread() == PlacedSpec.Spread.BESIDE_BROKERS
                ? variant.cluster().brokers().size()
                : 1;
        if (!disturbance.processes().isEmpty()) {
            Component component = EnumNames.constant(disturbance.processes(), Component.class);
            add(sets, component, pods, disturbance.placed(), disturbance.within());
        }
    }

    private static void add(List<PodSet> sets, Component component, int pods, PlacedSpec placed, Limits within) {
        if (placed instanceof PlacedSpec.Kubernetes kubernetes && pods > 0) {
            sets.add(new PodSet(component, 1, pods, kubernetes, within));
        }
    }

    /** A set of equal pods. Each pod is a host of the run. {@code number} counts the sets of a component from 1. */
    public record PodSet(Component component, int number, int pods, PlacedSpec.Kubernetes placed, Limits within) {
        public String name(RunIdentity run) {
            return run.name() + "-" + component.word() + (number == 1 ? "" : "-" + number);
        }

        public List<String> hosts(RunIdentity run) {
            return IntStream.range(0, pods)
                    .mapToObj(pod -> name(run) + "-" + pod)
                    .toList();
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

    /** The role of a pod in a run. */
    public enum Component {
        CONDUCTOR,
        BROKER,
        LOAD,
        GATEWAY,
        STRESS,
        COMMAND;

        static final String INSTANCE = "app.kubernetes.io/instance";
        static final String LABEL = "app.kubernetes.io/component";

        String word() {
            return EnumNames.of(this);
        }
    }
}
