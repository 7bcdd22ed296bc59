package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.kubernetes.InPods.PodHosts;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.host.HostUnavailable;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Variant;

/** Pods that the conductor makes with an API server that records requests and has the pods of the test. */
class PodHostsTest {
    private static final RunIdentity RUN = RunIdentity.of("x", "load-tests");
    private static final String AT = "10.0.0.1:7411";
    private static final Experiment LOAD = experiment("placed: kubernetes\ncluster: { placed: here }\nload: {}");
    private static final Experiment BROKERS = experiment("placed: kubernetes\ncluster: { brokers: 2 }\nload: {}");
    private static final String RUNNING = "{\"running\":{}}";
    private static final RunIdentity PODS = RunIdentity.of("x", "weir");

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    private final FakeApiServer server = new FakeApiServer();
    private final Path token;

    PodHostsTest(@TempDir Path folder) throws IOException {
        token = Files.writeString(folder.resolve("token"), "keys");
        server.begin(new RunObjects(RUN, LOAD, "", List.of()));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Experiment experiment(String yaml) {
        return Plans.read("kubernetes: { image: weir, namespace: load-tests }\n" + yaml);
    }

    private PodHosts open(Experiment experiment) {
        return new PodHosts(experiment, RUN, server.client(), notes::add);
    }

    private void there(String... pods) {
        for (String pod : pods) {
            server.put("pods", Serialization.unmarshal(pod, Pod.class));
        }
    }

    /** Returns a pod of the brokers' StatefulSet. */
    private static String broker(int index, String state) {
        return pod("weir-x-broker-" + index, "weir-x-broker", "", "", state);
    }

    /** Returns a pod of the load's Job. */
    private static String load(String state) {
        return load("", state);
    }

    private static String load(String metadata, String state) {
        return pod(
                "weir-x-load-0-abcde",
                "weir-x-load",
                "\"annotations\":{\"batch.kubernetes.io/job-completion-index\":\"0\"},",
                metadata,
                state);
    }

    private static String pod(String name, String set, String annotations, String metadata, String state) {
        return "{\"metadata\":{\"name\":\"" + name + "\"," + annotations + metadata + "\"labels\":{\"weir/set\":\""
                + set + "\"}},\"status\":{\"containerStatuses\":[{\"name\":\"a\",\"state\":" + state + "}]}}";
    }

    private static PlacedSpec pods(String... names) {
        return new PlacedSpec.Hosts(List.of(names), AT, PlacedSpec.Start.POD, List.of("pod"));
    }

    private Variant placed(String yaml) {
        try (PodHosts hosts = open(experiment(yaml))) {
            return hosts.placed(AT).variants().get(0);
        }
    }

    @Test
    @Tag("with-command")
    @Tag("with-http")
    @Tag("with-stress")
    void eachPartRunsInItsOwnPods() {
        Variant placed = placed("""
                placed: kubernetes
                cluster: { brokers: 2, controllers: 1 }
                bridge: { gateway: { instances: 2 } }
                load: { workers: 2, producers: 2, connections: 2, engine: { send: http } }
                during:
                  a: { at: 1s, stress: {} }
                  b: { at: 2s, run: "true" }
                  c: { at: 3s, stress: {} }
                """);
        assertThat(placed.cluster().placed()).isEqualTo(pods("weir-x-broker-0", "weir-x-broker-1"));
        assertThat(placed.bridge().placed()).isEqualTo(pods("weir-x-gateway-0", "weir-x-gateway-1"));
        assertThat(placed.load().placed()).isEqualTo(pods("weir-x-load-0", "weir-x-load-1"));
        Map<String, PlacedSpec> during = new TreeMap<>();
        placed.during().forEach((name, what) -> during.put(name, what.placed()));
        assertThat(during)
                .isEqualTo(Map.of(
                        "a", pods("weir-x-stress-0", "weir-x-stress-1"),
                        "b", pods("weir-x-command-0"),
                        "c", pods("weir-x-stress-2-0", "weir-x-stress-2-1")));
    }

    @Test
    void partsPlacedHereGetNoPods() {
        Variant placed = placed("placed: kubernetes\ncluster: { brokers: 2, placed: here }\nload: {}");
        assertThat(placed.cluster().placed()).isEqualTo(new PlacedSpec.Here());
        assertThat(placed.load().placed()).isEqualTo(pods("weir-x-load-0"));
        Variant brokers = placed("cluster: { brokers: 2, placed: kubernetes }\nload: {}");
        assertThat(brokers.cluster().placed()).isEqualTo(pods("weir-x-broker-0", "weir-x-broker-1"));
        assertThat(brokers.load().placed()).isEqualTo(new PlacedSpec.Here());
        assertThat(placed("placed: kubernetes\ncluster: { bootstrap: 'k:9092' }\nload: {}")
                        .load()
                        .placed())
                .as("beside a cluster that is there already")
                .isEqualTo(pods("weir-x-load-0"));
    }

    @Test
    void variantsSharePodsUnlessTheirPlacementDiffers() {
        Experiment experiment = experiment("""
                placed: kubernetes
                load: {}
                variants:
                  one: {}
                  linger: { load: { producer: { linger.ms: 5 } } }
                  limited: { load: { within: { cpu: 1 } } }
                """);
        try (PodHosts hosts = open(experiment)) {
            assertThat(hosts.placed(AT).variants().stream()
                            .map(variant -> variant.load().placed().names()))
                    .containsExactly(List.of("weir-x-load-0"), List.of("weir-x-load-0"), List.of("weir-x-load-2-0"));
        }
    }

    @Test
    void tokenIsWrittenBeforePodsAreCreated() {
        there(broker(0, RUNNING), broker(1, RUNNING), load(RUNNING));
        try (PodHosts hosts = open(BROKERS)) {
            hosts.start(List.of("weir-x-broker-0", "weir-x-broker-1"), AT, token);
            hosts.start(List.of("weir-x-load-0"), AT, token);
        }
        List<FakeApiServer.Request> changes = server.requests().stream()
                .filter(request -> !request.method().equals("GET"))
                .toList();
        assertThat(changes.get(0).body()).contains("a2V5cw==");
        assertThat(changes)
                .extracting(FakeApiServer.Request::call)
                .containsExactly(
                        "PATCH secrets/weir-x-token",
                        "POST statefulsets",
                        "POST jobs",
                        "DELETE statefulsets/weir-x-broker",
                        "DELETE jobs/weir-x-load");
        assertThat(notes).containsExactly("starting 3 pods");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "waiting|{\"reason\":\"ErrImageNeverPull\",\"message\":\"image is not present\"}|ErrImageNeverPull: image is not present",
                "terminated|{\"reason\":\"OOMKilled\",\"exitCode\":137}|its container has ended: OOMKilled: the container used more memory than its limit"
            })
    void podThatCannotRunEndsTheWaitWithOneLine(String state, String how, String said) {
        there(load("{\"" + state + "\":" + how + "}"));
        try (PodHosts hosts = open(LOAD)) {
            assertThatThrownBy(() -> hosts.start(List.of("weir-x-load-0"), AT, token))
                    .isInstanceOf(HostUnavailable.class)
                    .hasMessage("pod 'weir-x-load-0' does not run: " + said);
        }
        assertThat(server.asked("DELETE")).as("nothing stays").containsExactly("DELETE jobs/weir-x-load");
    }

