package weir.feature.kubernetes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;

/**
 * The sets of pods for each variant of a run, in the order of the run. Variants that need equal sets share a set.
 *
 * @param byVariant the sets of each variant, by the paths of their placements, such as {@code load.placed}
 */
public record PodSets(Map<String, Map<String, PodSet>> byVariant) {
    public PodSets {
        Map<String, Map<String, PodSet>> copy = new LinkedHashMap<>();
        byVariant.forEach((variant, sets) -> copy.put(variant, Collections.unmodifiableMap(sets)));
        byVariant = Collections.unmodifiableMap(copy);
    }

    public static PodSets of(Experiment experiment) {
        List<PodSet> known = new ArrayList<>();
        Map<String, Map<String, PodSet>> byVariant = new LinkedHashMap<>();
        for (Variant variant : experiment.variants()) {
            Map<String, PodSet> sets = new LinkedHashMap<>();
            asked(variant).forEach((path, asked) -> {
                // Two stresses of one variant may run at once, so they do not share pods.
                PodSet set = known.stream()
                        .filter(other -> asked.numbered(other.number()).equals(other) && !sets.containsValue(other))
                        .findFirst()
                        .orElseGet(() -> asked.numbered(1
                                + (int) known.stream()
                                        .filter(other -> other.component() == asked.component())
                                        .count()));
                if (!known.contains(set)) {
                    known.add(set);
                }
                sets.put(path, set);
            });
            byVariant.put(variant.name(), sets);
        }
        return new PodSets(byVariant);
    }

    public List<PodSet> all() {
        return byVariant.values().stream()
                .flatMap(sets -> sets.values().stream())
                .distinct()
                .toList();
    }

    private static Map<String, PodSet> asked(Variant variant) {
        Map<String, PodSet> sets = new LinkedHashMap<>();
        if (variant.load().target() == LoadSpec.Target.CLUSTER) {
            // The pod of a broker also runs the dedicated controller with the same number.
            int brokers = Math.max(
                    variant.cluster().brokers().size() + variant.addedBrokers(),
                    variant.cluster().dedicatedControllers());
            add(
                    sets,
                    "cluster",
                    Component.BROKER,
                    brokers,
                    variant.cluster().placed(),
                    variant.cluster().within());
        }
        BridgeSpec bridge = variant.bridge();
        add(sets, "bridge", Component.GATEWAY, bridge.instances(), bridge.placed(), bridge.within());
        LoadSpec load = variant.load();
        add(sets, "load", Component.LOAD, load.processes(), load.placed(), load.within());
        variant.during().forEach((name, disturbance) -> disturbance(sets, "during." + name, disturbance, variant));
        return sets;
    }

    private static void disturbance(
            Map<String, PodSet> sets, String part, DisturbanceSpec disturbance, Variant variant) {
        int pods = disturbance.placed() instanceof PlacedSpec.Kubernetes placed
                        && placed.spread() == PlacedSpec.Spread.BESIDE_BROKERS
                ? variant.cluster().brokers().size()
                : 1;
        if (!disturbance.processes().isEmpty()) {
            Component component = EnumNames.constant(disturbance.processes(), Component.class);
            add(sets, part, component, pods, disturbance.placed(), disturbance.within());
        }
    }

    private static void add(
            Map<String, PodSet> sets, String part, Component component, int pods, PlacedSpec placed, Limits within) {
        if (placed instanceof PlacedSpec.Kubernetes kubernetes && pods > 0) {
            sets.put(part + ".placed", new PodSet(component, 1, pods, kubernetes, within));
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
