package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.plan.Golden;
import weir.report.block.HtmlBlocks;
import weir.results.RunFolder;
import weir.results.Trials;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.TrialResult;

/** The sections of trials, steps, hosts and the stages of requests, with runs that show them. */
class SectionsTest {
    @TempDir
    Path dir;

    @Test
    void pauseColumnShowsTheLongerOfGcAndSafepoint() {
        String text = Contradictions.text(
                HtmlReport.of(new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000, 20_000}, 12).write()));
        assertThat(text)
                .as("of the collector it is 2.1 ms")
                .containsPattern("a 1 \\|.*\\| 5.14 ms \\|")
                .as("three in each of 24 seconds")
                .containsPattern("client \\| producer.record-retry-total \\| 72 ");
    }

    @Test
    void aSpreadOfLowerBoundsIsMarked() {
        SyntheticRun run = new SyntheticRun(dir, List.of("a"), 2, new double[] {10_000}, 3);
        assertThat(Contradictions.text(HtmlReport.of(run.write())))
                .containsPattern("a, spread \\|  \\| [0-9.]+ – [0-9.]+ ms, [0-9.]+×");
        assertThat(Contradictions.text(HtmlReport.of(run.neverEnded().write())))
                .containsPattern("a, spread \\|  \\| ≥ [0-9.]+ – ≥ [0-9.]+ ms \\|");
    }

    @Test
    void undrainedStepShowsItsUnsentCount() {
        TrialResult calm = Trials.stepped("a", 1, new double[][] {{100, 100, 2}});
        assertThat(LoadCurveSection.drained(Trials.unsent(calm, 40).steps())).isEqualTo("never: 40 unsent");
        assertThat(LoadCurveSection.drained(calm.steps())).as("not known").isEqualTo("–");
    }

    private String ledger(int trials) throws IOException {
        RunFolder folder = new SyntheticRun(dir, List.of("a", "b"), 1, new double[] {10_000}, 3).write();
        for (int trial = 0; trial < trials; trial++) {
            Files.writeString(
                    folder.trials().get(trial).path().resolve("events.csv"),
                    "3,note,\"the gateway answers early, so acked means taken by the gateway\"\n",
                    StandardOpenOption.APPEND);
        }
        return HtmlBlocks.of(TrialTables.ledger(RunView.of(folder))).toString();
    }

    @Test
    void ackedHasTheMeaningThatTheEngineGivesIt() throws IOException {
        assertThat(ledger(2)).contains(">taken by the gateway<").doesNotContain("acknowledged by Kafka");
    }

    @Test
    void aMeaningOfOneTrialNamesIt() throws IOException {
        assertThat(ledger(1)).contains(">taken by the gateway (a 1), acknowledged by Kafka<");
    }

    private SyntheticRun run() {
        return new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 6);
    }

    @Test
    @NeedsFeature("waterfall")
    void aRowAHost() {
        RunFolder folder = run().placed("rack-7", "10.0.0.12").write();
        Golden.assertSame(
                "src/test/resources/weir/report/hosts.out",
                TextReport.of(folder).replace(dir.toString(), "runs"));
        assertThat(HtmlReport.of(folder))
                .contains("Hosts in each trial", ">rack-7<", ">10.0.0.12<", "± 1.09 ms", ">21.0.5<");
    }

    @Test
    void singleMachineHasNoHostTable() {
        RunFolder folder = run().write();
        assertThat(HtmlReport.of(folder)).doesNotContain("Hosts in each trial");
        assertThat(TextReport.of(folder)).doesNotContain("clock error");
    }

    @Test
    void theNameOfAHostIsOnlyText() {
        RunFolder folder = run().placed("<script>x</script>", "\u001B[2Jb").write();
        assertThat(HtmlReport.of(folder))
                .doesNotContain("<script>x", "\u001B")
                .contains("&lt;script&gt;x&lt;/script&gt;");
        assertThat(TextReport.of(folder)).doesNotContain("\u001B").contains("\\u001B[2Jb");
    }

    private SyntheticRun run(String variant) {
        return new SyntheticRun(dir, List.of(variant), 1, new double[] {10_000, 20_000, 30_000}, 12);
    }

    @Test
    @NeedsFeature("waterfall")
    void theSecondsOfAPauseAreTheSlowestAndItsStageIsNamed() {
        String html = HtmlReport.of(run("a").write());
        assertThat(html)
                .contains("Where the mean response goes", "id=\"t-brokers\"", "id=\"t-stages-0\"", "id=\"t-slow\"")
                // A pause of 60 ms is in one of the six slowest seconds, a tenth of each step, rounded up.
                .containsPattern("longer in the brokers: [0-9.]+ ms request queue")
                .doesNotContain("report no means");
        assertThat(TextReport.of(run("b").write())).containsPattern("b, mean response [0-9.]+ ms");
    }

    @Test
    @NeedsFeature("waterfall")
    void stageChartIsReplacedByAHintWithoutMeans() {
        assertThat(HtmlReport.of(run("a").withoutMeans().write()))
                .contains("must also export the attribute Mean of kafka.network:type=RequestMetrics", "p99 by Kafka")
                .doesNotContain("id=\"t-stages-0\"", "id=\"t-slow\"", "remote: replication");
    }

    @Test
    @NeedsFeature("waterfall")
    void fetchStagesNameTheSecondsOfTheirSamples() throws IOException {
        RunFolder run = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 12).write();
        Path probes = run.trials().get(0).path().resolve("probes.csv");
        for (int second = 4; second < 20; second += 5) {
            String fetches = second + ",broker-1,request.fetch.consumer.count,100\n";
            Files.writeString(probes, fetches, StandardOpenOption.APPEND);
        }
        assertThat(Contradictions.text(HtmlReport.of(run)))
                .as("of the seconds 5 to 17, looked at every five seconds")
                .contains("fetch of a consumer | mean | 200 (seconds 5 to 15) |");
    }

    @Test
    void theNameOfAVariantIsOnlyText() {
        assertThat(HtmlReport.of(run("<script>x</script>").write())).doesNotContain("<script>x</script>");
    }

    @Test
    void noSecondOfASoakIsTakenForTheOneBefore() {
        WindowRow row = WindowRows.of(100_801, 2, 10, 10, 0, 10, Map.of(), 0, 0);
        assertThat(TimeChart.second(1, "a 1", row, List.of(), List.of())).contains("\"x\":100801,");
    }
}
