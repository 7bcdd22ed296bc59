package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.plan.Golden;
import weir.results.RunFolder;

class TextReportTest {
    @TempDir
    Path dir;

    private String text(RunFolder folder) {
        return TextReport.of(folder).replace(dir.toString(), "runs");
    }

    @Test
    @NeedsFeature("waterfall")
    void stepsOfTwoVariants() {
        Golden.assertSame(
                "src/test/resources/weir/report/steps.out",
                text(SyntheticRun.loadCurve(dir).write()));
    }

    @Test
    @NeedsFeature("waterfall")
    void repeatsOfOneRate() {
        RunFolder folder = new SyntheticRun(dir, List.of("old", "new"), 4, new double[] {10_000}, 6).write();
        Golden.assertSame("src/test/resources/weir/report/repeats.out", text(folder));
    }

    @Test
    void textReportOfManyStepsHasAtMostThirtyLines() {
        double[] rates = new double[20];
        Arrays.setAll(rates, i -> i + 1);
        RunFolder folder = new SyntheticRun(dir, List.of("a"), 1, rates, 2).write();
        assertThat(text(folder).lines()).hasSizeLessThanOrEqualTo(30);
        assertThat(text(folder)).contains("  … 8 more rows in the report", "report.html");
    }

    @Test
    void missingRowsLossesAndLinesAreCounted() {
        List<String> many = IntStream.rangeClosed(1, 15).mapToObj(i -> "v" + i).toList();
        RunFolder folder = new SyntheticRun(dir, many, 1, new double[] {10_000, 60_000, 70_000}, 2).write();
        assertThat(text(folder))
                .contains("  … 3 more rows in the report")
                .containsPattern("  … \\d+ more lines in the report");
        assertThat(text(folder).lines()).hasSizeLessThanOrEqualTo(30);
    }

    @Test
    void killedTrialIsNotReportedAsSustained() {
        RunFolder folder = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 6)
                .killed()
                .write();
        assertThat(text(folder))
                .startsWith("Unfinished, so there is no answer: acked ")
                .contains("doubt interrupted: the trial did not finish")
                .doesNotContain("ustains ", "sustained");
    }

    @Test
    void runningTrialIsNotReportedAsInterrupted() {
        RunFolder folder = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 6)
                .killed()
                .write();
        assertThat(TextReport.of(folder, true)).startsWith("So far: ").doesNotContain("interrupted");
        assertThat(Contradictions.text(Page.of(HtmlReport.contents(RunView.of(folder, true)))))
                .doesNotContain("did not finish");
    }

    @Test
    void valuesOfManyVariantsListTheirVariants() {
        RunFolder folder =
                new SyntheticRun(dir, List.of("a", "b", "c", "d", "e", "f"), 1, new double[] {10_000}, 2).write();
        assertThat(text(folder)).contains("producer compression.type  a (a), b (b), c (c), d (d) and 2 more values");
        assertThat(ConfigurationSection.grouped(
                        List.of("0", "0", "0", "0", "5", "5"), List.of("a", "b", "c", "d", "e", "f")))
                .isEqualTo("0 (4 variants), 5 (e, f)");
    }

    @Test
    void longValuesAreShortenedInTheirCommonPart() {
        String alike = "x".repeat(50);
        assertThat(TextLines.apart(List.of(alike + "1", alike + "2", "x"), 20))
                .containsExactly("…xxxxx1", "…xxxxx2", "x");
        assertThat(TextLines.apart(List.of("1" + alike + "1", "1" + alike + "2", "2" + alike + "2"), 20))
                .as("no two look alike")
                .doesNotHaveDuplicates();
        assertThat(TextLines.apart(List.of("snappy", "lz4"), 20)).containsExactly("snappy", "lz4");
    }

    @Test
    void eachComparedPairHasItsFirstLineBeforeOtherMetrics() {
        RunFolder folder = new SyntheticRun(dir, List.of("none", "lz4", "zstd"), 4, new double[] {10_000}, 3)
                .comparing("lz4 / none", "zstd / none", "zstd / lz4")
                .write();
        assertThat(text(folder))
                .containsSubsequence(
                        "  lz4 / none, response p99: ",
                        "  zstd / none, response p99: ",
                        "  zstd / lz4, response p99: ",
                        " more comparisons in the report");
        assertThat(text(folder).lines()).allMatch(line -> line.length() <= 100 || line.contains("report:"));
    }

    @Test
    void headingsOfAWideTableWrap() {
        TextLines lines = new TextLines();
        String long1 = "response p99 during neighbour against quiet";
        String long2 = "response p99 during neighbour from stressed to quiet";
        lines.table(List.of(List.of("", long1, long2, "lost"), List.of("stressed", "1.78×, no verdict", "–", "0")), 3);
        assertThat(lines.text().lines().map(String::strip))
                .containsExactly(
                        "response p99",
                        "during",
                        "neighbour",
                        "response p99          from",
                        "during neighbour   stressed to",
                        "against quiet         quiet  lost",
                        "stressed  1.78×, no verdict             –     0");
        lines = new TextLines();
        lines.table(List.of(List.of("", long1, "lost"), List.of("stressed", "1.78×, no verdict", "0")), 3);
        assertThat(lines.text().lines()).hasSize(2);
    }

    @Test
    void namesCannotSteerTheTerminal() {
        RunFolder folder = new SyntheticRun(dir, List.of("\u001B[2Ja", "b"), 1, new double[] {10_000}, 2).write();
        assertThat(text(folder)).doesNotContain("\u001B").contains("\\u001B[2Ja");
    }
}
