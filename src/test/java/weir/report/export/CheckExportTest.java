package weir.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import weir.measure.Latency;
import weir.plan.Golden;
import weir.plan.RecordKeys;
import weir.plan.syntax.CaveatType;
import weir.report.SyntheticRun;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;
import weir.results.value.StepResult;

class CheckExportTest {
    private static final ExpectResult PASSED = new ExpectResult("lost == 0", "passed", 0.0, null, null, "0", "");

    private static final ExpectResult FAILED =
            new ExpectResult("response p99 < 50ms & \"more\"", "failed", 60.0, null, null, "60.0 ms", "");

    private static final ExpectResult UNDECIDED =
            new ExpectResult("response p99 of a / b < 1", "undecided", 1.0, 0.9, 1.1, "1.00×", "both\nsides\u0001");

    @TempDir
    Path dir;

    @TempDir
    Path root;

    private static RunResult result(int exit, List<Caveat> caveats, ExpectResult... expect) {
        return RecordKeys.with(
                RunResult.NONE,
                Map.of(
                        "name",
                        "night<ly>",
                        "run",
                        "runs/x",
                        "valid",
                        caveats.isEmpty(),
                        "exit",
                        exit,
                        "caveats",
                        caveats,
                        "expect",
                        List.of(expect),
                        "conclusion.answer",
                        "Sustains 5/s,\n::error::not a command; 100% sure.",
                        "conclusion.losses",
                        List.of("3 lost.")));
    }

