package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.Main;
import weir.cli.Shell;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.probe.Finding;
import weir.run.Exit;

/** The check of an API server that stores objects. */
class KubernetesCheckTest {
    private static final Experiment EXPERIMENT = Plans.read("""
            name: x
            placed: kubernetes
            kubernetes: { image: weir, namespace: load-tests }
            cluster: { brokers: 2, within: { cpu: 2, memory: 4GiB } }
            load: { rate: 1/s, apart: node }
            """);

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final FakeApiServer server = new FakeApiServer();
    private final KubernetesCheck check = check(Duration.ZERO);

    @TempDir
    private Path folder;

    KubernetesCheckTest() throws IOException {}

    @AfterEach
    void close() {
        check.close();
        server.close();
    }

    private static RunObjects objects(String run, String owner) {
        return new RunObjects(RunIdentity.of(run, "load-tests").ownedBy(owner), EXPERIMENT, "", List.of());
    }

    private KubernetesCheck check(Duration timeout) {
        return new KubernetesCheck(server.config(), objects("check", ""), "1.0", timeout);
    }

    /** Adds a run that was made, and whose lease was renewed, these numbers of seconds ago. */
    private void run(String name, int made, int renewed) {
        run(name, made, renewed, "uid");
    }

    private void run(String name, int made, int renewed, String owner) {
        RunObjects objects = objects(name, owner);
        HasMetadata map = objects.owner();
        map.getMetadata().setCreationTimestamp(now.minusSeconds(made).toString());
        server.put("configmaps", map);
        HasMetadata lease = objects.owned(true).get(0);
        lease.getMetadata().setCreationTimestamp(now.minusSeconds(made).toString());
        lease.getMetadata()
                .setManagedFields(List.of(
                        new ManagedFieldsEntryBuilder()
                                .withTime(now.minusSeconds(made).toString())
                                .build(),
                        new ManagedFieldsEntryBuilder()
                                .withTime(now.minusSeconds(renewed).toString())
                                .build()));
        server.put("leases", lease);
    }

