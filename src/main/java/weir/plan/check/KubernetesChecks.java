package weir.plan.check;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;

/** Checks that Kubernetes can run what a variant places in pods. */
record KubernetesChecks(ProblemSpot spot, Variant variant) {
    private static final List<String> SPREAD = List.of("beside", "apart");

    /** The placement of a variant that is the first to be in pods, and what the variant says of pods there. */
    private record Pods(LayeredExperiment.Laid laid, String path, PlacedSpec.Kubernetes placed) {}

    void check() {
        image();
        limits();
        data();
        spread("load", spot.tree().section("load"), variant.load().placed());
        variant.during().forEach(this::disturbance);
        besideBrokers();
    }

    /** A run is conducted in one place, by one image. */
    static void together(List<LayeredExperiment.Laid> all, Findings findings) {
        List<Pods> pods = all.stream()
                .flatMap(laid -> PlacedChecks.everywhere(laid.variant()).entrySet().stream()
                        .filter(each -> each.getValue() instanceof PlacedSpec.Kubernetes)
                        .map(each -> new Pods(laid, each.getKey(), (PlacedSpec.Kubernetes) each.getValue())))
                .toList();
        if (pods.isEmpty()) {
            return;
        }
        Pods first = pods.get(0);
        for (LayeredExperiment.Laid laid : all) {
            PlacedChecks.everywhere(laid.variant()).forEach((path, placed) -> {
                if (placed instanceof PlacedSpec.Hosts) {
                    new ProblemSpot(laid.tree(), findings)
                            .wrong(
                                    path,
                                    "runs on hosts, and " + first.path() + " in pods, which hosts do not reach; write"
                                            + " kubernetes or here in one, or hosts in both");
                }
            });
        }
        for (Pods other : pods) {
            ProblemSpot spot = new ProblemSpot(other.laid().tree(), findings);
            same(
                    spot,
                    "namespace",
                    first,
                    first.placed().namespace(),
                    other.placed().namespace());
            same(spot, "image", first, first.placed().image(), other.placed().image());
        }
    }

    private static void same(ProblemSpot spot, String key, Pods first, String value, String other) {
        if (!other.equals(value) && !other.isEmpty() && !value.isEmpty()) {
            spot.wrong(
                    "kubernetes." + key,
                    "'" + other + "' is not '" + value + "', as in variant '"
                            + first.laid().variant().name() + "', and a run has one; write the same in both");
        }
    }

    private void image() {
        if (!spot.sound("kubernetes")) {
            return;
        }
        PlacedChecks.everywhere(variant).forEach((path, placed) -> {
            if (placed instanceof PlacedSpec.Kubernetes pods && pods.image().isEmpty()) {
                spot.wrong(
                        path,
                        "nothing says which image has Weir in it; write kubernetes: { image: registry.example.com/weir:0.1.0 }");
            }
        });
    }

    private void limits() {
        Map<String, Limits> inPods = new TreeMap<>();
        if (inPods(variant.load().placed())) {
            inPods.put("load.within", variant.load().within());
        }
        if (inPods(variant.cluster().placed())) {
            inPods.put("cluster.within", variant.cluster().within());
        }
        if (variant.bridge() instanceof BridgeSpec.Gateway gateway && inPods(gateway.placed())) {
            inPods.put("bridge.gateway.within", gateway.within());
        }
        variant.during().forEach((name, disturbance) -> {
            if (disturbance instanceof DisturbanceSpec.Stress stress && inPods(stress.placed())) {
                inPods.put("during." + name + ".within", stress.within());
            }
            if (disturbance instanceof DisturbanceSpec.Load second && inPods(second.placed())) {
                inPods.put("during." + name + ".load.within", second.load().within());
            }
        });
        inPods.forEach((path, within) -> {
            if (within.ioPerSecond().bytes() > 0) {
                spot.wrong(
                        path + ".io", "Kubernetes limits no disk traffic of a pod; leave it out, or run it on hosts");
            }
            if (!within.cpus().isEmpty()) {
                spot.wrong(
                        path + ".cpus",
                        "Kubernetes lets nobody choose the cores of a pod; write cpu: "
                                + within.cpus().size() + ", or run it on hosts");
            }
        });
    }

    /** A pod has only the disk that is made for it. */
    private void data() {
        if (!inPods(variant.cluster().placed())) {
            return;
        }
        String instead = "brokers in pods keep their data on a claim of kubernetes.storage, or else on the disk of the"
                + " node; leave it out";
        if (!variant.cluster().data().toString().isEmpty()) {
            spot.wrong("cluster.data", instead);
        }
        if (variant.cluster().brokers().stream()
                .anyMatch(broker -> !broker.data().toString().isEmpty())) {
            spot.wrong("cluster.brokers", instead + " of each broker");
        }
    }

    private void disturbance(String name, DisturbanceSpec disturbance) {
        String path = "during." + name;
        Tree.Section section = spot.tree().section("during").section(name);
        if (disturbance instanceof DisturbanceSpec.Stress || disturbance instanceof DisturbanceSpec.Run) {
            spread(path, section, disturbance.placed());
        } else {
            said(section)
                    .forEach(key -> spot.wrong(
                            path + "." + key,
                            "only a stress and a run have a place of their own; leave " + key + " out"));
        }
        if (disturbance instanceof DisturbanceSpec.Load second) {
            spread(path + ".load", section.section("load"), second.load().placed());
        }
    }

    private void spread(String path, Tree.Section section, PlacedSpec placed) {
        if (!inPods(placed)) {
            said(section)
                    .forEach(
                            key -> spot.wrong(
                                    path + "." + key,
                                    "chooses the nodes of pods, and this runs in none; leave it out, or write placed: kubernetes"));
        }
    }

    private void besideBrokers() {
        boolean brokers = inPods(variant.cluster().placed()) && variant.load().target() == LoadSpec.Target.CLUSTER;
        Map<String, PlacedSpec> placed = new TreeMap<>();
        placed.put("load", variant.load().placed());
        variant.during()
                .forEach((name, disturbance) -> placed.put(
                        "during." + name + (disturbance instanceof DisturbanceSpec.Load ? ".load" : ""),
                        disturbance.placed()));
        placed.forEach((path, where) -> {
            boolean beside =
                    where instanceof PlacedSpec.Kubernetes pods && pods.spread() == PlacedSpec.Spread.BESIDE_BROKERS;
            if (beside && !brokers) {
                spot.wrong(
                        path + ".beside",
                        "there are no brokers in pods to be beside; leave it out, or write cluster: { placed: kubernetes }");
            }
        });
    }

    /** The keys with which a section chooses nodes. */
    private static List<String> said(Tree.Section section) {
        return SPREAD.stream().filter(section::has).toList();
    }

    private static boolean inPods(PlacedSpec placed) {
        return placed instanceof PlacedSpec.Kubernetes;
    }
}