    @Test
    void podsRefusedByKubernetesAreReportedInOneLine() {
        server.refuse("POST jobs", "jobs.batch is forbidden: exceeded quota");
        try (PodHosts hosts = open(LOAD)) {
            assertThatThrownBy(() -> hosts.start(List.of("weir-x-load-0"), AT, token))
                    .isInstanceOf(HostUnavailable.class)
                    .hasMessage("Kubernetes refused the pods of the run: jobs.batch is forbidden: exceeded quota");
        }
    }

    @Test
    void podLossIsReportedWithTheReasonFromKubernetes() {
        try (PodHosts hosts = open(LOAD)) {
            assertThat(hosts.lossReason("weir-x-load-0")).isEqualTo("its pod no longer exists");
            there(load("\"deletionTimestamp\":\"2026-01-02T03:04:05Z\",", RUNNING));
            assertThat(hosts.lossReason("weir-x-load-0")).isEqualTo("its pod was deleted");
            there(load("{\"terminated\":{\"reason\":\"Error\",\"exitCode\":3,\"message\":\"no memory\"}}"));
            assertThat(hosts.lossReason("weir-x-load-0"))
                    .isEqualTo("its container has ended: Error (exit code 3): no memory");
            server.refuse("GET pods", "pods is forbidden");
            assertThat(hosts.lossReason("weir-x-load-0")).isEqualTo("the reason is unknown: pods is forbidden");
        }
    }