    private static Finding finding(List<Finding> findings, String name) {
        return findings.stream()
                .filter(finding -> finding.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void leftoversOfDeadRunsAreDeletedAndLivingRunsAreKept() {
        run("dead", 500, 40);
        run("lives", 500, 5);
        run("begins", 60, 60);
        assertThat(check.remains())
                .extracting(KubernetesCheck.RemainingRun::name, KubernetesCheck.RemainingRun::lives)
                .containsExactly(tuple("weir-begins", true), tuple("weir-dead", false), tuple("weir-lives", true));
        assertThat(check.remains().get(1).sign()).matches("made 8 min ago, no sign of life for 4\\d s");
        Journal.Cleared cleaned = check.clean();
        assertThat(cleaned.done()).containsExactly("deleted the remains of 'weir-dead' in namespace 'load-tests'");
        assertThat(cleaned.failed()).isEmpty();
        assertThat(server.asked("DELETE")).containsExactly("DELETE configmaps/weir-dead");
    }

    @Test
    void leaseRenewalDuringTheCheckKeepsTheRun() throws InterruptedException {
        run("away", 500, 200);
        Thread renewal = new Thread(() -> {
            while (server.asked("GET leases").isEmpty()) {
                Thread.onSpinWait();
            }
            run("away", 500, 0);
        });
        renewal.start();
        try (KubernetesCheck slow = check(Duration.ofMillis(500))) {
            assertThat(slow.clean().done()).isEmpty();
        }
        renewal.join();
        assertThat(server.asked("DELETE")).isEmpty();
    }

    @Test
    void objectsAppliedByHandAreReportedAndNotDeleted() {
        run("hand", 500, 400, "");
        assertThat(check.remains()).singleElement().satisfies(remains -> {
            assertThat(remains.lives()).isFalse();
            assertThat(remains.byHand()).isTrue();
        });
        assertThat(check.clean().done()).isEmpty();
        assertThat(server.asked("DELETE")).isEmpty();
    }

    @Test
    void cleanupDeletesNothingWithoutTheRightToListLeases() {
        run("dead", 500, 400);
        server.deny("list leases");
        assertThat(check.remains()).isEmpty();
        assertThat(check.clean().failed())
                .containsExactly(
                        "you may not list leases.coordination.k8s.io in namespace 'load-tests', so Weir cannot see"
                                + " which runs are active; Weir deleted nothing");
        assertThat(server.asked("DELETE")).isEmpty();
    }

    @Test
    void noPodIsCreatedWithoutTheRightsOfARun() {
        server.deny("create jobs");
        server.deny("delete statefulsets");
        List<Finding> findings = check.findings();
        assertThat(finding(findings, "API server").figure()).isEqualTo("v1.2.3");
        Finding rights = finding(findings, "rights");
        assertThat(rights.verdict()).isEqualTo(Finding.Verdict.BAD);
        assertThat(rights.meaning())
                .isEqualTo("you may not create jobs.batch, delete statefulsets.apps in namespace 'load-tests'");
        assertThat(findings).hasSize(2);
        assertThat(server.asked("POST")).isEmpty();
    }

    @Test
    void unknownKubernetesUserIsReportedInOneLine() {
        server.fail(401);
        assertThatThrownBy(check::findings)
                .isInstanceOf(HostUnavailable.class)
                .hasMessageContaining("rejected your credentials (401)");
    }

    @Test
    void checkPodsAreCreatedLikeRunPodsAndDeletedAfterwards() {
        List<HasMetadata> made = new ArrayList<>();
        server.admit(object -> {
            made.add(object);
            return object;
        });
        check.interrupt();
        Finding pods = finding(check.findings(), "pods");
        assertThat(pods.verdict()).isEqualTo(Finding.Verdict.BAD);
        assertThat(pods.meaning()).isEqualTo("pod 'weir-check-broker-0' does not run: interrupted");
        List<HasMetadata> hosts = objects("check", "uid-0").hosts("127.0.0.1:7411");
        StatefulSet brokers = (StatefulSet)
                made.stream().filter(StatefulSet.class::isInstance).findFirst().orElseThrow();
        asleep(
                ((StatefulSet) hosts.get(0)).getSpec().getTemplate().getSpec(),
                brokers.getSpec().getTemplate().getSpec());
        Job load = (Job) made.stream().filter(Job.class::isInstance).findFirst().orElseThrow();
        asleep(
                ((Job) hosts.get(1)).getSpec().getTemplate().getSpec(),
                load.getSpec().getTemplate().getSpec());
        assertThat(made.stream().filter(Secret.class::isInstance).map(Secret.class::cast))
                .singleElement()
                .satisfies(token -> assertThat(token.getStringData()).containsOnlyKeys("token"));
        assertThat(server.asked("DELETE")).containsExactly("DELETE configmaps/weir-check");
    }

    /** All fields that decide about resources and placement are those of the run. */
    private static void asleep(PodSpec ofRun, PodSpec checked) {
        assertThat(checked.getContainers().get(0).getCommand()).containsExactly("sleep", "300");
        assertThat(checked.getContainers().get(0).getResources())
                .isEqualTo(ofRun.getContainers().get(0).getResources());
        assertThat(checked.getInitContainers().get(0).getResources())
                .isEqualTo(ofRun.getContainers().get(0).getResources());
        assertThat(checked.getAffinity()).isEqualTo(ofRun.getAffinity());
        assertThat(checked.getTopologySpreadConstraints()).isEqualTo(ofRun.getTopologySpreadConstraints());
        assertThat(checked.getSecurityContext()).isEqualTo(ofRun.getSecurityContext());
        assertThat(checked.getVolumes()).isEqualTo(ofRun.getVolumes());
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("x.yaml"), "kubernetes: { image: weir }\nmeasure: 1s\n" + yaml)
                .toString();
    }

    @Test
    void missingKubernetesConfigurationIsReported() throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder weir = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--on",
                        "kubernetes",
                        "--runs",
                        folder.resolve("runs").toString(),
                        file("load: { rate: 1/s }"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        weir.environment().clear();
        weir.environment()
                .putAll(Map.of(
                        "HOME", folder.toString(), "KUBERNETES_AUTH_TRYSERVICEACCOUNT", "false", "PATH", "/bin"));
        assertThat(weir.start().waitFor()).isEqualTo(Exit.PREFLIGHT.code());
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("in Kubernetes, namespace weir: weir-x-");
        assertThat(lines.get(1))
                .isEqualTo(
                        "no Kubernetes configuration found; set KUBECONFIG, or write ~/.kube/config, and check it with"
                                + " 'kubectl config view'");
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    void podRunOnAnExternalClusterRequiresYes() throws IOException {
        Shell shell = Shell.weir("run", "--on", "kubernetes", file("cluster: { bootstrap: 'k:9092' }"));
        assertThat(shell.exit()).isEqualTo(Exit.PREFLIGHT.code());
        assertThat(shell.err())
                .hasLineCount(1)
                .contains("did not start this cluster")
                .contains("add --yes");
    }

    @Test
    void aRunInPodsIsNotResumed() throws IOException {
        Shell shell = Shell.weir("run", "--on", "kubernetes", "--resume", "x", file("load: {}"));
        assertThat(shell.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(shell.err()).hasLineCount(1).contains("--resume: ").contains("cannot be resumed");
    }
}
