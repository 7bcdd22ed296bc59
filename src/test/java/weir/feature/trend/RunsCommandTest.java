package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import weir.cli.Shell;
import weir.plan.Golden;
import weir.report.export.CheckExport;
import weir.results.GateOutcome;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.StoredRun;

class RunsCommandTest {
    @TempDir
    private Path root;

    private final SyntheticHistory history = new SyntheticHistory();

    private Shell runs(String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("runs", "--runs", root.resolve("runs").toString()));
        all.addAll(List.of(arguments));
        return Shell.weir(all.toArray(String[]::new));
    }

    private String kept() {
        Path folder = root.resolve("history");
        history.runs().forEach(run -> History.keep(folder, run));
        return folder.toString();
    }

    private void slower() {
        history.nights(15)
                .setting("load.producer.linger.ms", "20")
                .level("response p99", 13.2)
                .nights(6);
    }

    @Test
    void trendOfAHistoryNeedsNoRunFolder() {
        slower();
        Shell shell = runs("--trend", "nightly", "--history", kept());
        assertThat(shell.exit()).isZero();
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out())
                .startsWith("nightly. 1 change of level in 1 series over 21 runs; the newest: base, response p99: +")
                .contains("since " + history.run(15) + ", worse")
                .contains("changed there: label commit 0abc00e → 0abc00f; setting load.producer.linger.ms 5 → 20");
    }

    @Test
    void gateSetsTheExitCode() {
        slower();
        String kept = kept();
        assertThat(runs("--trend", "nightly", "--history", kept, "--gate").exit())
                .isEqualTo(98);
        assertThat(runs("--trend", "nightly", "--history", kept, "--gate").out())
                .startsWith("nightly. A figure is worse than before.")
                .contains("to accept the change: --accept " + history.run(15));
        assertThat(runs("--trend", "nightly", "--history", kept, "--gate", "--accept", history.run(15))
                        .exit())
                .isZero();
    }

    @Test
    void runsOfTheFolderCountWithThoseOfTheHistory() throws IOException {
        for (int night = 1; night <= 3; night++) {
            RunFolder folder = new StoredRun(root.resolve("runs"), "x")
                    .variant("base", 10, 10.1)
                    .at(night)
                    .write();
            folder.labels(new RunLabels(new TreeMap<>(Map.of("commit", "c" + night))));
            TrendFeature.HistoryOptions options = CommandLine.populateCommand(
                    new TrendFeature.HistoryOptions(),
                    "--history",
                    root.resolve("history").toString());
            assertThat(options.keep(folder, new PrintWriter(Writer.nullWriter())))
                    .isTrue();
        }
        Files.delete(root.resolve("history").resolve(firstOf(root.resolve("history"))));
        Shell shell = runs("--trend", "x", "--history", root.resolve("history").toString());
        assertThat(shell.out()).startsWith("x. No change of level in ").contains(" over 3 runs.");
        assertThat(runs().out()).contains("[commit=c3]", "[commit=c1]");
    }

    private static Path firstOf(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.sorted().findFirst().orElseThrow().getFileName();
        }
    }

    @Test
    void jsonOutputIsOneObject() throws IOException {
        slower();
        Shell shell = runs("--trend", "nightly", "--history", kept(), "--gate", "--format", "json", "--out", "github");
        JsonNode object = new ObjectMapper().readTree(shell.out());
        assertThat(object.get("exit").asInt()).isEqualTo(98);
        assertThat(object.get("gate").get("outcome").asText()).isEqualTo("regression");
        JsonNode change = object.get("series").get(0).get("changes").get(0);
        assertThat(change.get("at").asInt()).isEqualTo(15);
        assertThat(object.get("runs").get(15).get("run").asText()).isEqualTo(history.run(15));
        assertThat(shell.err()).startsWith("::error title=weir trend nightly::base, response p99 ");
    }

    @Test
    void trendIsWrittenAsHtmlAndJunitFiles() throws IOException {
        slower();
        Path html = root.resolve("trend.html");
        Path junit = root.resolve("trend.xml");
        runs("--trend", "nightly", "--history", kept(), "--gate", "--out", "html=" + html, "--out", "junit=" + junit);
        assertThat(Files.readString(html)).contains("Content-Security-Policy", "t-changes", history.run(15));
        assertThat(Files.readString(junit)).contains("failures=\"1\"", "weir.trend.nightly");
    }

    @Test
    void damagedFileIsReportedAndOthersAreShown() throws IOException {
        history.nights(12);
        Path folder = Path.of(kept());
        Path first = folder.resolve(firstOf(folder));
        Files.writeString(first, "x");
        Shell shell = runs("--trend", "nightly", "--history", folder.toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.out()).contains("over 11 runs");
        assertThat(shell.err()).hasLineCount(1).contains(first.toString());
        // The damaged run may be the newest one, so the gate cannot be open.
        assertThat(runs("--trend", "nightly", "--history", folder.toString(), "--gate")
                        .exit())
                .isEqualTo(4);
    }

    @Test
    void regressionIsReportedDespiteADamagedFile() throws IOException {
        slower();
        Path folder = Path.of(kept());
        Files.writeString(folder.resolve(firstOf(folder)), "x");
        Shell shell = runs("--trend", "nightly", "--history", folder.toString(), "--gate", "--format", "json");
        assertThat(shell.exit()).isEqualTo(98);
        assertThat(new ObjectMapper().readTree(shell.out()).get("exit").asInt()).isEqualTo(98);
    }

    @Test
    void failedHistoryWriteIsReportedAndKeepsTheRun() throws IOException {
        RunFolder folder =
                new StoredRun(root.resolve("runs"), "x").variant("base", 10).write();
        Path file = Files.writeString(root.resolve("file"), "");
        TrendFeature.HistoryOptions options = CommandLine.populateCommand(
                new TrendFeature.HistoryOptions(),
                "--history",
                file.resolve("below").toString());
        StringWriter err = new StringWriter();
        assertThat(options.keep(folder, new PrintWriter(err, true))).isFalse();
        assertThat(err.toString()).hasLineCount(1).startsWith("cannot write the summary of the run for trends: ");
        assertThat(folder.summary()).exists();
    }

    @Test
    void missingTrendPrintsOneLineAndExitsWithCode2() throws IOException {
        history.nights(3);
        String kept = kept();
        Path other = Files.createDirectory(root.resolve("other"));
        Files.writeString(other.resolve("pom.xml"), "");
        for (String[] wrong : new String[][] {
            {"--trend", "nighty", "--history", kept},
            {"--trend", "nightly"},
            {"--trend", "x", "--history", kept},
            {"--trend", "nightly", "--history", other.toString()},
            {"--trend", "nightly", "--history", root.resolve("none").toString()},
            {"--trend", "nightly", "--history", kept, "--metric", "response p98"},
            {"--trend", "nightly", "--history", kept, "--accept", history.run(1)},
            {"--trend", "nightly", "--history", kept, "--gate", "--accept", "tuesday"},
            {"--trend", "nightly", "--history", kept, "--out", "knative=" + root.resolve("k")},
            {"--trend", "nightly", "--history", kept, "--out", "quantiles=" + root.resolve("q")},
            {"--gate"},
            {"--accept", history.run(1)},
            {"--metric", "response p99"},
            {"--history", kept},
            {"--out", "junit=" + root.resolve("x.xml")}
        }) {
            Shell shell = runs(wrong);
            assertThat(shell.exit()).as(String.join(" ", wrong)).isEqualTo(2);
            assertThat(shell.err()).as(String.join(" ", wrong)).hasLineCount(1).doesNotContain("Exception");
            assertThat(shell.out()).isEmpty();
        }
        assertThat(runs("--trend", "nighty", "--history", kept).err()).contains("did you mean 'nightly'?");
        assertThat(runs("--trend", "x", "--history", kept).err()).contains("nightly");
    }

    @Test
    void unusableLabelOrHistoryIsRefusedBeforeTheRun() throws IOException {
        Path experiment = Files.writeString(
                root.resolve("x.yaml"),
                "name: x\nquestion: is it?\nload: { workload: produce, rate: 5/s }\nmeasure: 1s\n");
        Path other = Files.createDirectory(root.resolve("other"));
        Files.writeString(other.resolve("pom.xml"), "");
        for (String[] wrong : new String[][] {
            {"--label", "commit="},
            {"--label", "commit"},
            {"--label", "my commit=4f2a91c"},
            {"--label", "commit=a\nb"},
            {"--history", other.toString()},
            {"--history", experiment.toString()},
            {"--history", experiment.resolve("below").toString()},
            {"--history", "/proc/weir-history"}
        }) {
            List<String> all = new ArrayList<>(List.of(
                    "run", experiment.toString(), "--runs", root.resolve("runs").toString()));
            all.addAll(List.of(wrong));
            Shell shell = Shell.weir(all.toArray(String[]::new));
            assertThat(shell.exit()).as(String.join(" ", wrong)).isEqualTo(2);
            assertThat(shell.err()).as(String.join(" ", wrong)).hasLineCount(1).doesNotContain("Exception");
            assertThat(root.resolve("runs")).doesNotExist();
        }
    }

    private static RunTrend.Series series(String metric) {
        return new RunTrend.Series("base", metric, true, false, List.of(), 1, List.of(), null, 0);
    }

    /** The name of a series may be the beginning of another name, or of a sentence about the runs. */
    @Test
    void trendReasonBelongsToItsSeries() {
        RunTrend.Gate gate = new RunTrend.Gate(
                "",
                GateOutcome.REGRESSION,
                List.of(
                        new RunTrend.Reason("base, e2e: p99", "+9 %"),
                        new RunTrend.Reason("", "base, e2e: is no file of a run")),
                "");
        RunTrend trend = new RunTrend(
                1,
                "x",
                new TreeMap<>(),
                List.of(),
                List.of(series("e2e"), series("e2e: p99")),
                List.of(),
                List.of(),
                gate,
                98);
        assertThat(RunsCommand.checks(trend).items())
                .containsExactly(
                        new CheckExport.Item("base, e2e", CheckExport.State.PASSED, "0 changes of level"),
                        new CheckExport.Item("base, e2e: p99", CheckExport.State.FAILED, "+9 %"),
                        new CheckExport.Item(
                                "the runs can be judged", CheckExport.State.FAILED, "base, e2e: is no file of a run"));
    }

    private String html(boolean gate) {
        return new TrendReport(TrendJudge.of("nightly", history.runs(), List.of(), List.of(), gate, "")).html("1");
    }

    private static Stream<String> all(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1));
    }

    @Test
    void textMatchesTheGoldenFile() {
        history.level("acked/s", 5000).fact("cpu.model", "Old 1").nights(2).fact("cpu.model", "Imaginary 9000");
        history.nights(15).level("response p99", 11).fact("kafka", "4.4.0").nights(8);
        history.level("response p99", 12.5)
                .setting("load.producer.linger.ms", "20")
                .nights(6);
        Golden.assertSame(
                "src/test/resources/weir/feature/trend/trend.txt",
                new TrendReport(TrendJudge.of("nightly", history.runs(), List.of(), List.of(), true, "")).text());
    }

    @Test
    void everySeriesHasAChartAndATableAndEveryLinkHasATarget() {
        history.level("acked/s", 5000)
                .level("CPU per record", 30)
                .nights(15)
                .level("response p99", 13)
                .nights(6);
        String html = html(true);
        assertThat(all("<svg class=\"plot\"[^>]*aria-describedby=\"([^\"]*)\"", html))
                .hasSize(3)
                .allSatisfy(table -> assertThat(html).contains("<table id=\"" + table + "\""));
        List<String> ids = all(" id=\"([^\"]*)\"", html).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(all("href=\"#([^\"]*)\"", html)).isNotEmpty().isSubsetOf(ids);
        assertThat(all("<h1>(.*?)</h1>", html).toList())
                .singleElement()
                .asString()
                .startsWith("A figure is worse");
        assertThat(html).contains("badge invalid", ">+8", "since " + history.run(15));
        assertThat(all("<dt>([^<]*)</dt>", html))
                .contains("changed there", "found after", "level", "since", "worse", "response")
                .doesNotContain("request queue", "ghosts", "broken", "self");
    }

    /** The newest level is in the chart, even if few runs have it. */
    @Test
    void everyLevelIsDrawnAtItsHeight() {
        history.nights(400).level("response p99", 18).nights(6);
        String html = html(false);
        List<String> heights = all("<path class=\"line level c2\" d=\"M[0-9.]+ ([0-9.]+)H", html)
                .toList();
        assertThat(heights).hasSize(2);
        // The top of the plot is at 34.
        assertThat(Double.parseDouble(heights.get(1))).isBetween(40.0, 100.0);
        assertThat(all("(class=\"beyond )", html)).isEmpty();
    }

    @Test
    void userTextIsEscaped() {
        history.nights(6).label("note", "<img src=x onerror=alert(1)>").nights(6);
        assertThat(html(false)).doesNotContain("<img").contains("&lt;img src=x");
    }

    @Test
    void manyRunsAreDrawnAsALineAndFewAsDots() {
        history.nights(40);
        assertThat(all("(<circle )", html(false))).hasSize(40);
        history.nights(260);
        assertThat(all("(<circle )", html(false))).isEmpty();
        assertThat(html(false)).contains("bound plain");
    }

    /** A page of that many runs must open at once. */
    @Test
    void pageOfAThousandRunsIsBelowTwoMegabytes() {
        history.level("acked/s", 5000).nights(1000);
        assertThat(html(true).length()).isLessThan(2_000_000);
    }
}
