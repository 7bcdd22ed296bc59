package weir.feature.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.Shell;
import weir.feature.NeedsFeature;
import weir.judge.RunComparisons;
import weir.measure.LatencyKind;
import weir.report.SyntheticRun;
import weir.results.Machine;
import weir.results.RunComparison;
import weir.results.RunFolder;
import weir.results.StoredRun;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Figures;
import weir.results.value.TrialResult;

/** Runs from results of other tools, as the other commands read them. */
class ImportedRunTest {
    private static final String NAME = "imported-1-topic-16-partitions-1kb";
    private static final String PRODUCER =
            "60000 records sent, 8192.000000 records/sec (0.80 MB/sec), 2.75 ms avg latency,"
                    + " 310.00 ms max latency, 1 ms 50th, 4 ms 95th, 38 ms 99th, 220 ms 99.9th.\n";

    @TempDir
    Path dir;

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    private Shell weir(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--runs", dir.resolve("runs").toString()));
        return Shell.weir(all.toArray(String[]::new));
    }

    private RunFolder imported(String... words) {
        Shell shell = weir(Stream.concat(Stream.of("import"), Stream.of(words)).toArray(String[]::new));
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exit()).isZero();
        List<RunFolder> all = RunFolder.list(dir.resolve("runs"));
        return RunFolder.open(all.get(0).path());
    }

    private RunFolder omb() throws IOException {
        return imported("omb", file("r.json", OmbResults.kafka().json()));
    }

    private void refused(String tool, String name, String text, String message) throws IOException {
        weir("import", tool, file(name, text)).refused(message);
    }

    private void nothingWritten() {
        Path runs = dir.resolve("runs");
        assertThat(!Files.exists(runs) || Objects.requireNonNull(runs.toFile().list()).length == 0)
                .isTrue();
    }

    @Test
    void folderHasTheFiguresTheToolAndTheSource() throws IOException {
        RunFolder folder = omb();
        assertThat(folder.name()).isEqualTo(NAME);
        TrialResult trial = folder.trials().get(0).result();
        assertThat(trial.figures().ackedPerSecond()).isEqualTo(50_000);
        assertThat(trial.figures().latency(LatencyKind.SERVICE).p99()).isEqualTo(12.25);
        assertThat(folder.concluded().trials()).containsExactly(trial);
        assertThat(folder.concluded().caveats()).hasSize(4);
        assertThat(folder.machine().facts())
                .containsEntry(Machine.TOOL, "OpenMessaging Benchmark")
                .doesNotContainKeys("cpu.model", "cpu.cores", "kafka");
        assertThat(folder.path().resolve("source-1.json"))
                .hasContent(OmbResults.kafka().json());
        assertThat(folder.trials().get(0).spectrum()).hasSize(6);
    }

    @Test
    void unknownFigureIsNullInEveryFile() throws IOException {
        RunFolder folder = omb();
        String trial = Files.readString(folder.trials().get(0).path().resolve("trial.json"));
        assertThat(trial)
                .contains("\"count\" : null")
                .contains("\"acked\" : null", "\"lost\" : null", "\"offeredPerSecond\" : null");
        Figures again = folder.trials().get(0).result().figures();
        assertThat(again.e2e().samples()).isNull();
        assertThat(again.response().known()).isFalse();
    }

    @Test
    @NeedsFeature("trend")
    void otherCommandsReadTheRun() throws IOException {
        omb();
        assertThat(weir("runs").out())
                .contains(
                        NAME,
                        "suspect",
                        "OpenMessaging Benchmark measured acked 50,000/s, received 50,000/s, service"
                                + " p99 12.3 ms and e2e p99 24.5 ms.");
        Shell report = weir("report", NAME);
        assertThat(report.err()).isEmpty();
        assertThat(report.out().replaceAll("\\s+", " "))
                .contains("service p50", "12.3 ms", "unknown machine", "doubt latency-from-send")
                .doesNotContain("(thin)", "response p");
        assertThat(weir("runs", "--trend", NAME).exit()).isZero();
    }

    @Test
    void pageShowsServiceWithItsCaveatsAndEscapesTheSource() throws IOException {
        String json = OmbResults.kafka().with("driver", "\"<b>x</b>\"").json();
        RunFolder folder = imported("omb", file("r.json", json));
        String page = Files.readString(folder.report());
        assertThat(page)
                .contains("service p99", "latency-from-send", "OpenMessaging Benchmark measured this run.")
                .contains("&lt;b&gt;x")
                .doesNotContain("<b>x")
                .doesNotContain("Weir does not sample", "(thin)");
    }

    @Test
    void comparisonHasTheFiguresOfBothSides() throws IOException {
        RunFolder theirs = omb();
        RunFolder ours = new StoredRun(dir.resolve("runs"), "hello")
                .variant("base", 10, 10.1, 9.9, 10)
                .setting("load.value.size", "2KiB")
                .write();
        RunComparison both = RunComparisons.of(List.of(theirs, ours), Double.NaN, false, true);
        assertThat(both.comparisons()).isEmpty();
        ComparisonResult acked = both.apart().get(0).figures().stream()
                .filter(one -> one.metric().equals("acked/s"))
                .findFirst()
                .orElseThrow();
        assertThat(acked.figureOfB()).isEqualTo(50_000);
        assertThat(acked.figureOfA()).isEqualTo(100);
        assertThat(both.differences())
                .extracting(RunComparison.Difference::name)
                .containsExactly("tool", "load.value.size");
        assertThat(both.doubts())
                .contains("A is a result of OpenMessaging Benchmark, which does not report all settings. So the runs"
                        + " may have had different loads.")
                .anyMatch(doubt -> doubt.contains("the time of a run is unknown"));
        assertThat(both.apart().get(0).differs())
                .contains("method differs (tool is ")
                .doesNotContain("loop", "product");
        weir("compare", NAME, "hello").refused("method differs (tool is 'OpenMessaging Benchmark' in one");
        assertThat(weir("compare", NAME, "hello", "--anyway").out()).contains("50,000/s");
    }

    @Test
    void comparisonWithStepsSaysThatItsFiguresAreOfAllSteps() throws IOException {
        RunFolder steps =
                new SyntheticRun(dir.resolve("runs"), List.of("base"), 1, new double[] {10_000, 20_000}, 5).write();
        RunComparison both = RunComparisons.of(List.of(omb(), steps), Double.NaN, false, true);
        assertThat(both.doubts()).anyMatch(doubt -> doubt.startsWith("B has steps with different rates"));
        assertThat(both.apart().get(0).figures())
                .extracting(ComparisonResult::metric)
                .contains("acked/s");
    }

    @Test
    void twoImportedRunsCompareServiceWithService() throws IOException {
        RunFolder one = omb();
        String json = OmbResults.kafka()
                .with("aggregatedPublishLatency99pct", "24.5")
                .with("workload", "\"other\"")
                .json();
        imported("omb", file("s.json", json));
        RunFolder other = RunFolder.resolve(dir.resolve("runs"), "imported-other");
        assertThat(RunComparisons.of(List.of(one, other), Double.NaN, false, true).comparisons().stream()
                        .filter(compared -> compared.metric().equals("service p99"))
                        .map(ComparisonResult::ratio))
                .containsExactly(2.0);
    }

    @Test
    void workloadsOfDifferentKindsCannotBeCompared() throws IOException {
        imported("perf", file("producer.log", PRODUCER));
        new StoredRun(dir.resolve("runs"), "hello").variant("base", 10, 10).write();
        weir("compare", "imported-producer", "hello")
                .refused("load.workload is 'produce' in one and 'deliver' in the other");
    }

    @Test
    void resultsOfOneLoadAreRepeats() throws IOException {
        String[] files = new String[4];
        for (int i = 0; i < files.length; i++) {
            String json = OmbResults.kafka()
                    .with("publishRate", "[ " + (50_000 + i) + ".0 ]")
                    .json();
            files[i] = file("r" + i + ".json", json);
        }
        RunFolder folder =
                imported(Stream.concat(Stream.of("omb"), Stream.of(files)).toArray(String[]::new));
        assertThat(folder.trials()).hasSize(4);
        assertThat(folder.trials().get(3).result().repeat()).isEqualTo(4);
        assertThat(folder.trials().get(3).result().figures().ackedPerSecond()).isEqualTo(50_003);
        assertThat(folder.trials().get(3).caveats().stream().map(Caveat::trial)).containsOnly(4);
        assertThat(folder.path().resolve("source-4.json")).exists();

        String other = file(
                "other.json", OmbResults.kafka().with("driver", "\"Pulsar\"").json());
        weir("import", "omb", files[0], other)
                .refused("other.json' has another tool or load than '" + files[0] + "'; import it separately");
    }

    @Test
    void perfOutputIsNamedAfterItsFileAndHidesSecrets() throws IOException {
        RunFolder folder = imported("perf", file("My producer.log", "+ sasl password=hunter22-secret\n" + PRODUCER));
        assertThat(folder.name()).isEqualTo("imported-my-producer");
        assertThat(folder.machine().tool()).isEqualTo("kafka-producer-perf-test");
        assertThat(folder.path().resolve("source-1.txt"))
                .content()
                .contains(PRODUCER)
                .doesNotContain("hunter22");
        assertThat(weir("report", "imported-my-producer").out()).contains("8,192/s", "service p50", "38.0 ms");
    }

    @Test
    @NeedsFeature
    void publishRefusesAnImportedRun() throws IOException {
        RunFolder folder = omb();
        Shell.weir(
                        "publish",
                        folder.path().toString(),
                        "--to",
                        dir.resolve("out").toString())
                .refused("is a result of OpenMessaging Benchmark, so weir verify cannot compute its figures again");
        assertThat(dir.resolve("out")).doesNotExist();
    }

    @Test
    void sourceThatIsNoResultIsOneLineAndWritesNothing() throws IOException {
        String whole = OmbResults.kafka().json();
        refused("omb", "cut.json", whole.substring(0, whole.length() / 2), "cut.json' (line ");
        refused(
                "omb",
                "other.json",
                "{ \"metrics\": [1] }",
                "other.json' is not a result of OpenMessaging Benchmark: it has no key 'publishRate'");
        refused(
                "omb",
                "bad.json",
                OmbResults.kafka().with("publishRate", "[]").json().replace("consume", "x"),
                "bad.json' has no result: publishRate and consumeRate are 0, so nothing was measured");
        refused(
                "perf",
                "cut.log",
                PRODUCER.substring(0, 90),
                "cut.log' has no result: no summary line of kafka-producer-perf-test");
        weir("import", "perf", dir.resolve("none.log").toString())
                .refused("the command must begin with a tool of Kafka, one of");
        weir("import", "omb", file("r.json", whole), "--out", "x.yaml")
                .refused("--out: '" + dir.resolve("r.json")
                        + "' is a result, which becomes a run below --runs; remove --out");
        nothingWritten();
    }

    @Test
    void cutResultAtAnyPlaceIsOneLine() throws IOException {
        String whole = OmbResults.kafka().json();
        for (int end = 1; end < whole.length() - 1; end += 97) {
            refused("omb", "cut.json", whole.substring(0, end), "");
        }
        nothingWritten();
    }

    @Test
    void existingFolderIsKept() throws IOException {
        DateTimeFormatter time =
                DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
        Path runs = Files.createDirectories(dir.resolve("runs"));
        Instant now = Instant.now();
        for (int second = 0; second < 60; second++) {
            Files.createDirectory(runs.resolve(time.format(now.plus(second, ChronoUnit.SECONDS)) + "-" + NAME));
        }
        refused("omb", "r.json", OmbResults.kafka().json(), ": exists; run the command again");
        assertThat(runs.toFile().list()).hasSize(60);
    }
}
