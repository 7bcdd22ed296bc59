package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.feature.kubernetes.PodSets.Component;
import weir.io.Io;
import weir.plan.ByteSize;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.property.SecretReferences;
import weir.plan.trial.Estimate;
import weir.time.MachineClock;

/**
 * The Kubernetes objects of one run: the objects that start the run, and the pods that its conductor creates.
 *
 * @param arguments the arguments of {@code weir run} that change values of the file
 */
public record RunObjects(RunIdentity run, Experiment experiment, String text, List<String> arguments) {
    static final String TOKEN_KEY = "token";

    /** The time without a lease renewal after which the conductor counts as dead. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** The environment variable with the run; the next constants are those of a namespace and a conductor's address. */
    public static final String RUN = "WEIR_RUN";

    public static final String NAMESPACE = "WEIR_NAMESPACE";
    public static final String ADDRESS = "WEIR_ADDRESS";

    /** The folder in each pod for caches, data of brokers and folders of runs. */
    public static final String HOME = "/var/lib/weir";

    public static final int PORT = 7411;

    private static final String EXPERIMENT_FOLDER = "/etc/weir/experiment";

    private static final long GIBIBYTE = 1L << 30;

    /** Minimum bytes of a broker's volume. Kafka preallocates segments and indexes. */
    private static final long LEAST_DISK = 2 * GIBIBYTE;

    private static final Duration SLACK = Duration.ofHours(1);

    private static final Duration DELETING = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private static final Pattern NAME = Pattern.compile("(\\w+)\n");
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Map<String, String> TEMPLATES = templates();

    public RunObjects {
        arguments = List.copyOf(arguments);
        if (experiment.variants().stream().noneMatch(Variant::inPods)) {
            throw new IllegalArgumentException("nothing of '" + experiment.name() + "' is placed in pods");
        }
    }

    /** Returns the objects for kubectl. The name of the run is the name of the experiment. */
    public static RunObjects applied(Experiment experiment, String text, List<String> arguments) {
        RunIdentity run = RunIdentity.of(experiment.name(), placed(experiment).namespace());
        return new RunObjects(run, experiment, text, arguments);
    }

    /**
     * Returns the objects of a run that starts now.
     *
     * @throws Problems if the experiment uses files or variables that a pod does not have
     */
    static RunObjects now(String name, Experiment experiment, String text, List<String> arguments) {
        List<Problem> problems = PodFiles.missing(experiment, text);
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        RunIdentity run = RunIdentity.now(name, placed(experiment).namespace());
        return new RunObjects(run, experiment, text, arguments);
    }

    /** All objects, including the conductor's pods, with a placeholder for the conductor's address. */
    public List<HasMetadata> all() {
        List<HasMetadata> all = new ArrayList<>(conductor());
        all.addAll(hosts("ADDRESS-OF-CONDUCTOR:" + PORT));
        return all;
    }

    /** The kinds of all objects as an argument of kubectl, including the volume claims of a StatefulSet. */
    public String kinds() {
        return all().stream()
                        .map(object -> object.getKind().toLowerCase(Locale.ROOT))
                        .distinct()
                        .collect(Collectors.joining(","))
                + ",persistentvolumeclaim";
    }

    /** Creates the owner of the run; returns the objects that it owns. */
    RunObjects created(KubernetesClient client) {
        String uid = client.resource(owner()).create().getMetadata().getUid();
        return new RunObjects(run.ownedBy(uid), experiment, text, arguments);
    }

    public static PlacedSpec.Kubernetes placed(Experiment experiment) {
        return PodSets.of(experiment).all().get(0).placed();
    }

    static String tokenName(RunIdentity run) {
        return run.name() + "-token";
    }

    static Map<String, String> labels(RunIdentity run, Component component) {
        Map<String, String> labels = new TreeMap<>(run.labels());
        labels.put(Component.LABEL, component.word());
        return labels;
    }

    static Map<String, Object> metadata(RunIdentity run, String name, Map<String, String> labels) {
        Map<String, Object> metadata =
                new HashMap<>(Map.of("name", name, "namespace", run.namespace(), "labels", labels));
        if (!run.owner().isEmpty()) {
            Map<String, String> owner =
                    Map.of("apiVersion", "v1", "kind", "ConfigMap", "name", run.name(), "uid", run.owner());
            metadata.put("ownerReferences", List.of(owner));
        }
        return metadata;
    }

    public ConfigMap owner() {
        Map<String, Object> metadata = metadata(run.ownedBy(""), run.name(), labels(run, Component.CONDUCTOR));
        return filled(ConfigMap.class, Map.of("metadata", metadata, "data", Map.of(file(), text)));
    }

    /** The objects that start a run, the owner first. The conductor creates all other objects. */
    public List<HasMetadata> conductor() {
        List<HasMetadata> all = new ArrayList<>(List.of(owner()));
        all.addAll(owned(false));
        return all;
    }

    /** @param waits true if the conductor waits until a client has sent files and requests the start */
    List<HasMetadata> owned(boolean waits) {
        return List.of(
                object(Lease.class, run.name()),
                object(Secret.class, tokenName(run)),
                object(ServiceAccount.class, run.name()),
                object(Role.class, run.name()),
                object(RoleBinding.class, run.name()),
                pod(waits));
    }

