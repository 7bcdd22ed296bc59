package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.RecordKeys;
import weir.report.Contradictions;
import weir.report.HtmlReport;
import weir.report.SyntheticRun;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.ComparisonResult.PublishedRatio;
import weir.results.value.OverheadResult;

/** The report sections about ratios of durations and about the cost of a transaction. */
class CostOfTransactionsTest {
    @TempDir
    Path dir;

    private RunFolder folder;

    @BeforeEach
    void run() {
        folder = new SyntheticRun(dir, List.of("<tx>", "none"), 1, new double[] {10_000}, 3).write();
    }

    private String html(List<OverheadResult> overheads, List<FitResult> fits) {
        RunResult plain = folder.result().orElseThrow();
        folder.conclude(RecordKeys.with(plain, Map.of("overheads", overheads, "models", Map.of("fits", fits))));
        return HtmlReport.of(folder);
    }

    private static OverheadResult overhead(String stat, boolean pooled, boolean thin, List<PublishedRatio> published) {
        @Nullable Double low = pooled ? null : 5.37;
        @Nullable Double high = pooled ? null : 10.8;
        return new OverheadResult("<tx>", "none", stat, 74.6, 9.5, 7.63, low, high, pooled, thin, List.of(), published);
    }

    @Test
    void overheadTableShowsPublishedRatios() {
        List<PublishedRatio> published = List.of(new PublishedRatio("a lab & more", 31));
        String html = html(
                List.of(overhead("p50", false, false, published), overhead("p99", true, true, List.of())), List.of());
        assertThat(html)
                .contains("7.63× [5.37×, 10.8×]")
                .contains("published: a lab &amp; more</th>")
                .containsPattern("(?s)id=\"t-overhead-0\".*>p50<.*>31×<.*>p99<.*>pooled, thin<.*>7.63×<.*>–<.*</table>")
                .contains("&lt;tx&gt;")
                .doesNotContain("<tx>");
    }

    @Test
    void boundsOfUnfinishedOperationsAreMarkedInTableAndChart() {
        folder = new SyntheticRun(dir.resolve("never"), List.of("<tx>", "none"), 1, new double[] {10_000}, 3)
                .neverEnded()
                .write();
        OverheadResult bound = new OverheadResult(
                "<tx>", "none", "max", 74.6, 9.5, null, null, null, false, false, List.of("<tx>", "none"), List.of());
        String html = Contradictions.text(html(List.of(bound), List.of()));
        assertThat(html)
                .contains("max |  | ≥ 74.6 ms | ≥ 9.50 ms | – |", "the longest times are lower bounds")
                .containsPattern("p50 \\| [0-9.]+ ms \\| [0-9.]+ ms \\| [0-9.]+×")
                .containsPattern("p99 \\| ≥ [0-9.]+ ms \\| ≥ [0-9.]+ ms \\| – \\|");
    }

    @Test
    void bothPanelsOfLatencyByQuantileAreDrawnFromTheTrials() {
        String html = html(List.of(overhead("p50", false, false, List.of())), List.of());
        assertThat(html).contains("Latency by quantile: &lt;tx&gt; and none", " on its own scale");
        assertThat(html.split("aria-describedby=\"t-quantiles-0\"", -1)).hasSize(3);
    }

    @Test
    void modelShowsItsTermsAndItsBadCells() {
        FitResult fit = new FitResult(
                "transaction",
                List.of("load.transaction.records", "topics.t.partitions"),
                0.1,
                List.of(
                        new FitResult.Term("by itself", 10, 9.0, 11.0),
                        new FitResult.Term("extra bytes in each record", 0.02, 0.01, 0.03),
                        new FitResult.Term("for each partition", 1.5, null, null)),
                List.of(
                        new FitResult.Cell(List.of(1.0, 1.0), 4, 11.5, 11.52),
                        new FitResult.Cell(List.of(100.0, 50.0), 4, 120, 87)),
                List.of(
                        new FitResult.Smallest(List.of(1.0), 40_000.0, 30_000.0, 50_000.0, true),
                        new FitResult.Smallest(List.of(50.0), 42_500.0, 30_000.0, 60_000.0, true)),
                0.93,
                "");
        assertThat(html(List.of(), List.of(fit)))
                .contains("A transaction costs 10 ms [9, 11], and 0.02")
                .contains("The model misses the measured cost by more than 20 % in 1 of 2 cells.")
                .contains("Cost of a transaction (R")
                .containsPattern(
                        "(?s)id=\"t-smallest-0\".*>50<.*>42,500<.*>.30,000, 60,000.<.*>beyond the measured sizes<")
                .contains("With 50 partitions, a transaction needs 42,500 [30,000, 60,000] records")
                .contains("1.5 ms</td>")
                .containsPattern("(?s)id=\"t-fit-0\".*>120 ms<.*>\\+37.9 %<.*>bad<")
                .contains("100 / 50: +37.9 %</title>")
                .containsPattern("<g class=\"name c2\"><text[^>]*>100 / 50</text>");
    }

    @Test
    void missingModelShowsItsReason() {
        FitResult none = new FitResult(
                "commit",
                List.of("load.producers"),
                0.1,
                List.of(),
                List.of(),
                List.of(),
                null,
                "two cells <of> three");
        assertThat(html(List.of(), List.of(none)))
                .contains("No model of the cost of a transaction: two cells &lt;of&gt; three.")
                .doesNotContain("t-terms-0");
    }
}