    @Test
    void onlyCreatedPodsAreDeletedAndFailuresAreReported() {
        open(LOAD).close();
        assertThat(server.asked("DELETE")).isEmpty();
        there(load(RUNNING));
        server.refuse("DELETE jobs/weir-x-load", "not you");
        try (PodHosts hosts = open(LOAD)) {
            hosts.start(List.of("weir-x-load-0"), AT, token);
        }
        assertThat(notes)
                .containsExactly(
                        "starting 1 pod",
                        "the pods of the run were not deleted: not you; Kubernetes deletes them with the run");
    }

    @Test
    void missingRunOwnerIsReportedInOneLine() {
        server.refuse("GET configmaps/weir-x", "configmaps is forbidden");
        assertThatThrownBy(() -> open(LOAD))
                .isInstanceOf(HostUnavailable.class)
                .hasMessage("Kubernetes: configmaps is forbidden");
    }

    private static Pod pod(String status) {
        return Serialization.unmarshal("---\n{kind: Pod, apiVersion: v1, status: " + status + "}", Pod.class);
    }

    private static Pod container(String state) {
        return pod("{phase: Pending, containerStatuses: [{name: load, ready: false, state: {" + state + "}}]}");
    }

    private static Event event(String fields) {
        return Serialization.unmarshal("---\n{kind: Event, apiVersion: v1, " + fields + "}", Event.class);
    }