    /** Returns the pods of all variants; {@code conductor} is the address for their agents, as HOST:PORT. */
    public List<HasMetadata> hosts(String conductor) {
        Estimate estimate = Estimate.of(experiment);
        HostObjects objects =
                new HostObjects(run, conductor, estimate.time().multipliedBy(2).plus(SLACK), disk(estimate));
        return PodSets.of(experiment).all().stream().map(objects::of).toList();
    }

    public static String yaml(Collection<HasMetadata> objects) {
        return objects.stream().map(Serialization::asYaml).collect(Collectors.joining());
    }

    /** Space for one replica of all records of the trials, because a broker has one replica of a record. */
    private ByteSize disk(Estimate estimate) {
        int replicas = experiment.variants().stream()
                .flatMap(variant -> variant.usedTopics().values().stream())
                .mapToInt(topic -> topic.replication())
                .min()
                .orElse(1);
        long bytes = estimate.bytes() / Math.max(1, replicas);
        return new ByteSize(LEAST_DISK + (bytes + GIBIBYTE - 1) / GIBIBYTE * GIBIBYTE);
    }

    private String file() {
        return experiment.name() + ".yaml";
    }

    private <T> T object(Class<T> type, String name) {
        return filled(
                type,
                Map.of(
                        "metadata", metadata(run, name, labels(run, Component.CONDUCTOR)),
                        "pod", podName(run),
                        "lease", LEASE.toSeconds(),
                        "token", tokenName(run),
                        "run", run.name(),
                        "namespace", run.namespace()));
    }

    /** The same client, whose calls without a namespace are for the namespace of the run. */
    static KubernetesClient inNamespace(KubernetesClient client, RunIdentity run) {
        return client.adapt(NamespacedKubernetesClient.class).inNamespace(run.namespace());
    }

    static String podName(RunIdentity run) {
        return run.name() + "-" + Component.CONDUCTOR.word();
    }

    Pod pod(boolean waits) {
        PlacedSpec.Kubernetes placed = placed(experiment);
        List<String> all = new ArrayList<>(List.of("conduct"));
        if (waits) {
            all.add("--wait");
        }
        all.add("--");
        all.addAll(arguments);
        all.addAll(List.of("--runs", HOME + "/runs", EXPERIMENT_FOLDER + "/" + file()));
        Map<String, Object> values = new HashMap<>();
        values.put("metadata", metadata(run, podName(run), labels(run, Component.CONDUCTOR)));
        values.put("arguments", all);
        values.put("home", HOME);
        values.put("run", run.name());
        values.put("image", placed.image());
        values.put("port", PORT);
        values.put("ready", HOME + "/" + ConductorServer.READY);
        values.put("experiment", EXPERIMENT_FOLDER);
        values.put("nodes", placed.nodes());
        Pod pod = filled(Pod.class, values);
        SortedMap<String, SortedSet<String>> secrets = secrets();
        secrets.forEach((name, keys) -> {
            List<Map<String, String>> items =
                    keys.stream().map(key -> Map.of("key", key, "path", key)).toList();
            Map<String, Object> volume = Map.of(
                    // The name of a Secret may contain dots, the name of a volume may not.
                    "volume", "secret-" + (secrets.headMap(name).size() + 1),
                    "secret", Map.of("secretName", name, "defaultMode", 0440, "items", items),
                    "path", SecretReferences.MOUNTED.resolve(name).toString());
            pod.getSpec().getVolumes().add(filled(Volume.class, volume));
            pod.getSpec().getContainers().get(0).getVolumeMounts().add(filled(VolumeMount.class, volume));
        });
        return pod;
    }

    public SortedMap<String, SortedSet<String>> secrets() {
        return SecretReferences.mounted(experiment.variants().stream()
                .flatMap(variant -> variant.values().values().stream())
                .toList());
    }

    /**
     * Deletes the owner of a run, and waits until the owner and all pods are gone; false if some exist after a minute.
     * Kubernetes deletes all other objects of the run after their owner.
     */
    static boolean delete(KubernetesClient client, RunIdentity run) {
        KubernetesClient here = inNamespace(client, run);
        here.configMaps()
                .withName(run.name())
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        ConductorApi api = new ConductorApi(here, run);
        return MachineClock.within(DELETING)
                .awaits(
                        () -> here.configMaps().withName(run.name()).get() == null
                                && api.pods().isEmpty(),
                        POLL_INTERVAL);
    }

    /** The texts of {@code objects.yaml} by the kinds of their objects. */
    private static Map<String, String> templates() {
        Map<String, String> all = new HashMap<>();
        for (String object :
                Io.resource("/weir/feature/kubernetes/objects.yaml").split("(?m)^--- # ", -1)) {
            Matcher name = NAME.matcher(object);
            if (name.lookingAt()) {
                all.put(name.group(1), object.substring(name.end()));
            }
        }
        return all;
    }

    /** An object from {@code objects.yaml}, without the fields whose placeholders have no value. */
    static <T> T filled(Class<T> type, Map<String, ?> values) {
        String filled = PLACE.matcher(Objects.requireNonNull(TEMPLATES.get(type.getSimpleName())))
                .replaceAll(place -> Matcher.quoteReplacement(Serialization.asJson(values.get(place.group(1)))));
        return Serialization.unmarshal(filled, type);
    }
}
