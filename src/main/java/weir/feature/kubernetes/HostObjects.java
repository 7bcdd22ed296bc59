package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.feature.kubernetes.PodSets.Component;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.plan.ByteSize;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * The Kubernetes objects that create the pods of a run. Each pod runs an agent.
 *
 * @param conductor address of the conductor for the agents, as HOST:PORT
 * @param deadline lifetime limit of pods without data, which Kubernetes enforces even without the conductor
 * @param disk size of a broker's volume claim
 */
record HostObjects(RunIdentity run, String conductor, Duration deadline, ByteSize disk) {
    private static final String INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']";

    static final String SET = "weir/set";

    HasMetadata of(PodSet set) {
        Map<String, Object> values = new HashMap<>();
        values.put("metadata", RunObjects.metadata(run, set.name(run), labels(set)));
        values.put("pods", set.pods());
        values.put("deadline", deadline.toSeconds());
        values.put("selector", selector(set));
        values.put("run", run.name());
        values.put("claims", List.of());
        values.put("template", template(set));
        if (!set.stateful()) {
            return RunObjects.filled(Job.class, values);
        }
        if (claims(set)) {
            values.put("retention", Map.of("whenDeleted", "Delete", "whenScaled", "Delete"));
            values.put(
                    "claims",
                    List.of(RunObjects.filled(
                            PersistentVolumeClaim.class,
                            Map.of(
                                    "labels", run.labels(),
                                    "size", bytes(disk),
                                    "storage", set.placed().storage()))));
        }
        return RunObjects.filled(StatefulSet.class, values);
    }

    private static boolean claims(PodSet set) {
        return set.component() == Component.BROKER && !set.placed().storage().isEmpty();
    }

    private PodTemplateSpec template(PodSet set) {
        boolean job = !set.stateful();
        Map<String, Object> values = new HashMap<>();
        values.put("labels", labels(set));
        values.put("conductor", conductor);
        values.put("home", RunObjects.HOME);
        values.put("host", job ? set.name(run) + "-$(WEIR_INDEX)" : "$(WEIR_POD)");
        values.put("variable", job ? "WEIR_INDEX" : "WEIR_POD");
        values.put("field", job ? INDEX : "metadata.name");
        values.put("image", set.placed().image());
        values.put("component", set.component().word());
        values.put("resources", resources(set.within()));
        values.put("token", RunObjects.tokenName(run));
        values.put("nodes", set.placed().nodes());
        values.put("constraints", List.of());
        if (job) {
            values.put("restart", "Never");
        }
        spread(set, values);
        PodTemplateSpec template = RunObjects.filled(PodTemplateSpec.class, values);
        if (!claims(set)) {
            Map<String, Object> state = Map.of("volume", "state", "empty", Map.of());
            template.getSpec().getVolumes().add(RunObjects.filled(Volume.class, state));
        }
        return template;
    }

    private void spread(PodSet set, Map<String, Object> values) {
        PlacedSpec.Spread spread = set.placed().spread();
        boolean oneEach = set.component() == Component.STRESS || set.component() == Component.COMMAND;
        if (spread == PlacedSpec.Spread.EVEN || (spread == PlacedSpec.Spread.BESIDE_BROKERS && !oneEach)) {
            values.put(
                    "constraints",
                    List.of(RunObjects.filled(
                            TopologySpreadConstraint.class,
                            Map.of(
                                    "selector",
                                    selector(set),
                                    "unsatisfiable",
                                    set.stateful() ? "DoNotSchedule" : "ScheduleAnyway"))));
        }
        Map<String, Object> affinity = new HashMap<>();
        if (spread == PlacedSpec.Spread.APART) {
            // The only other pod of the run on this node may be the conductor, which measures nothing.
            Map<String, Object> conductor =
                    Map.of("key", Component.LABEL, "operator", "NotIn", "values", List.of(Component.CONDUCTOR.word()));
            affinity.put(
                    "podAntiAffinity",
                    required(Map.of(
                            "matchLabels",
                            Map.of(Component.INSTANCE, run.name()),
                            "matchExpressions",
                            List.of(conductor))));
        } else if (spread == PlacedSpec.Spread.BESIDE_BROKERS) {
            affinity.put("podAffinity", required(matching(Component.LABEL, Component.BROKER.word())));
            if (oneEach) {
                affinity.put("podAntiAffinity", required(selector(set)));
            }
        }
        if (!affinity.isEmpty()) {
            values.put("affinity", affinity);
        }
    }

    private static Map<String, ?> required(Map<String, ?> selector) {
        return Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution",
                List.of(RunObjects.filled(PodAffinityTerm.class, Map.of("selector", selector))));
    }

    private Map<String, ?> selector(PodSet set) {
        return matching(SET, set.name(run));
    }

    private Map<String, ?> matching(String label, String value) {
        return Map.of("matchLabels", new TreeMap<>(Map.of(Component.INSTANCE, run.name(), label, value)));
    }

    private Map<String, String> labels(PodSet set) {
        Map<String, String> labels = new TreeMap<>(RunObjects.labels(run, set.component()));
        labels.put(SET, set.name(run));
        return labels;
    }

    /** Equal resource requests and limits, because Kubernetes first evicts pods without requests. */
    static Map<String, Map<String, String>> resources(Limits within) {
        Map<String, String> amounts = new TreeMap<>();
        if (within.cpu() > 0) {
            long thousandths = BigDecimal.valueOf(within.cpu())
                    .movePointRight(3)
                    .setScale(0, RoundingMode.UP)
                    .longValueExact();
            amounts.put("cpu", thousandths % 1000 == 0 ? thousandths / 1000 + "" : thousandths + "m");
        }
        if (within.memory().bytes() > 0) {
            amounts.put("memory", bytes(within.memory()));
        }
        return Map.of("requests", amounts, "limits", amounts);
    }

    private static String bytes(ByteSize size) {
        for (int power = 3; power > 0; power--) {
            long unit = 1L << (10 * power);
            if (size.bytes() % unit == 0) {
                return size.bytes() / unit + List.of("Ki", "Mi", "Gi").get(power - 1);
            }
        }
        return String.valueOf(size.bytes());
    }
}
