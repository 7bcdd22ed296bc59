package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.Event;
import weir.results.value.ExpectResult;

/** Disturbances in whole runs, on a clock that advances only while a fake worker plays a load. */
class TimelineTest {
    private static final String CRASH = """
            cluster: { brokers: 3, controllers: 1, fresh: run }
            topics: { t: { replication: 3 } }
            load: { rate: 1000/s }
            warmup: 2s
            measure: 10s
            during:
              crash: { at: 3s, for: 4s, kill: broker 2 }
              hang: { at: 5s, pause: broker 3 }
            """;

    @TempDir
    Path dir;

    private FakeLab lab = new FakeLab(Path.of(""));
    private @Nullable Runner runner;

    @BeforeEach
    void open() {
        lab = new FakeLab(dir.resolve("state"));
    }

    private RunResult run(String plan) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        RunOptions options = new RunOptions(dir.resolve("runs"), true, 0, 0, RunOptions.NEW, "test", "weir run");
        runner = new Runner(PlanReader.read(file, Overrides.NONE), options, question -> true, notes -> lab);
        return runner.run();
    }

    /** Returns the marks of a trial, in seconds since the measured phase began. */
    private static List<String> marks(RunResult result, int trial) {
        List<Event> events =
                RunFolder.open(Path.of(result.run())).trials().get(trial - 1).events();
        double measured = events.stream()
                .filter(event ->
                        event.name().equals(Event.PHASE) && event.text().equals("measure"))
                .findFirst()
                .orElseThrow()
                .second();
        List<String> marks = new ArrayList<>();
        events.stream()
                .filter(event -> event.name().startsWith(Event.DISTURBANCE))
                .forEach(event -> marks.add(String.format(
                        Locale.ROOT, "%.1f %s %s", event.second() - measured, event.name(), event.text())));
        return marks;
    }

    @Test
    void disturbancesBeginOnTimeAndAreUndoneByTheTrialEnd() throws IOException {
        RunResult result = run(CRASH);
        assertThat(lab.clusters.get(0).acts).containsExactly("KILL 2", "PAUSE 3", "RESTART 2", "RESUME 3");
        assertThat(marks(result, 1))
                .containsExactly(
                        "3.0 disturbance crash: broker 2 is killed",
                        "5.0 disturbance hang: broker 3 is paused",
                        "7.0 disturbance over crash",
                        "7.0 disturbance undone crash: broker 2 is started again",
                        "10.0 disturbance undone hang: broker 3 is resumed");
    }

    @Test
    void controllerThatLeadsAtThatMomentIsKilledAndStartedAgain() throws IOException {
        RunResult result = run("""
                cluster: { brokers: 3, controllers: 3 }
                load: { rate: 1000/s }
                measure: 10s
                during: { control: { at: 3s, for: 4s, kill: controller } }
                """);
        assertThat(lab.clusters.get(0).acts).containsExactly("KILL 102", "RESTART 102");
        assertThat(marks(result, 1))
                .containsExactly(
                        "3.0 disturbance control: the active controller, node 102, is killed",
                        "7.0 disturbance over control",
                        "7.0 disturbance undone control: the active controller, node 102, is started again");
    }

    @Test
    void tilesShowTheDisturbanceOfASingleVariant() throws IOException {
        String tiles = HtmlReport.of(RunFolder.open(Path.of(run(CRASH).run())))
                .replaceAll("(?s)<table.*", "")
                .replaceAll("<[^>]*>", " ")
                .replaceAll(" +", " ");
        assertThat(tiles).contains("p99 during crash", "crash gap", "crash recovery", "p99 during hang");
    }

    @Test
    @NeedsFeature("stress")
    void stressRunsOnTimeAndIsMeasuredAndUndone() throws IOException {
        RunResult result = run("""
                load: { rate: 1000/s }
                measure: 10s
                during:
                  neighbour: { at: 3s, for: 4s, stress: { memory: 1MiB, threads: 2 } }
                  forever: { at: 5s, stress: { threads: 3 } }
                """);
        assertThat(lab.acts)
                .containsExactly(
                        "stress neighbour",
                        "look at neighbour (stress)",
                        "stress forever",
                        "look at forever (stress)",
                        "end stress neighbour",
                        "end stress forever");
        assertThat(marks(result, 1))
                .containsExactly(
                        "3.0 disturbance neighbour: 2 threads write to 1 MiB of memory",
                        "5.0 disturbance forever: 3 threads compute",
                        "7.0 disturbance over neighbour");
        // The lab has no process readings, so nothing of the requested stress was taken.
        assertThat(result.caveats()).extracting(caveat -> caveat.type()).contains("stress-missed");
    }

    @Test
    @NeedsFeature({"command", "stress"})
    @Tag("with-hosts")
    void eachHostOfADisturbanceIsDisturbed() throws IOException {
        RunResult result = run("""
                load: { rate: 1000/s }
                measure: 10s
                during:
                  neighbour: { at: 3s, for: 4s, stress: { memory: 1MiB }, placed: { hosts: [a, me@b] } }
                  job: { at: 5s, run: [date], placed: { hosts: [c] } }
                """);
        assertThat(lab.acts)
                .containsExactly(
                        "connect [c]",
                        "connect [a, me@b]",
                        "stress neighbour on a",
                        "look at neighbour (stress)-a",
                        "stress neighbour on b",
                        "look at neighbour (stress)-b",
                        "run job on c",
                        "end stress neighbour on a",
                        "end stress neighbour on b",
                        "end run job on c");
        assertThat(marks(result, 1)).contains("3.0 disturbance neighbour: 1 thread writes to 1 MiB of memory, on a, b");
    }

    @Test
    void disturbanceReportsTakeoverAndInSyncTimes() throws IOException {
        RunResult result = run(CRASH);
        assertThat(result.trials().get(0).disturbances())
                .extracting(one -> one.name() + " " + one.takenOver() + " " + one.inSync())
                .containsExactly("crash 1.3 0.7", "hang 1.3 null");
        assertThat(lab.views).containsExactly("closed 2", "closed 3");
    }

    @Test
    void disturbanceOfABrokerWithoutLeadershipIsMissed() throws IOException {
        lab.leaders = List.of(1, 1, 3);
        RunResult result = run(CRASH);
        assertThat(result.caveats())
                .filteredOn(caveat -> caveat.type().equals("fault-missed"))
                .singleElement()
                .satisfies(caveat -> assertThat(caveat.evidence())
                        .isEqualTo(
                                "disturbance crash: broker 2 is killed, but this broker led no partition of the load"));
        assertThat(result.conclusion().answer())
                .contains("the broker led no partition")
                .contains("\u201chang\u201d");
        assertThat(result.trials().get(0).disturbances())
                .extracting(one -> one.led())
                .containsExactly(0, 1);
    }

    @Test
    @NeedsFeature("command")
    void aCommandOfTheUserRunsUntilItsEnd() throws IOException {
        RunResult result = run("""
                load: { rate: 1000/s }
                measure: 10s
                during:
                  flush: { at: 2s, for: 3s, run: [./flush.sh, "right now"] }
                  shell: { at: 3s, run: "echo $BOOTSTRAP_SERVERS | cat" }
                """);
        assertThat(lab.acts).containsExactly("run flush", "run shell", "end run flush", "end run shell");
        assertThat(marks(result, 1))
                .contains(
                        "2.0 disturbance flush: runs ./flush.sh 'right now'",
                        "3.0 disturbance shell: runs sh -c 'echo $BOOTSTRAP_SERVERS | cat'");
    }

    @Test
    void networkDisturbanceOfOneVariantGivesAllVariantsRelays() throws IOException {
        RunResult result = run("""
                cluster: { brokers: 3, controllers: 1, fresh: trial }
                load: { rate: 1000/s }
                measure: 10s
                variants:
                  near: {}
                  far:
                    during:
                      slow: { at: 2s, for: 3s, network: { broker: 2, delay: 40ms, jitter: 5ms, between: clients, way: in } }
                      apart: { at: 4s, for: 2s, network: { broker: 3, cut: true } }
                """);
        assertThat(lab.clusters).hasSize(2).allMatch(cluster -> cluster.faults.relays());
        assertThat(lab.clusters.get(1).acts)
                .containsExactly("WORSEN NETWORK 2", "WORSEN NETWORK 3", "MEND NETWORK 2", "MEND NETWORK 3");
        assertThat(marks(result, 2))
                .contains(
                        "2.0 disturbance slow: the network between clients and broker 2, towards it, is slower by 40.0 ms"
                                + " and up to 5.00 ms more",
                        "4.0 disturbance apart: the network of broker 3 is cut");
    }

    @Test
    void diskDisturbanceOfOneVariantGivesAllVariantsDiskImages() throws IOException {
        RunResult result = run("""
                cluster: { brokers: 3, controllers: 1, fresh: trial }
                load: { rate: 1000/s }
                measure: 10s
                variants:
                  well: {}
                  ill:
                    during:
                      full: { at: 2s, for: 3s, disk: { broker: 2, full: true } }
                      fuller: { at: 6s, disk: { broker: 3, full: true } }
                      slow: { at: 4s, disk: { broker: 1, io: 5MiB/s } }
                """);
        assertThat(lab.clusters).hasSize(2).allMatch(cluster -> cluster.faults.disks() && !cluster.faults.relays());
        assertThat(lab.clusters.get(1).acts)
                .as("a limit is the kernel's and does not go with the brokers")
                .containsExactly("WORSEN DISK 2", "WORSEN DISK 1", "MEND DISK 2", "WORSEN DISK 3", "MEND DISK 1");
        assertThat(marks(result, 2))
                .contains(
                        "2.0 disturbance full: the disk of broker 2 is full",
                        "4.0 disturbance slow: the disk of broker 1 reads and writes at most 5 MiB/s each");
    }

    @Test
    void relaysExistOnlyForNetworkDisturbances() throws IOException {
        run(CRASH);
        assertThat(lab.clusters).noneMatch(cluster -> cluster.faults.relays());
    }

    @Test
    @NeedsFeature("stress")
    void stressEndsWithTheTrialOfAFreshCluster() throws IOException {
        run("""
                cluster: { fresh: trial }
                load: { rate: 1000/s }
                measure: 10s
                during: { forever: { at: 5s, stress: { threads: 3 } } }
                """);
        assertThat(lab.acts).endsWith("end stress forever");
    }

    @Test
    void disturbanceSecondsAreComparedFirst() throws IOException {
        lab.in(1, 5, () -> lab.capacity = 500);
        lab.in(1, 9, () -> lab.capacity = 50_000);
        RunResult result = run(CRASH + "variants: { disturbed: {}, quiet: { during: { crash: null, hang: null } } }\n");
        assertThat(result.comparisons()).extracting(c -> c.metric()).startsWith("response p99 during crash");
        // Four seconds of the ten, at a thousand a second.
        assertThat(result.trials().get(1).during().get(0).figures().response().count())
                .isBetween(3_900L, 4_100L);
        assertThat(result.conclusion().answer())
                .startsWith("“crash”: “disturbed” never stops for a second, p99 ")
                .endsWith("; no verdict, one trial each.");
        assertThat(result.conclusion().details())
                .contains("“crash” is: broker 2 is killed; when the disturbance ends, Weir restarts the process (in"
                        + " “disturbed”).");
    }

    @Test
    void clusterOfOneTrialIsNotRepairedAfterIt() throws IOException {
        run(CRASH.replace("fresh: run", "fresh: trial"));
        assertThat(lab.clusters.get(0).acts).containsExactly("KILL 2", "PAUSE 3", "RESTART 2");
    }

    @Test
    void undisturbedVariantMarksTheSameSeconds() throws IOException {
        RunResult result = run(CRASH + "variants: { disturbed: {}, quiet: { during: { crash: null, hang: null } } }\n");
        assertThat(marks(result, 2))
                .containsExactly(
                        "3.0 disturbance crash: not in this variant",
                        "5.0 disturbance hang: not in this variant",
                        "7.0 disturbance over crash");
        assertThat(lab.clusters.get(0).acts).hasSize(4);
    }

    @Test
    void interruptUndoesActiveDisturbancesInReverseOrder() throws IOException {
        lab.in(1, 8, () -> Objects.requireNonNull(runner).interrupt());
        run(CRASH);
        assertThat(lab.clusters.get(0).acts).containsExactly("KILL 2", "PAUSE 3", "RESUME 3", "RESTART 2");
    }

    @Test
    void aDisturbanceThatCannotBeDoneEndsTheTrial() throws IOException {
        lab.in(1, 1, () -> lab.clusters.get(0).inert = "no such broker");
        RunResult result = run(CRASH);
        assertThat(result.exit()).isNotZero();
        assertThat(RunFolder.open(Path.of(result.run())).trials().get(0).events())
                .filteredOn(event -> event.name().equals(Event.FAILED))
                .singleElement()
                .satisfies(event -> assertThat(event.text()).contains("disturbance 'crash': no such broker"));
    }

    @Test
    void figuresDuringADisturbanceAreThoseOfWhatWasDueInItsSeconds() throws IOException {
        lab.in(1, 5, () -> lab.capacity = 0);
        lab.in(1, 10, () -> lab.capacity = 50_000);
        RunResult result = run(CRASH.replace("load: { rate", "load: { workload: deliver, rate") + """
                expect:
                  - response p99 during crash < 2s
                  - e2e p99 during crash < 2s
                  - response p50 during crash > 2s
                  - due during crash == 4000
                  - acked during crash == 4000
                  - received during crash == 4000
                  - lost during crash == 0
                  - acked/s during crash == 0/s
                  - gap during crash >= 4s
                """);
        assertThat(result.expect())
                .extracting(ExpectResult::verdict)
                .containsExactly(
                        ExpectResult.FAILED,
                        ExpectResult.FAILED,
                        ExpectResult.PASSED,
                        ExpectResult.PASSED,
                        ExpectResult.PASSED,
                        ExpectResult.PASSED,
                        ExpectResult.PASSED,
                        ExpectResult.PASSED,
                        ExpectResult.PASSED);
    }

    @Test
    void figuresDuringADisturbanceAreThoseOfItsSeconds() throws IOException {
        // Two seconds of the trial are warm-up, so its third measured second is second six.
        lab.in(1, 5, () -> lab.capacity = 500);
        lab.in(1, 9, () -> lab.capacity = 50_000);
        RunResult result = run(CRASH + """
                variants: { disturbed: {}, quiet: { during: { crash: null, hang: null } } }
                expect:
                  - response p99 of disturbed during crash > 500ms
                  - response p99 of quiet during crash < 50ms
                  - acked/s of disturbed during crash <= 700
                  - acked/s of quiet during crash >= 990
                """);
        assertThat(result.expect()).as(result.toJson()).hasSize(4).allMatch(expect -> expect.passed());
    }
}
