package weir.kubernetes;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.plan.ByteSize;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * The objects that make the pods of a run, each with an agent in it.
 *
 * @param conductor HOST:PORT at which agents reach it
 * @param deadline how long pods that keep nothing may be there, whatever becomes of the conductor
 * @param disk the size of a broker's claim
 */
record HostObjects(RunIdentity run, String conductor, Duration deadline, ByteSize disk) {
    /** A pod of an Indexed Job has its number in this annotation. */
    private static final String INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']";

    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String TOKEN = "token";
    private static final String TOKEN_FOLDER = "/etc/weir/token";
    static final String SET = "weir/set";

    /** An agent ends what it has started within seconds. */
    private static final long GRACE = 10;

    HasMetadata of(PodSet set) {
        return set.stateful() ? statefulSet(set) : job(set);
    }

    private HasMetadata job(PodSet set) {
        return new JobBuilder()
                .withMetadata(metadata(set))
                .withNewSpec()
                .withCompletionMode("Indexed")
                .withCompletions(set.pods())
                .withParallelism(set.pods())
                // A pod that is lost fails its trial; another one in its place would hide that.
                .withBackoffLimit(0)
                .withActiveDeadlineSeconds(deadline.toSeconds())
                .withTemplate(template(set, set.name(run) + "-$(WEIR_INDEX)", INDEX))
                .endSpec()
                .build();
    }

    private HasMetadata statefulSet(PodSet set) {
        StatefulSetBuilder built = new StatefulSetBuilder()
                .withMetadata(metadata(set))
                .withNewSpec()
                .withServiceName(run.name())
                .withReplicas(set.pods())
                .withPodManagementPolicy("Parallel")
                .withSelector(selector(set))
                .withTemplate(template(set, "$(WEIR_POD)", "metadata.name"))
                .endSpec();
        if (claims(set)) {
            built.editSpec()
                    .withNewPersistentVolumeClaimRetentionPolicy()
                    .withWhenDeleted("Delete")
                    .withWhenScaled("Delete")
                    .endPersistentVolumeClaimRetentionPolicy()
                    .addNewVolumeClaimTemplate()
                    .withNewMetadata()
                    .withName(RestrictedPods.STATE)
                    .withLabels(new TreeMap<>(run.labels()))
                    .endMetadata()
                    .withNewSpec()
                    .withAccessModes("ReadWriteOnce")
                    .withStorageClassName(set.placed().storage())
                    .withNewResources()
                    .addToRequests("storage", bytes(disk))
                    .endResources()
                    .endSpec()
                    .endVolumeClaimTemplate()
                    .endSpec();
        }
        return built.build();
    }

    private static boolean claims(PodSet set) {
        return set.component() == Component.BROKER && !set.placed().storage().isEmpty();
    }

