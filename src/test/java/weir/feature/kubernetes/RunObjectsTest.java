package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.feature.kubernetes.PodSets.Component;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.plan.ByteSize;
import weir.plan.Golden;
import weir.plan.Limits;
import weir.plan.Plans;

@Tag("with-command")
@Tag("with-http")
@Tag("with-stress")
class RunObjectsTest {
    private static final String ALL = """
            name: all
            placed: kubernetes
            kubernetes:
              namespace: load-tests
              image: registry.example.com/weir:0.1.0
              nodes: { node-pool: kafka }
              storage: fast-ssd
            cluster:
              brokers: 3
              controllers: 1
              within: { cpu: 2, memory: 4GiB }
              client: { ssl.key.password: "${secret:kafka.client/key}", ssl.keystore.password: "${secret:kafka.client/store}" }
            topics: { weir: { replication: 3 } }
            bridge: { gateway: { instances: 2, within: { cpu: 0.5 } } }
            load:
              engine: { send: http, receive: client }
              workers: 3
              producers: 6
              connections: 64
              rate: 5k/s
              within: { cpu: 1.5, memory: 2000MiB }
              apart: node
            during:
              command: { at: 5s, run: [flush.sh, now], apart: node }
              neighbour: { at: 20s, for: 20s, stress: { memory: 4GiB }, within: { cpu: 1, memory: 5GiB } }
            """;
    private static final String PLAIN = "name: plain\nkubernetes: { image: weir }\n";

    private static RunObjects objects(String yaml) {
        return objects(yaml, "");
    }

    private static RunObjects objects(String yaml, String owner) {
        var experiment = Plans.read(yaml);
        RunIdentity run =
                RunIdentity.of(experiment.name(), RunObjects.placed(experiment).namespace());
        return new RunObjects(
                owner.isEmpty() ? run : run.ownedBy(owner), experiment, yaml, List.of("--set", "repeat=2"));
    }

    private static List<HasMetadata> every(RunObjects objects) {
        return Stream.concat(objects.conductor().stream(), objects.hosts("10.0.0.1:7411").stream())
                .toList();
    }

