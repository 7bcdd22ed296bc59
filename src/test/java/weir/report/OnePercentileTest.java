package weir.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.judge.Responses;
import weir.judge.trial.TrialJudge;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Recorder;
import weir.measure.Steps;
import weir.plan.SyntheticTrial;
import weir.report.export.QuantileFiles;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.Trials;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.NumberFormat;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** One trial with responses of 1 ms, 2 ms and so on, in every place that states a percentile of them. */
class OnePercentileTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final Map<Double, String> PERCENTILES = Map.of(50.0, "p50", 90.0, "p90", 99.0, "p99", 99.9, "p99.9");

    @TempDir
    Path root;

    private RunFolder run() {
        return Trials.folder(root, NOON, Trials.asked("x"));
    }

    private static TrialResult measured(RunFolder run, int count) {
        TrialWriter writer = run.trial(SyntheticTrial.of(1, "a", 1), NOON);
        writer.conditions(TrialConditions.NONE);
        HistogramLog log = new HistogramLog(writer.latency(), NOON.toEpochMilli());
        Recorder recorder = new Recorder(0, 2_000 * SECOND, Steps.MEASURE, window -> {
            log.write(window, Steps.WHOLE, (double) window.index(), window.index() + 1.0);
            writer.counts(window, Steps.WHOLE);
            writer.operations(window.all().singles().values());
            WindowRow.Spread response = WindowRow.Spread.of(window.all().latency(LatencyKind.RESPONSE));
            writer.window(WindowRows.of(0, 2, count, count, 0, count, Map.of(LatencyKind.RESPONSE, response), 0, 0));
        });
        for (int i = count; i >= 1; i--) {
            recorder.due(Steps.MEASURE, 0, 1);
            recorder.sent(Steps.MEASURE, 1, 1, 0, 0, 0, 0, 1);
            recorder.acked(Steps.MEASURE, 1, 1, 0, 0, i * MILLI, 1);
            recorder.ackedDuring(Steps.MEASURE, 1, 1, i * MILLI, 1);
        }
        recorder.close();
        Balance all = Balances.of("due $1, sent $2, acked $3", count, count, count);
        TrialEnd end = Trials.end(1, all, new TrialEnd.Step(2, "1/s", 0, 1, 1, all));
        TrialJudge judge = new TrialJudge(writer.end(end));
        judge.spectrum(writer);
        TrialResult result = judge.judged().result();
        writer.finish(result, List.of());
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 99, 100, 101, 299, 300, 301})
    void everyPlaceStatesTheValueOfTheSameRank(int count) throws Exception {
        RunFolder run = run();
        TrialResult result = measured(run, count);
        TrialFolder trial = run.trials().get(0);
        Responses single = Responses.of(trial);
        assertThat(single.exact()).isTrue();
        Latency histogram = Objects.requireNonNull(trial.latencies().get("response@2"));
        List<String> told = QuantileFiles.write(run, root.resolve("quantiles"));
        String html = HtmlReport.of(run);
        String spectrum = html.substring(Math.max(0, html.indexOf("<section id=\"spectrum\"")));
        PERCENTILES.forEach((percentile, name) -> {
            int rank = (int) Math.ceil(Math.round(percentile * count * 10) / 1_000.0);
            Percentage hair = Percentage.withPercentage(0.1);
            assertThat(single.millis(percentile)).as("operations, %s", name).isEqualTo(rank);
            assertThat(histogram.millis(percentile))
                    .as("latency.hlog, %s", name)
                    .isCloseTo(rank, hair);
            assertThat(result.figures().response().at(percentile))
                    .as("trial.json, %s", name)
                    .isEqualTo(histogram.millis(percentile));
            trial.spectrum().stream()
                    .filter(point -> point.latency().equals("response@2") && point.percentile() == percentile)
                    .forEach(point -> assertThat(point.milliseconds())
                            .as("spectrum.csv, %s", name)
                            .isCloseTo(rank, hair));
            if (count > 1 && percentile != 90.0) {
                assertThat(spectrum)
                        .as("spectrum of the report, %s", name)
                        .containsPattern(">" + name + "</t[hd]><td[^>]*>"
                                + Pattern.quote(
                                        NumberFormat.latency(result.figures().response(), percentile)) + "<");
            }
        });
        WindowRow.Spread window = trial.windows().get(0).response();
        assertThat(window.p99()).as("windows.csv").isCloseTo(histogram.millis(99), within(1e-3));
        assertThat(window.p999()).isCloseTo(histogram.millis(99.9), within(1e-3));
        assertThat(told)
                .contains(
                        "p50: " + (long) (single.millis(50) * MILLI) + "ns",
                        "p99: " + (long) (single.millis(99) * MILLI) + "ns");
    }
}
