package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.real.Door;
import weir.results.RunFolder;
import weir.results.RunResult;

/** Runs in pods, started from outside as a user does. However they end, no object stays in Kubernetes. */
@Tag("kubernetes")
@Timeout(300)
class KubernetesIT {
    private static final String POD = "weir-pods-";
    private static final String LONG = "measure: 60s";

    @TempDir
    private Path folder;

    private final GivenKubernetes kubernetes = new GivenKubernetes();
    private Door door;

    @BeforeEach
    void open() throws IOException {
        door = new Door(folder.toRealPath());
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(kubernetes.left(30)).isEmpty();
        kubernetes.close();
    }

    private String plan(String... more) throws IOException {
        return door.file(
                        "pods.yaml",
                        """
                        name: pods
                        placed: kubernetes
                        kubernetes: { image: "%s", namespace: %s }
                        topics: { t: { partitions: 2 } }
                        load: { rate: 200/s, workers: 2, producers: 2, value: { size: 100B }%s }
                        warmup: none
                        """.formatted(
                                                GivenKubernetes.image(),
                                                GivenKubernetes.namespace(),
                                                more.length > 1 ? more[1] : "")
                                + more[0] + "\n")
                .toString();
    }

    private RunResult result() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
            return RunFolder.open(runs.findFirst().orElseThrow()).result().orElseThrow();
        }
    }

    @Test
    void runInPodsHasALedgerThatBalances() throws Exception {
        Door.Running run = door.start("run", "--yes", plan("measure: 5s", ", within: { cpu: 1, memory: 1GiB }"));
        run.awaitErr("measure");
        assertThat(kubernetes.limits("-load-"))
                .hasSize(2)
                .allSatisfy(limits -> assertThat(limits).contains("cpu=1").contains("memory=1Gi"));
        assertThat(kubernetes.pods()).anyMatch(pod -> pod.endsWith("-broker-0"));
        Door.Ended ended = run.end();
        assertThat(ended.err()).doesNotContain("FATAL").doesNotContain("Exception");
        assertThat(ended.out()).contains("report: ");
        RunResult result = result();
        assertThat(result.trials().get(0).figures().count(Count.DUE)).isEqualTo(1_000);
        assertThat(result.trials().get(0).figures().count(Count.ACKED)).isEqualTo(1_000);
        assertThat(result.trials().get(0).figures().count(Count.LOST)).isZero();
        assertThat(ended.exit()).as(ended.err()).isIn(0, 4);
    }

    @Test
    void lostWorkerPodFailsTheTrialAndKeepsItsResults() throws Exception {
        Door.Running run = door.start("run", "--yes", plan(LONG));
        run.awaitErr("measure", "acked");
        String killed = kubernetes.kill("-load-1");
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(4);
        assertThat(ended.err()).contains("its pod ").contains("-load-1");
        assertThat(killed).startsWith(POD);
        assertThat(result().caveats()).anyMatch(caveat -> caveat.type().equals("interrupted"));
    }

    @Test
    void lostConductorIsReportedInOneLine() throws Exception {
        Door.Running run = door.start("run", "--yes", plan(LONG));
        run.awaitErr("measure");
        kubernetes.kill("-conductor");
        long began = System.nanoTime();
        Door.Ended ended = run.end();
        assertThat((System.nanoTime() - began) / 1e9).isLessThan(60);
        assertThat(ended.exit()).as(ended.err()).isEqualTo(3);
        assertThat(ended.err()).contains("the conductor, pod '" + POD).doesNotContain("\tat ");
    }

    @Test
    void doctorTriesAllPodsAndCleansUpAKilledRun() throws Exception {
        String plan = plan(LONG);
        Door.Running run = door.start("run", "--yes", plan);
        run.awaitErr("measure");
        run.signal("KILL");
        run.end();
        Door.Ended examined = door.weir("doctor", "--on", "kubernetes", plan);
        assertThat(examined.exit()).as(examined.out() + examined.err()).isZero();
        assertThat(examined.out())
                .containsPattern("fine +API server +v1\\.")
                .containsPattern("fine +pods +4 in ")
                .containsPattern("fine +image ")
                .containsPattern("fine +clocks of nodes +within ")
                .containsPattern("doubt +run weir-pods-\\d+ +lives");
        assertThat(door.weir("doctor", "--on", "kubernetes", "--clean", plan).out())
                .contains("no leftovers");
        kubernetes.kill("-conductor");
        long deadline = System.nanoTime() + 90_000_000_000L;
        Door.Ended cleaned;
        do {
            cleaned = door.weir("doctor", "--on", "kubernetes", "--clean", plan);
            assertThat(cleaned.exit()).as(cleaned.err()).isZero();
        } while (!cleaned.out().contains("deleted the remains of 'weir-pods-") && System.nanoTime() < deadline);
        assertThat(cleaned.out()).contains("deleted the remains of 'weir-pods-");
    }

    @Test
    void ctrlCKeepsTheMeasurements() throws Exception {
        Door.Running run = door.start("run", "--yes", plan(LONG));
        run.awaitErr("measure", "acked");
        run.signal("INT");
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(130);
        assertThat(result().trials()).hasSize(1);
    }

    @Test
    void kubernetesRefusalsAreReportedVerbatim() throws Exception {
        String plan = plan("measure: 5s");
        // Each of the first two runs waits for most of a minute.
        Door.Running full = door.start("run", "--yes", plan, "--set", "name=full", "--set", "load.within.cpu=1000");
        Door.Running imageless = door.start(
                "run", "--yes", plan, "--set", "name=imageless", "--set", "kubernetes.image=localhost/none:1");
        Door.Ended elsewhere = door.weir("run", "--yes", plan, "--set", "kubernetes.namespace=nowhere");
        refused(elsewhere, "nowhere");
        refused(full.end(), "does not run: Unschedulable: ", "Insufficient cpu");
        refused(imageless.end(), "does not run: ", "localhost/none:1");
    }

    private static void refused(Door.Ended run, String... words) {
        assertThat(run.exit()).as(run.err()).isEqualTo(3);
        assertThat(run.err()).contains(words).doesNotContain("\tat ");
    }
}