    @Test
    void unscheduledPodReportsTheReasonOfTheScheduler() {
        Pod pod = pod("{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
                + " message: \"0/2 nodes are available:\\n  2 Insufficient cpu. \"}]}");
        assertThat(PodProblems.waiting(pod)).isEqualTo("Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.");
        assertThat(PodProblems.hopeless(pod)).as("a node may come").isEmpty();
        assertThat(PodProblems.runs(pod)).isFalse();
        assertThat(PodProblems.ready(pod)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ImagePullBackOff", "ErrImagePull"})
    void failedImagePullDoesNotEndTheWait(String reason) {
        Pod pod = container("waiting: {reason: " + reason + ", message: Back-off pulling image}");
        assertThat(PodProblems.hopeless(pod)).isEmpty();
        assertThat(PodProblems.waiting(pod)).isEqualTo(reason + ": Back-off pulling image");
        assertThat(PodProblems.runs(pod)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ErrImageNeverPull",
                "InvalidImageName",
                "CreateContainerConfigError",
                "CreateContainerError",
                "RunContainerError"
            })
    void permanentPodFailureEndsTheWait(String reason) {
        assertThat(PodProblems.hopeless(container("waiting: {reason: " + reason + ", message: so it says}")))
                .isEqualTo(reason + ": so it says");
        assertThat(PodProblems.hopeless(container("waiting: {reason: " + reason + "}")))
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reason: OOMKilled, exitCode: 137|its container has ended: OOMKilled: the container used more memory than its limit",
                "reason: Error, exitCode: 137|its container has ended: Error (exit code 137)",
                "reason: Error, exitCode: 3, message: no way   there|its container has ended: Error (exit code 3): no way there",
                "reason: Completed, exitCode: 0|its container has ended: Completed (exit code 0)"
            })
    void endedContainerReportsItsReason(String end, String said) {
        assertThat(PodProblems.hopeless(container("terminated: {" + end + "}"))).isEqualTo(said);
    }

    @Test
    void evictedPodReportsItsReason() {
        Pod pod = pod("{phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.',"
                + " containerStatuses: [{name: load, state: {terminated: {reason: Error, exitCode: 137}}}]}");
        assertThat(PodProblems.hopeless(pod)).isEqualTo("Evicted: The node was low on resource: memory.");
    }

    @Test
    void runningPodHasNoProblem() {
        Pod runs = container("running: {startedAt: '2026-01-02T03:04:05Z'}");
        assertThat(PodProblems.runs(runs)).isTrue();
        assertThat(PodProblems.ready(runs)).isFalse();
        assertThat(PodProblems.hopeless(runs)).isEmpty();
        assertThat(PodProblems.waiting(runs)).isEmpty();
        assertThat(PodProblems.ready(
                        pod("{containerStatuses: [{name: conductor, ready: true, state: {running: {}}}]}")))
                .isTrue();
    }

    @Test
    void pendingPodWithoutStatusHasNoProblem() {
        Pod pod = pod("{phase: Pending}");
        assertThat(PodProblems.runs(pod)).isFalse();
        assertThat(PodProblems.ready(pod)).isFalse();
        assertThat(PodProblems.hopeless(pod)).isEmpty();
        assertThat(PodProblems.waiting(pod)).isEmpty();
    }

    @Test
    void lastPodWarningIsReported() {
        List<Event> events = List.of(
                event("type: Warning, reason: FailedMount, message: later, lastTimestamp: '2026-01-02T03:04:06Z'"),
                event("type: Normal, reason: Pulled, message: last of all, lastTimestamp: '2026-01-02T03:04:09Z'"),
                event(
                        "type: Warning, reason: FailedScheduling, message: first, eventTime: '2026-01-02T03:04:05.000001Z'"));
        assertThat(PodProblems.warning(events)).isEqualTo("FailedMount: later");
        assertThat(PodProblems.warning(events.subList(1, 3))).isEqualTo("FailedScheduling: first");
        assertThat(PodProblems.warning(events.subList(1, 2))).isEmpty();
    }

    private static PodSets sets(String yaml) {
        return PodSets.of(Plans.read("kubernetes: { image: weir }\n" + yaml));
    }

    private static List<String> names(List<PodSet> sets) {
        return sets.stream().map(set -> set.pods() + " " + set.name(PODS)).toList();
    }

    private static List<PodSet> of(PodSets sets, String variant) {
        return List.copyOf(sets.byVariant().getOrDefault(variant, Map.of()).values());
    }

    @Test
    void variantsThatAskForTheSamePodsShareThem() {
        PodSets sets = sets("""
                placed: kubernetes
                cluster: { brokers: 3, controllers: 1 }
                load: { producers: 8, workers: 2 }
                variants:
                  two: {}
                  linger: { load: { producer: { linger.ms: 5 } } }
                  four: { load: { workers: 4 } }
                  limited: { load: { within: { cpu: 1 } } }
                """);
        List<PodSet> two = of(sets, "two");
        assertThat(names(two)).containsExactly("3 weir-x-broker", "2 weir-x-load");
        assertThat(of(sets, "linger")).isEqualTo(two);
        assertThat(names(of(sets, "four"))).contains("4 weir-x-load-2");
        assertThat(names(of(sets, "limited"))).contains("2 weir-x-load-3");
        assertThat(sets.all()).hasSize(4);
    }

    @Test
    @Tag("with-command")
    @Tag("with-stress")
    void twoStressesOfOneVariantHavePodsOfTheirOwn() {
        PodSets sets = sets("""
                placed: kubernetes
                cluster: { brokers: 3 }
                during:
                  a: { at: 1s, stress: {} }
                  b: { at: 2s, stress: {} }
                  c: { at: 3s, run: "true" }
                """);
        assertThat(names(sets.all()))
                .containsExactly(
                        "3 weir-x-broker", "1 weir-x-load", "3 weir-x-stress", "3 weir-x-stress-2", "1 weir-x-command");
    }

    @Test
    @Tag("with-stress")
    void partsOutsideKubernetesHaveNoPodSets() {
        assertThat(names(sets("load: { placed: kubernetes }").all())).containsExactly("1 weir-x-load");
        assertThat(sets("load: {}").all()).isEmpty();
        assertThat(names(sets("placed: kubernetes\ncluster: { placed: here }\nduring: { a: { at: 1s, stress: {} } }")
                        .all()))
                .containsExactly("1 weir-x-load");
        assertThat(names(sets("placed: kubernetes\nload: { target: null, placed: here }")
                        .all()))
                .as("brokers that a null target stands in for")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "two-codecs, weir-two-codecs",
        "2026-11-25T08.20_two, weir-2026-11-25t08-20-two",
        "-.-, weir",
        "20261125-082043-a-name-that-is-far-too-long, weir-20261125-082043-a-name-t-6060a247"
    })
    void runNameIsValidInKubernetes(String run, String name) {
        assertThat(RunIdentity.of(run, "n").name()).isEqualTo(name).hasSizeLessThanOrEqualTo(38);
        assertThat(RunIdentity.of(run + "x", "n").name()).as("another").isNotEqualTo(run.equals("-.-") ? "" : name);
    }
}