    private PodTemplateSpec template(PodSet set, String host, String field) {
        List<String> arguments = List.of(
                "worker",
                "--connect",
                conductor,
                "--token",
                TOKEN_FOLDER + "/" + RunObjects.TOKEN_KEY,
                "--name",
                host,
                "--once");
        boolean job = !set.stateful();
        Container container = new ContainerBuilder(RestrictedPods.container(
                                set.component().word(), set.placed().image(), arguments)
                        .build())
                .addToEnv(RestrictedPods.field(job ? "WEIR_INDEX" : "WEIR_POD", field))
                .addToVolumeMounts(RestrictedPods.mount(TOKEN, TOKEN_FOLDER, true))
                .withResources(resources(set.within()))
                .build();
        PodSpecBuilder pod = RestrictedPods.pod(container, set.placed().nodes(), GRACE)
                .addToVolumes(RestrictedPods.secret(TOKEN, RunObjects.tokenName(run), List.of(RunObjects.TOKEN_KEY)));
        if (!claims(set)) {
            pod.addToVolumes(RestrictedPods.empty(RestrictedPods.STATE));
        }
        if (job) {
            pod.withRestartPolicy("Never");
        }
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels(set))
                .endMetadata()
                .withSpec(spread(set, pod).build())
                .build();
    }

    /** Chooses nodes: brokers evenly or not at all, others as evenly as there is room. */
    private PodSpecBuilder spread(PodSet set, PodSpecBuilder pod) {
        PlacedSpec.Spread spread = set.placed().spread();
        boolean disturbs = set.component() == Component.STRESS || set.component() == Component.COMMAND;
        return switch (spread) {
            case EVEN -> pod.withTopologySpreadConstraints(even(set));
            case APART -> pod.withAffinity(apart());
            case BESIDE_BROKERS ->
                disturbs
                        ? pod.withAffinity(besideBrokers(set, true))
                        : pod.withAffinity(besideBrokers(set, false)).withTopologySpreadConstraints(even(set));
        };
    }

    private TopologySpreadConstraint even(PodSet set) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(HOSTNAME)
                .withNodeTaintsPolicy("Honor")
                .withWhenUnsatisfiable(set.stateful() ? "DoNotSchedule" : "ScheduleAnyway")
                .withLabelSelector(selector(set))
                .build();
    }

    /** No other pod of the run on the node, but that of the conductor, which measures nothing. */
    private Affinity apart() {
        return new AffinityBuilder()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey(HOSTNAME)
                .withNewLabelSelector()
                .addToMatchLabels(Component.INSTANCE, run.name())
                .addNewMatchExpression()
                .withKey(Component.LABEL)
                .withOperator("NotIn")
                .withValues(Component.CONDUCTOR.word())
                .endMatchExpression()
                .endLabelSelector()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .build();
    }

    private Affinity besideBrokers(PodSet set, boolean oneEach) {
        AffinityBuilder affinity = new AffinityBuilder()
                .withNewPodAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey(HOSTNAME)
                .withLabelSelector(brokers())
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAffinity();
        if (oneEach) {
            affinity.withNewPodAntiAffinity()
                    .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                    .withTopologyKey(HOSTNAME)
                    .withLabelSelector(selector(set))
                    .endRequiredDuringSchedulingIgnoredDuringExecution()
                    .endPodAntiAffinity();
        }
        return affinity.build();
    }

    private LabelSelector brokers() {
        return new LabelSelectorBuilder()
                .addToMatchLabels(Component.INSTANCE, run.name())
                .addToMatchLabels(Component.LABEL, Component.BROKER.word())
                .build();
    }

    private LabelSelector selector(PodSet set) {
        return new LabelSelectorBuilder()
                .addToMatchLabels(Component.INSTANCE, run.name())
                .addToMatchLabels(SET, set.name(run))
                .build();
    }

    private ObjectMeta metadata(PodSet set) {
        ObjectMeta metadata = RunObjects.metadata(run, set.name(run), set.component());
        metadata.setLabels(labels(set));
        return metadata;
    }

    private Map<String, String> labels(PodSet set) {
        Map<String, String> labels = new TreeMap<>(RunObjects.labels(run, set.component()));
        labels.put(SET, set.name(run));
        return labels;
    }

    /** Requests that are limits, so that a pod has what it may use; a pod without any is the first to be evicted. */
    static ResourceRequirements resources(Limits within) {
        Map<String, Quantity> amounts = new TreeMap<>();
        if (within.cpu() > 0) {
            long thousandths = BigDecimal.valueOf(within.cpu())
                    .movePointRight(3)
                    .setScale(0, RoundingMode.UP)
                    .longValueExact();
            amounts.put("cpu", new Quantity(thousandths % 1000 == 0 ? thousandths / 1000 + "" : thousandths + "m"));
        }
        if (within.memory().bytes() > 0) {
            amounts.put("memory", bytes(within.memory()));
        }
        ResourceRequirements resources = new ResourceRequirements();
        resources.setRequests(amounts);
        resources.setLimits(amounts);
        return resources;
    }

    private static Quantity bytes(ByteSize size) {
        for (int power = 3; power > 0; power--) {
            long unit = 1L << (10 * power);
            if (size.bytes() % unit == 0) {
                return new Quantity(
                        size.bytes() / unit + List.of("Ki", "Mi", "Gi").get(power - 1));
            }
        }
        return new Quantity(String.valueOf(size.bytes()));
    }
}