    private static <T> T only(Collection<? extends HasMetadata> objects, Class<T> type, String name) {
        return objects.stream()
                .filter(object -> type.isInstance(object)
                        && object.getMetadata().getName().equals(name))
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private static PodSpec pod(HasMetadata object) {
        if (object instanceof Job job) {
            return job.getSpec().getTemplate().getSpec();
        }
        return object instanceof StatefulSet set ? set.getSpec().getTemplate().getSpec() : ((Pod) object).getSpec();
    }

    private static boolean hasPods(HasMetadata object) {
        return object instanceof Job || object instanceof StatefulSet || object instanceof Pod;
    }

    @Test
    void objectsOfAFullyPlacedRunMatchTheGoldenFiles() {
        RunObjects objects = objects(ALL);
        Golden.assertSame(
                "src/test/resources/weir/feature/kubernetes/conductor.yaml", RunObjects.yaml(objects.conductor()));
        Golden.assertSame(
                "src/test/resources/weir/feature/kubernetes/hosts.yaml",
                RunObjects.yaml(objects.hosts("10.0.0.1:7411")));
    }

    @Test
    void objectsOfALoadOnGivenBrokersAreListed() {
        RunObjects objects = objects(
                PLAIN
                        + "load: { placed: kubernetes, rate: 1/s, workers: 2, producers: 2 }\ncluster: { bootstrap: 'k:9092' }");
        Golden.assertSame("src/test/resources/weir/feature/kubernetes/load.yaml", RunObjects.yaml(every(objects)));
    }

    @Test
    void printedObjectsAreReadBackWithoutUnknownFields() throws ReflectiveOperationException {
        for (HasMetadata object : every(objects(ALL, "uid-1"))) {
            HasMetadata read = Serialization.unmarshal(RunObjects.yaml(List.of(object)), object.getClass());
            assertThat(read).isEqualTo(object);
            assertThat(unknown(read)).as(object.getMetadata().getName()).isEmpty();
        }
        Job strange = Serialization.unmarshal("apiVersion: batch/v1\nkind: Job\nspec: { replicas: 3 }", Job.class);
        assertThat(unknown(strange)).as("the test itself").containsExactly("replicas");
    }

    /** Returns the fields that the model classes do not know. */
    private static List<String> unknown(Object model) throws ReflectiveOperationException {
        List<String> unknown = new ArrayList<>();
        if (model instanceof Collection<?> each) {
            for (Object item : each) {
                unknown.addAll(unknown(item));
            }
        } else if (model instanceof Map<?, ?> map) {
            unknown.addAll(unknown(map.values()));
        } else if (model instanceof KubernetesResource) {
            for (Method getter : model.getClass().getMethods()) {
                boolean reads = getter.getName().startsWith("get")
                        && getter.getParameterCount() == 0
                        && getter.getDeclaringClass() != Object.class;
                Object value = reads ? getter.invoke(model) : null;
                if (getter.getName().equals("getAdditionalProperties") && value instanceof Map<?, ?> aside) {
                    aside.keySet().forEach(key -> unknown.add(String.valueOf(key)));
                } else if (value != null) {
                    unknown.addAll(unknown(value));
                }
            }
        }
        return unknown;
    }

    @Test
    void allPodsAreRestricted() {
        List<HasMetadata> pods =
                every(objects(ALL)).stream().filter(RunObjectsTest::hasPods).toList();
        assertThat(pods).hasSize(6);
        for (HasMetadata object : pods) {
            PodSpec pod = pod(object);
            assertThat(pod.getHostNetwork()).isNull();
            assertThat(pod.getHostPID()).isNull();
            assertThat(pod.getHostIPC()).isNull();
            assertThat(pod.getInitContainers()).isEmpty();
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(1000);
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            assertThat(pod.getVolumes()).allSatisfy(RunObjectsTest::assertRestricted);
            assertThat(pod.getContainers()).singleElement().satisfies(container -> {
                assertThat(container.getSecurityContext().getPrivileged()).isNull();
                assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                        .isFalse();
                assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                        .isTrue();
                assertThat(container.getSecurityContext().getCapabilities().getDrop())
                        .containsExactly("ALL");
                assertThat(container.getSecurityContext().getCapabilities().getAdd())
                        .isEmpty();
                assertThat(container.getPorts())
                        .allSatisfy(port -> assertThat(port.getHostPort()).isNull());
            });
        }
    }

    /** Asserts a kind of volume that the restricted standard allows. */
    private static void assertRestricted(Volume volume) {
        assertThat(Stream.of(volume.getEmptyDir(), volume.getSecret(), volume.getConfigMap())
                        .filter(source -> source != null))
                .as(volume.getName())
                .hasSize(1);
        assertThat(volume.getHostPath()).isNull();
    }

    @Test
    void eachMountHasItsVolume() {
        for (HasMetadata object :
                every(objects(ALL)).stream().filter(RunObjectsTest::hasPods).toList()) {
            List<String> volumes = new ArrayList<>(
                    pod(object).getVolumes().stream().map(Volume::getName).toList());
            if (object instanceof StatefulSet set) {
                set.getSpec()
                        .getVolumeClaimTemplates()
                        .forEach(claim -> volumes.add(claim.getMetadata().getName()));
            }
            assertThat(pod(object).getContainers().get(0).getVolumeMounts())
                    .extracting(VolumeMount::getName)
                    .containsExactlyInAnyOrderElementsOf(volumes);
        }
    }

    @Test
    void onlyTheConductorMaySpeakToTheApi() {
        for (HasMetadata object :
                every(objects(ALL)).stream().filter(RunObjectsTest::hasPods).toList()) {
            boolean conductor = object instanceof Pod;
            assertThat(pod(object).getAutomountServiceAccountToken()).isEqualTo(conductor);
            assertThat(pod(object).getServiceAccountName()).isEqualTo(conductor ? "weir-all" : null);
        }
    }

    @Test
    void objectsHaveTheOwnerReferenceAndCommonLabels() {
        List<HasMetadata> all = every(objects(ALL, "uid-1"));
        assertThat(all).allSatisfy(object -> {
            ObjectMeta metadata = object.getMetadata();
            assertThat(metadata.getNamespace()).isEqualTo("load-tests");
            assertThat(metadata.getLabels())
                    .containsEntry("app.kubernetes.io/name", "weir")
                    .containsEntry("app.kubernetes.io/managed-by", "weir")
                    .containsEntry("app.kubernetes.io/instance", "weir-all")
                    .containsKey("app.kubernetes.io/component");
        });
        assertThat(all.get(0).getMetadata().getOwnerReferences()).isEmpty();
        assertThat(all.subList(1, all.size()))
                .allSatisfy(object -> assertThat(object.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> {
                            assertThat(owner.getName()).isEqualTo("weir-all");
                            assertThat(owner.getUid()).isEqualTo("uid-1");
                        }));
        assertThat(every(objects(ALL)))
                .allSatisfy(object ->
                        assertThat(object.getMetadata().getOwnerReferences()).isEmpty());
    }

    @Test
    void selectorsFindThePodsOfTheirObject() {
        for (HasMetadata object : objects(ALL).hosts("10.0.0.1:7411")) {
            if (object instanceof StatefulSet set) {
                LabelSelector selector = set.getSpec().getSelector();
                PodTemplateSpec template = set.getSpec().getTemplate();
                assertThat(template.getMetadata().getLabels()).containsAllEntriesOf(selector.getMatchLabels());
            }
        }
    }

    @Test
    void podRequestsEqualItsLimits() {
        List<HasMetadata> hosts = objects(ALL).hosts("10.0.0.1:7411");
        Container load =
                pod(only(hosts, Job.class, "weir-all-load")).getContainers().get(0);
        assertThat(load.getResources().getRequests())
                .isEqualTo(Map.of("cpu", new Quantity("1500m"), "memory", new Quantity("2000Mi")))
                .isEqualTo(load.getResources().getLimits());
        Container command =
                pod(only(hosts, Job.class, "weir-all-command")).getContainers().get(0);
        assertThat(command.getResources().getRequests()).isEmpty();
        assertThat(command.getResources().getLimits()).isEmpty();
        assertThat(HostObjects.resources(new Limits(0.0001, new ByteSize(1001), new ByteSize(0), List.of())))
                .containsEntry("limits", Map.of("cpu", "1m", "memory", "1001"));
    }

    @Test
    void brokersWithoutAStorageClassKeepTheirDataOnTheNode() {
        StatefulSet brokers = only(
                objects(PLAIN + "placed: kubernetes").hosts("10.0.0.1:7411"), StatefulSet.class, "weir-plain-broker");
        assertThat(brokers.getSpec().getVolumeClaimTemplates()).isEmpty();
        assertThat(brokers.getSpec().getPersistentVolumeClaimRetentionPolicy()).isNull();
        assertThat(brokers.getSpec().getTemplate().getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("state"))
                .singleElement()
                .satisfies(state -> assertThat(state.getEmptyDir()).isNotNull());
    }

    @Test
    @NeedsFeature("maintenance")
    void brokerThatAnOperationAddsHasItsPodFromTheStart() {
        RunObjects objects = objects(PLAIN + """
                placed: kubernetes
                cluster: { brokers: 2, fresh: trial }
                load: { rate: 5/s }
                during: { grow: { at: 1s, add: { brokers: 2 } } }
                """);
        assertThat(only(objects.hosts("10.0.0.1:7411"), StatefulSet.class, "weir-plain-broker")
                        .getSpec()
                        .getReplicas())
                .isEqualTo(4);
    }

    @Test
    void volumeClaimHoldsOneReplicaOfAllWrittenData() {
        String disks = """
                name: d
                placed: kubernetes
                kubernetes: { image: w, storage: s }
                warmup: none
                measure: 100s
                cluster: { brokers: 3 }
                topics: { weir: { replication: %d } }
                load: { rate: 100k/s, value: { size: 1000B } }
                """.stripTrailing();
        for (int replicas : List.of(1, 3)) {
            StatefulSet brokers = only(
                    objects(String.format(disks, replicas)).hosts("10.0.0.1:7411"), StatefulSet.class, "weir-d-broker");
            assertThat(brokers.getSpec()
                            .getVolumeClaimTemplates()
                            .get(0)
                            .getSpec()
                            .getResources()
                            .getRequests())
                    .as("10.6 GB of values and what is beside them")
                    .containsEntry("storage", new Quantity("12Gi"));
        }
    }

    @Test
    void secretsAreMountedOnlyInTheConductor() {
        RunObjects objects = objects(ALL);
        PodSpec conductor =
                only(objects.conductor(), Pod.class, "weir-all-conductor").getSpec();
        assertThat(conductor.getContainers().get(0).getVolumeMounts())
                .filteredOn(mount -> mount.getName().equals("secret-1"))
                .singleElement()
                .satisfies(mount -> {
                    assertThat(mount.getMountPath()).isEqualTo("/etc/weir/secrets/kafka.client");
                    assertThat(mount.getReadOnly()).isTrue();
                });
        assertThat(conductor.getVolumes())
                .filteredOn(volume -> volume.getName().equals("secret-1"))
                .singleElement()
                .satisfies(volume -> {
                    assertThat(volume.getSecret().getSecretName()).isEqualTo("kafka.client");
                    assertThat(volume.getSecret().getItems())
                            .extracting(item -> item.getKey())
                            .containsExactly("key", "store");
                });
        assertThat(RunObjects.yaml(objects.hosts("10.0.0.1:7411"))).doesNotContain("kafka.client");
    }

    @Test
    void agentNamesMatchThoseOfTheConductor() {
        RunObjects objects = objects(ALL);
        PodSet load = PodSets.of(objects.experiment()).all().stream()
                .filter(set -> set.component() == Component.LOAD)
                .findFirst()
                .orElseThrow();
        assertThat(load.hosts(objects.run())).containsExactly("weir-all-load-0", "weir-all-load-1", "weir-all-load-2");
        assertThat(pod(only(objects.hosts("10.0.0.1:7411"), Job.class, "weir-all-load"))
                        .getContainers()
                        .get(0)
                        .getArgs())
                .containsExactly(("worker --connect 10.0.0.1:7411 --token /etc/weir/token/token --name "
                                + "weir-all-load-$(WEIR_INDEX) --once")
                        .split(" ", -1));
    }

    @Test
    void aRunWithoutPodsHasNoObjects() {
        var experiment = Plans.read("name: here\nload: {}");
        assertThatThrownBy(() -> new RunObjects(RunIdentity.of("here", "weir"), experiment, "", List.of()))
                .hasMessage("nothing of 'here' is placed in pods");
    }
}
