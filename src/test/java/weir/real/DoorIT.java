package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.feature.NeedsFeature;
import weir.host.Journal;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.TrialJudge;
import weir.measure.Count;
import weir.measure.Reading;
import weir.plan.syntax.CaveatType;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** The program from outside: its output, its exit, and no process that stays. */
@Execution(ExecutionMode.CONCURRENT)
class DoorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TWO_TRIALS = """
            name: two
            cluster: { heap: 256MiB, jvm: [-XX:TieredStopAtLevel=1] }
            topics: { t: { partitions: 2 } }
            load:
              workload: deliver
              rate: 500/s
              value: { size: 100B }
              producer: { plugin: { my.credential: "${env:TRIED_SECRET}" }, client.id: "with ${env:TRIED_SECRET}" }
            warmup: 1s
            measure: 4s
            repeat: 2
            """;

    @TempDir
    private Path folder;

    private Door door = new Door(Path.of(""));

    @BeforeEach
    void open() throws Exception {
        door = new Door(folder.toRealPath());
    }

    @Test
    void runWritesJsonJunitAndGithubOutputAndItsExitCode() throws Exception {
        String expects = TWO_TRIALS.replace("4s", "2s") + """
                expect:
                  - response p50 > 10s
                  - response p50 < 10s
                  - acked/s > 1 for 100% of windows
                  - acked during warmup > 0
                  - lost == 0
                accept:
                  generator-late: other tests use this machine at the same time
                  rate-missed: the same
                """;
        Path junit = folder.resolve("weir.xml");
        Door.Ended ended = door.weir(
                "run",
                door.file("two.yaml", expects).toString(),
                "--out",
                "junit=" + junit,
                "--out",
                "github",
                "--format",
                "json");
        JsonNode object = JSON.readTree(ended.out());
        assertThat(ended.exit())
                .as(ended.err())
                .isEqualTo(99)
                .isEqualTo(object.get("exit").asInt());
        assertThat(object.get("version").asInt()).isEqualTo(1);
        assertThat(object.get("trials")).hasSize(2);
        assertThat(object.get("trials").get(0).get("lost").asLong()).isZero();
        assertThat(object.get("expect"))
                .as(ended.out())
                .extracting(expect -> expect.get("verdict").asText())
                .containsExactly("failed", "passed", "passed", "passed", "passed");
        assertThat(Files.readString(junit)).contains("failures=\"1\"", "response p50 &gt; 10s");
        assertThat(door.folder().resolve(object.get("report").asText())).isRegularFile();
        assertThat(ended.err())
                .contains("2 trials", "trial 2/2")
                .contains("::error title=weir two::response p50 > 10s – failed: ");
        assertKept(RunFolder.open(onlyRun()));
        assertThat(RunFolder.open(onlyRun()).canaries().pairs())
                .as("the machine benchmarks ran before and after")
                .hasSize(6);
        assertNothingLeft();
        assertNobodyTells(Door.SECRET, ended);
        assertThat(Files.readString(onlyRun().resolve("machine.json"))).contains("my.credential");
        Door.Ended listed = door.weir("runs");
        assertThat(listed.out()).hasLineCount(1).contains("-two");
        assertThat(door.weir("report", "two").out()).contains("report:");
        assertJudgedAlikeWithoutItsEnd(RunFolder.open(onlyRun()).trials().get(1));
    }

    /** The folder contains the source data of all figures, and every message. */
    private static void assertKept(RunFolder run) {
        TrialFolder kept = run.trials().get(0);
        TrialResult trial = kept.result();
        JudgedTrial again = new TrialJudge(kept).judged();
        assertThat(again.result()).isEqualTo(trial);
        assertThat(again.caveats()).isEqualTo(kept.caveats());
        long acked = trial.figures().count(Count.ACKED);
        assertThat(trial.figures().count(Count.DUE)).isEqualTo(1_000);
        // On a busy machine the last messages may be too late to be sent.
        assertThat(acked + trial.figures().count(Count.UNSENT)).isEqualTo(1_000);
        assertThat(trial.figures().count(Count.RECEIVED)).isEqualTo(acked);
        assertThat(trial.figures().count(Count.DUPLICATED)).isZero();
        assertThat(trial.figures().response().count()).isEqualTo(1_000);
        assertThat(trial.figures().e2e().count()).isEqualTo(acked);
        assertThat(Objects.requireNonNull(trial.generator().cpuNanosPerRecord()))
                .isPositive();
        assertThat(kept.windows().stream().mapToLong(row -> row.acked()).sum()).isGreaterThanOrEqualTo(acked);
        assertThat(kept.readings((source, metric) -> true))
                .extracting(Reading::source, Reading::metric)
                .contains(tuple("broker-1", "cpu.cores"), tuple("readers", "lag.records"));
        assertThat(run.machine().facts()).containsKey("kafka");
        assertThat(run.machine().properties().get("base")).isNotEmpty();
    }

    /** Without these files a folder is that of a trial that was killed after its load. */
    private static void assertJudgedAlikeWithoutItsEnd(TrialFolder kept) throws IOException {
        JudgedTrial ended = JudgedTrial.of(kept);
        for (String file : List.of("trial.json", "caveats.json", "end.json")) {
            Files.delete(kept.path().resolve(file));
        }
        JudgedTrial killed = JudgedTrial.of(kept);
        assertThat(killed.interrupted()).isTrue();
        assertThat(killed.caveats())
                .filteredOn(caveat -> !caveat.is(CaveatType.named("interrupted")))
                .isSubsetOf(ended.caveats());
        assertThat(killed.result().figures().count(Count.LOST)).isNull();
        assertThat(killed.result().figures().response())
                .isEqualTo(ended.result().figures().response());
        assertThat(killed.result().steps()).hasSameSizeAs(ended.result().steps());
        StepResult step = killed.result().steps().get(0);
        StepResult same = ended.result().steps().get(0);
        assertThat(step.label()).isEqualTo(same.label());
        assertThat(step.from()).isEqualTo(same.from(), within(0.01));
        assertThat(step.seconds()).isEqualTo(same.seconds(), within(0.01));
        assertThat(step.figures().count(Count.ACKED)).isEqualTo(same.figures().count(Count.ACKED));
        assertThat(step.verdict()).isNotNull();
    }

    @Test
    void aKilledRunLeavesNoProcessCanBeReportedAndResumed() throws Exception {
        // Without brokers. DoctorIT and KilledBesideStartsIT test the end of brokers with the program.
        String file = door.file(
                        "two.yaml",
                        TWO_TRIALS
                                .replaceAll("cluster: .*\n", "")
                                .replace("workload: deliver", "target: null")
                                .replace("4s", "3s")
                                .concat("short: { repeat: 2 }"))
                .toString();
        Door.Running run = door.start("run", "--short", file, "--label", "commit=4f2a91c");
        run.awaitErr("trial 2/2", "measure");
        run.signal("KILL");
        run.process().waitFor();
        awaitNoChildren();
        Path killed = onlyRun();
        assertThat(door.weir("runs").out()).contains("unfinished", "[commit=4f2a91c]");
        Door.Ended report = door.weir("report", killed.toString());
        assertThat(report.exit()).as(report.err()).isZero();

        Door.Ended resumed = door.weir("run", "--short", file, "--resume", "two", "--format", "json");
        JsonNode object = JSON.readTree(resumed.out());
        assertThat(resumed.exit()).as(resumed.err()).isIn(0, 4);
        assertThat(object.get("trials")).hasSize(2);
        assertThat(resumed.err()).contains("trial 2/2").doesNotContain("trial 1/2");
        assertThat(onlyRun()).isEqualTo(killed);
        assertThat(door.weir("runs").out()).contains("[commit=4f2a91c]");
        assertNothingLeft();

        Door.Ended another = door.weir("run", "--short", file, "--resume", "two", "--set", "measure=5s");
        assertThat(another.exit()).isEqualTo(3);
        assertThat(another.err()).contains("cannot be resumed").doesNotContain("at weir.");
    }

    @Test
    @Tag("long")
    void terminationSignalKeepsResultsAndPrintsTheResumeCommand() throws Exception {
        String minute = TWO_TRIALS.replace("4s", "60s");
        Door.Running run = door.start("run", door.file("minute.yaml", minute).toString());
        run.awaitErr("  measure", "acked ");
        run.signal("TERM");
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(143);
        assertThat(ended.err()).contains("to run the rest:");
        assertThat(ended.out()).contains("interrupted");
        assertThat(onlyRun().resolve("report.html")).isRegularFile();
        TrialResult trial = RunFolder.open(onlyRun()).trials().get(0).result();
        Double ceiling = trial.generator().ceilingPerSecond();
        if (ceiling == null) {
            // Tests beside this one may leave it less than half a core, and it has to say so.
            assertThat(trial.generator().ceilingNote()).startsWith("unknown: the generator used only 0.");
        } else {
            assertThat(ceiling).isGreaterThan(trial.mostAckedPerSecond());
            assertThat(trial.generator().ceilingNote()).isEmpty();
        }
        assertNothingLeft();
    }

    private interface OnCluster {
        void on(String bootstrap) throws Exception;
    }

    @Test
    void clusterStartedByHandRunsUntilItIsStopped() throws Exception {
        onStarted(bootstrap -> {
            assertThat(door.weir("cluster", "status").out()).contains(bootstrap).contains("1 of 1");
            assertThat(door.weir("cluster", "start").exit()).isEqualTo(3);
            refuseWithoutAWord(bootstrap);
        });
    }

    @Test
    @Tag("long")
    @NeedsFeature("monitor")
    void topicsOfAClusterStartedByHandAreWatched() throws Exception {
        onStarted(bootstrap -> {
            watch(bootstrap);
            refuseWhatIsTakenOrMissing(bootstrap);
        });
    }

    private void onStarted(OnCluster act) throws Exception {
        Door.Ended started = door.weir("cluster", "start", "--format", "json");
        try {
            assertThat(started.exit()).as(started.err()).isZero();
            act.on(JSON.readTree(started.out()).get("bootstrap").asText());
        } finally {
            door.weir("cluster", "stop");
        }
        assertThat(door.weir("cluster", "stop").exit()).isZero();
        assertThat(door.weir("cluster", "status").out()).isEmpty();
        assertNothingLeft();
    }

    private void watch(String bootstrap) throws Exception {
        Map<String, Object> properties = Map.of("bootstrap.servers", bootstrap, "linger.ms", 0);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            send(producer, 10);
            Door.Running monitor = door.start(
                    "monitor",
                    "watched",
                    "--bootstrap-server",
                    bootstrap,
                    "--interval",
                    "100ms",
                    "--until-idle",
                    "5",
                    "--format",
                    "json");
            for (int batch = 0; batch < 3; batch++) {
                long lines = lines(monitor.out());
                while (lines(monitor.out()) < lines + 2) {
                    LockSupport.parkNanos(20_000_000);
                }
                send(producer, 20);
            }
            Door.Ended ended = monitor.end();
            assertThat(ended.exit()).as(ended.err()).isZero();
            JsonNode first = JSON.readTree(ended.out().lines().findFirst().orElse(""));
            JsonNode last =
                    JSON.readTree(ended.out().lines().reduce((a, b) -> b).orElse(""));
            assertThat(first.get("count").asLong()).isEqualTo(10);
            assertThat(last.get("count").asLong()).isEqualTo(70);
            assertThat(last.get("linePerSecond").asDouble()).isPositive();
        }
        assertThat(door.weir("monitor", "nothing", "--bootstrap-server", bootstrap)
                        .exit())
                .isEqualTo(3);
    }

    private void refuseWithoutAWord(String bootstrap) throws Exception {
        Path file = door.file("two.yaml", TWO_TRIALS);
        Door.Ended refused = door.weir("run", file.toString(), "--bootstrap-server", bootstrap);
        assertThat(refused.exit()).as(refused.err()).isEqualTo(3);
        assertThat(refused.err()).contains("--yes");
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    private void refuseWhatIsTakenOrMissing(String bootstrap) throws Exception {
        Path file = door.file("taken.yaml", """
                name: taken
                topics: { watched: { existing: true } }
                load: { workload: produce, rate: 10/s, transaction: each }
                measure: 1s
                """);
        // The id of the first producer of the first trial.
        Map<String, Object> properties =
                Map.of("bootstrap.servers", bootstrap, "transactional.id", "weir-taken-1-0", "linger.ms", 0);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, 1);
            Door.Ended taken = door.weir("run", file.toString(), "--bootstrap-server", bootstrap, "--yes");
            assertThat(taken.exit()).as(taken.err()).isEqualTo(3);
            assertThat(taken.err())
                    .contains("transactional ids weir-taken-1-0 are in use")
                    .doesNotContain("\tat ");
            producer.abortTransaction();
        }
        Door.Ended missing = door.weir(
                "run",
                file.toString(),
                "--bootstrap-server",
                bootstrap,
                "--yes",
                "--set",
                "topics={absent: {existing: true}}");
        assertThat(missing.exit()).as(missing.err()).isEqualTo(3);
        assertThat(missing.err())
                .contains("topic 'absent' has existing: true but does not exist")
                .doesNotContain("\tat ");
    }

    private static void send(Producer<byte[], byte[]> producer, int records) throws Exception {
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>("watched", new byte[10])).get();
        }
    }

    private static long lines(Path file) throws Exception {
        return Files.readString(file, StandardCharsets.UTF_8).lines().count();
    }

    private Path onlyRun() throws Exception {
        try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
            return runs.reduce((a, b) -> {
                        throw new AssertionError("more runs than one: " + a + ", " + b);
                    })
                    .orElseThrow(() -> new AssertionError("no run"));
        }
    }

    private void assertNobodyTells(String secret, Door.Ended ended) throws Exception {
        assertThat(ended.out() + ended.err()).doesNotContain(secret);
        try (Stream<Path> files = Files.walk(onlyRun())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(secret);
            }
        }
    }

    /** The kernel ends the children asynchronously, but soon. */
    private void awaitNoChildren() {
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (Journal.leftovers(door.state().resolve("weir")).stream()
                .anyMatch(left -> !left.running().isEmpty())) {
            assertThat(System.nanoTime()).as("children outlive a killed weir").isLessThan(deadline);
        }
    }

    private void assertNothingLeft() {
        assertThat(Journal.leftovers(door.state().resolve("weir"))).isEmpty();
    }
}
