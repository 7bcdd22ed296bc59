package weir.plan.check;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;

/** Checks that Kubernetes can run what a variant places in pods. */
record KubernetesChecks(ProblemSpot spot, Variant variant) {
    /** The placement of a variant that is the first to be in pods, and what the variant says of pods there. */
    private record Pods(LayeredExperiment.Laid laid, String path, PlacedSpec.Kubernetes placed) {}

    void check() {
        image();
        limits();
        data();
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
        boolean data = variant.cluster().brokers().stream()
                .anyMatch(broker -> !broker.data().toString().isEmpty());
        if (data && inPods(variant.cluster().placed())) {
            spot.wrong(
                    "cluster.brokers",
                    "brokers in pods keep their data on a claim of kubernetes.storage, or else on the disk of the"
                            + " node; remove the data of each broker");
        }
    }

    private static boolean inPods(PlacedSpec placed) {
        return placed instanceof PlacedSpec.Kubernetes;
    }
}
