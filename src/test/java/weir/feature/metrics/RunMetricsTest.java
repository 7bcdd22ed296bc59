package weir.feature.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.Broker;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Steps;
import weir.plan.Golden;
import weir.plan.RecordKeys;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.Trials;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.Event;

class RunMetricsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final Estimate ESTIMATE = new Estimate(1, Duration.ZERO, 1, 1, 1, true, 0);
    private static final Trial TRIAL = SyntheticTrial.of(1, "base", 1);

    private final RunMetrics metrics = new RunMetrics("9.9");

    @TempDir
    Path dir;

    private RunFolder folder() {
        RequestedExperiment asked = RecordKeys.with(Trials.asked("hello"), Map.of("weir", "9.9"));
        return Trials.folder(dir, Instant.parse("2026-01-01T00:00:00Z"), asked);
    }

    private String text() {
        return text(metrics);
    }

    private static String text(RunMetrics metrics) {
        return new String(MetricsHandler.Exposition.TEXT.part(new MetricSnapshots(metrics.snapshot())), UTF_8);
    }

    /** Adds two seconds of a trial: ten messages due in each second, of which the last one failed. */
    private void load(Trial trial, int step) {
        Recorder recorder =
                new Recorder(0, SECOND, Integer.MAX_VALUE, window -> metrics.window(trial, window.copy(), 0));
        for (int second = 0; second < 2; second++) {
            long due = second * SECOND;
            recorder.due(step, due, 10);
            recorder.sent(step, 10, 10, due, due + MILLI, due + 2 * MILLI, 0, 1_000);
            recorder.acked(step, 9, 9, due, due + MILLI, due + 7 * MILLI, 900);
            recorder.failed(step, 1, 1, due, due + MILLI, due + 9 * MILLI, 20 * MILLI);
            recorder.received(step, 9, due, due + 8 * MILLI, 900);
            recorder.tick(due + SECOND);
        }
        recorder.close();
    }

    @Test
    void metricsOfARunMatchTheGoldenFile() {
        RunFolder folder = folder();
        folder.labels(new RunLabels(new TreeMap<>(Map.of("commit", "4f2a91c", "branch", "main"))));
        metrics.started(folder.path(), ESTIMATE);
        metrics.trial(TRIAL, 4);
        metrics.tries(TRIAL, 5_000, "why");
        metrics.tried(TRIAL, new Attempt(1, 5_000, 10, Attempt.Outcome.REFUSED, "why"));
        metrics.event(TRIAL, new Event(0, Event.PHASE, "measure"));
        metrics.event(TRIAL, new Event(1, Event.DISTURBANCE, "crash: kill broker 2"));
        load(TRIAL, Steps.WARMUP);
        load(TRIAL, Steps.MEASURE);
        metrics.reading(TRIAL, new Reading(1, "generator", "cpu.cores", 0.5));
        metrics.reading(TRIAL, new Reading(1, "generator", "gc.pause.ms", 20));
        metrics.reading(TRIAL, new Reading(2, "generator", "gc.pause.ms", 30));
        metrics.reading(TRIAL, new Reading(2, "generator", "gc.pauses", 2));
        metrics.reading(TRIAL, new Reading(2, "broker-1", "cpu.cores", 7));
        metrics.caveat(Caveat.of(CaveatType.named("host-noisy"), 1, "evidence"));
        metrics.tries(TRIAL, 4_000, "why");
        Golden.assertSame("src/test/resources/weir/feature/metrics/run.txt", text());
    }

    @Test
    void aRunWithoutACommitHasNone() {
        metrics.started(folder().path(), ESTIMATE);
        assertThat(text()).contains("weir_run_info{experiment=\"hello\",run=\"20260101-000000-hello\"} 1");
    }

    @Test
    void countsOfTrialsOfAVariantAddUp() {
        metrics.trial(TRIAL, 2);
        load(TRIAL, Steps.MEASURE);
        metrics.trial(SyntheticTrial.of(2, "base", 2), 2);
        load(SyntheticTrial.of(2, "base", 2), Steps.MEASURE + 3);
        assertThat(text()).contains("weir_records_acked_total{phase=\"measure\",variant=\"base\"} 36.0");
    }

    @Test
    void windowsAreSummedByTheNextReader() {
        metrics.trial(TRIAL, 1);
        load(TRIAL, Steps.MEASURE);
        assertThat(metrics.waiting())
                .as("nothing is built on the way of a window")
                .isEqualTo(3);
        assertThat(text()).contains("weir_records_acked_total{phase=\"measure\",variant=\"base\"} 18.0");
        assertThat(metrics.waiting()).isZero();
        load(TRIAL, Steps.MEASURE);
        metrics.addUp();
        assertThat(metrics.waiting()).as("without a reader they do not pile up").isZero();
        assertThat(text()).contains("weir_records_acked_total{phase=\"measure\",variant=\"base\"} 36.0");
    }

    @Test
    void profiledTrialDoesNotCount() {
        metrics.trial(TRIAL, 1);
        load(TRIAL, Steps.MEASURE);
        Trial profiled = new Trial(1, TRIAL.variant(), 1, Trial.PROFILE);
        metrics.trial(profiled, 0);
        load(profiled, Steps.MEASURE);
        assertThat(text())
                .contains("weir_records_acked_total{phase=\"measure\",variant=\"base\"} 18.0")
                .contains("trial=\"profile-1\"");
    }

    @Test
    void counterExistsBeforeItsFirstRecord() {
        metrics.trial(TRIAL, 1);
        assertThat(text())
                .contains("weir_records_acked_total{phase=\"measure\",variant=\"base\"} 0.0")
                .contains("weir_response_seconds_count{phase=\"measure\",variant=\"base\"} 0");
    }

    @Test
    void disturbanceMetricIsActiveOnlyDuringTheDisturbance() {
        metrics.trial(TRIAL, 1);
        metrics.event(TRIAL, new Event(1, Event.DISTURBANCE, "crash: kill broker 2"));
        metrics.event(TRIAL, new Event(1, Event.DISTURBANCE, "other" + Event.ELSEWHERE));
        assertThat(text())
                .contains("weir_disturbance_active{disturbance=\"crash\"} 1.0")
                .doesNotContain("disturbance=\"other");
        metrics.event(TRIAL, new Event(2, Event.DISTURBANCE_OVER, "crash"));
        assertThat(text()).contains("weir_disturbance_active{disturbance=\"crash\"} 0.0");
    }

    @Test
    void onlyOnePhaseIsActiveAndNoneBetweenTrials() {
        metrics.trial(TRIAL, 1);
        metrics.event(TRIAL, new Event(0, Event.PHASE, "drain"));
        assertThat(text()).contains("weir_phase{phase=\"drain\"} 1.0", "weir_phase{phase=\"measure\"} 0.0");
        metrics.trial(SyntheticTrial.of(2, "base", 2), 2);
        assertThat(text()).contains("weir_phase{phase=\"drain\"} 0.0");
    }

    @Test
    void gaugesAreResetAfterATrialAttemptFailureOrRun() {
        List<Runnable> ends = List.of(
                () -> metrics.tried(TRIAL, new Attempt(1, 5_000, 10, Attempt.Outcome.SUSTAINED, "")),
                () -> metrics.event(TRIAL, new Event(3, Event.FAILED, "no broker is left")));
        for (Runnable end : ends) {
            metrics.trial(TRIAL, 1);
            metrics.event(TRIAL, new Event(0, Event.PHASE, "measure"));
            metrics.event(TRIAL, new Event(1, Event.DISTURBANCE, "crash: kill broker 2"));
            metrics.tries(TRIAL, 5_000, "why");
            end.run();
            assertThat(text())
                    .contains("weir_phase{phase=\"measure\"} 0.0", "weir_disturbance_active{disturbance=\"crash\"} 0.0")
                    .doesNotContain("weir_tried_operations_per_second 5");
        }
    }

    @Test
    void gridOfThreeHundredVariantsHasAHundredSeries() {
        IntStream.range(0, 300)
                .mapToObj(i -> SyntheticTrial.of(i + 1, "v" + i, 1))
                .forEach(trial -> {
                    metrics.trial(trial, 300);
                    load(trial, Steps.MEASURE);
                });
        String text = text();
        assertThat(text.lines().filter(line -> line.startsWith("weir_records_due_total{")))
                .hasSize(MessageTotals.MOST_VARIANTS + 1);
        assertThat(text).contains("weir_records_due_total{phase=\"measure\",variant=\"(others)\"} 4000.0");
    }

    @Test
    void onlyLocalBrokersAreReadAndEndedOnesAreMarked() {
        Broker killed = new Broker(4, "127.0.0.1:1", "", "", -1, Path.of("log"), Path.of("data"));
        metrics.brokers(TRIAL, () -> List.of(broker(1, "", 77), broker(2, "elsewhere", 78), broker(3, "", -1), killed));
        assertThat(metrics.brokersHere()).containsExactly(Map.entry(1, 77L), Map.entry(4, -1L));
    }

    private static Broker broker(int id, String host, long pid) {
        return new Broker(id, "127.0.0.1:1", "", host, pid, Path.of(""), Path.of(""));
    }
}