    private static Element parsed(RunResult result) throws Exception {
        byte[] xml = CheckExport.of(result).junit().getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml))
                .getDocumentElement();
    }

    @Test
    void junitCountsWhatFailedAndWhatCouldNotBeJudged() throws Exception {
        Caveat late = new Caveat("generator-late", CaveatType.Level.INVALID, "at 5/s <late>", "", "", 1);
        Element suites = parsed(result(4, List.of(late), PASSED, FAILED, UNDECIDED));
        assertThat(suites.getTagName()).isEqualTo("testsuites");
        assertThat(suites.getAttribute("tests")).isEqualTo("4");
        assertThat(suites.getAttribute("failures")).isEqualTo("2");
        assertThat(suites.getAttribute("errors")).isEqualTo("1");
        Element failure = (Element) suites.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("failed: 60.0 ms");
        assertThat(((Element) failure.getParentNode()).getAttribute("name"))
                .isEqualTo("response p99 < 50ms & \"more\"");
        Element error = (Element) suites.getElementsByTagName("error").item(0);
        assertThat(error.getTextContent()).isEqualTo("generator-late: at 5/s <late>");
    }

    @Test
    void junitReportsBrokenPromisesAndUnfinishedRuns() throws Exception {
        assertThat(parsed(result(5, List.of(), PASSED)).getAttribute("failures"))
                .isEqualTo("1");
        assertThat(parsed(result(1, List.of(), PASSED)).getAttribute("errors")).isEqualTo("1");
        assertThat(parsed(result(0, List.of(), PASSED)).getAttribute("failures"))
                .isEqualTo("0");
    }

    @Test
    void githubGetsALineForEachFailureAndOneForTheAnswer() {
        assertThat(CheckExport.of(result(99, List.of(), PASSED, FAILED, UNDECIDED))
                        .github())
                .containsExactly(
                        "::error title=weir night<ly>::response p99 < 50ms & \"more\" – failed: 60.0 ms",
                        "::error title=weir night<ly>::response p99 of a / b < 1 – undecided: 1.00×; both%0Asides\u0001",
                        "::notice title=weir night<ly>::Sustains 5/s,%0A::error::not a command; 100%25 sure.");
    }

    private RunFolder run() {
        return new SyntheticRun(dir, List.of("direct"), 2, new double[] {1000, 2000}, 4).write();
    }

    private static List<double[]> points(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.split(",", -1))
                .map(cells -> new double[] {Double.parseDouble(cells[0]), Double.parseDouble(cells[1])})
                .toList();
    }

    @Test
    void filesAreNamedAndWrittenAsThere() throws IOException {
        Path into = dir.resolve("knative");
        KnativeFiles.write(run(), into);
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(into)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                List<String> lines = Files.readAllLines(file);
                all.append(into.relativize(file))
                        .append(": ")
                        .append(lines.size())
                        .append(" lines\n");
                lines.stream()
                        .limit(3)
                        .forEach(line -> all.append("  ").append(line).append('\n'));
            }
        }
        Golden.assertSame("src/test/resources/weir/report/knative.txt", all.toString());
    }

    @Test
    void throughputIsThatOfEachSecondAndRestsAreLeftOut() throws IOException {
        RunFolder run = run();
        KnativeFiles.write(run, dir.resolve("knative"));
        TrialFolder trial = run.trials().get(0);
        double start = trial.result().steps().get(0).from();
        double[] sent = trial.windows().stream()
                .filter(row -> row.second() >= Math.floor(start) && row.due() + row.sent() + row.received() > 0)
                .mapToDouble(row -> row.sent() / row.seconds())
                .toArray();
        List<double[]> points = points(dir.resolve("knative/run-1/direct/send-throughput.csv"));
        assertThat(points).hasSize(sent.length);
        for (int i = 0; i < sent.length; i++) {
            assertThat(points.get(i)[1]).isEqualTo(sent[i]);
        }
    }

    @Test
    void theLastCumulativePercentileIsThatOfAllSteps() throws IOException {
        RunFolder run = run();
        KnativeFiles.write(run, dir.resolve("knative"));
        TrialFolder trial = run.trials().get(0);
        Latency all = Latency.sum(List.of());
        long seconds = 0;
        for (StepResult step : trial.result().steps()) {
            all = all.plus(Objects.requireNonNull(trial.latencies().get("service@" + step.step())));
            seconds += Math.round(step.seconds());
        }
        List<double[]> line = points(dir.resolve("knative/run-1/direct/p99-publish-latency.csv"));
        assertThat(line).hasSizeGreaterThanOrEqualTo((int) seconds);
        assertThat(line.get((int) seconds - 1)[1]).isCloseTo(all.millis(99), offset(1e-5));
        List<double[]> points = points(dir.resolve("knative/run-1/direct/points-publish-latency.csv"));
        assertThat(points.size()).isGreaterThanOrEqualTo((int) all.count());
        assertThat(points.get(0)[0]).isBetween(1e12, 1e13);
        assertThat(points).isSortedAccordingTo(Comparator.comparingDouble(point -> point[0]));
    }

    @Test
    void operationsOfAllTrialsAreSortedIntoOneFileWithTheirPercentiles() throws Exception {
        RunFolder run = new SyntheticRun(root, List.of("a"), 2, new double[] {1_000}, 5).write();
        long next = 200;
        for (Path trial :
                List.of(run.trials().get(0).path(), run.trials().get(1).path())) {
            StringBuilder lines = new StringBuilder("nanoseconds\n");
            for (int i = 0; i < 100; i++) {
                lines.append(next--).append('\n');
            }
            Files.writeString(trial.resolve("operations.csv"), lines);
        }
        List<String> told = QuantileFiles.write(run, root.resolve("out"));
        assertThat(told)
                .containsExactly(
                        "a: 200 operations of 2 trials, in " + root.resolve("out/a.ns"),
                        "min: 1ns",
                        "p50: 100ns",
                        "p99: 198ns",
                        "max: 200ns");
        assertThat(Files.readAllLines(root.resolve("out/a.ns")))
                .hasSize(200)
                .startsWith("1", "2", "3")
                .endsWith("199", "200");
    }

    @Test
    void quantileFilesFallBackToHistograms() {
        RunFolder run = new SyntheticRun(root, List.of("a"), 1, new double[] {1_000}, 5).write();
        List<String> told = QuantileFiles.write(run, root.resolve("out"));
        assertThat(told.get(0)).contains("from histograms (within 0.1 %)");
        assertThat(told).hasSize(5);
        assertThat(root.resolve("out/a.ns")).doesNotExist();
    }
}
