package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.LoadCaveats;
import weir.judge.trial.TrialJudge;
import weir.measure.Balances;
import weir.measure.Numbers;
import weir.measure.Recorder;
import weir.measure.Steps;
import weir.plan.RecordKeys;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.results.PlannedTrial;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Requests that a balancer answers with 503 at once, and successful requests. */
class FailedOperationsTest {
    private static final long MILLI = 1_000_000;
    private static final long TIMEOUT = 30_000 * MILLI;

    static TrialResult trial(int failed, int succeeded, String... reasons) {
        Numbers numbers = new Numbers();
        Recorder recorder = new Recorder(0, 1_000 * MILLI, Integer.MAX_VALUE, window -> numbers.add(window.all()));
        recorder.due(Steps.MEASURE, 0, failed + succeeded);
        for (int i = 0; i < failed; i++) {
            recorder.failed(Steps.MEASURE, 1, 1, i * MILLI, i * MILLI, (i + 2) * MILLI, TIMEOUT);
        }
        for (int i = 0; i < succeeded; i++) {
            recorder.acked(Steps.MEASURE, 1, 1, i * MILLI, i * MILLI, (i + 5) * MILLI, 1);
        }
        recorder.close();
        Figures figures = TrialJudge.calculated(
                numbers,
                Balances.of(
                        "due $1, sent $2, acked $3, failed $4",
                        failed + succeeded,
                        failed + succeeded,
                        succeeded,
                        failed),
                10,
                PlannedTrial.of(SyntheticTrial.of(1, "a", 1).variant()),
                LagResult.NONE,
                null);
        return RecordKeys.with(
                Trials.trial("a", 1, figures, List.of()),
                Map.of(
                        "failures",
                        Stream.of(reasons)
                                .map(reason -> new TrialResult.Failure(reason, failed, ""))
                                .toList()));
    }

    @Test
    void failedOperationsAreResponseBoundsWithTheirOwnLatency() {
        Figures figures = trial(487, 13).figures();
        LatencyResult response = figures.response();
        assertThat(NumberFormat.latency(response, 50)).isEqualTo("≥ 30.0 s");
        assertThat(response.atLeastBeyond()).isEqualTo(2.6);
        assertThat(figures.successes().count()).isEqualTo(13);
        assertThat(NumberFormat.latency(figures.successes(), 99)).isEqualTo("5.00 ms (thin)");
        assertThat(figures.failures().count()).isEqualTo(487);
        assertThat(NumberFormat.latency(figures.failures(), 50)).isEqualTo("2.00 ms");
        assertThat(figures.mostFailed()).isTrue();
    }

    @Test
    void failureSentenceHasCountAnswersAndLatencies() {
        assertThat(FailedOperations.sentence(trial(487, 13, "HTTP 503: No server is available")))
                .isEqualTo(
                        "Of 500 due, 487 failed after 2.00 ms (p50) with HTTP 503: 487 (No server is available); response of"
                                + " the other messages is 5.00 ms (thin) at p50 and 5.00 ms (thin) at p99");
        assertThat(FailedOperations.sentence(trial(500, 0, "HTTP 503", "HTTP 429", "TimeoutException")))
                .isEqualTo(
                        "Of 500 due, 500 failed after 2.00 ms (p50) with HTTP 503: 500, HTTP 429: 500 and Timeout: 500");
        assertThat(FailedOperations.sentence(trial(0, 13))).isEmpty();
    }

    @Test
    void mostFailedIsACaveatFromMoreThanHalfOn() {
        assertThat(caveats(trial(250, 250))).isEmpty();
        assertThat(caveats(trial(251, 249, "HTTP 503"))).singleElement().satisfies(caveat -> {
            assertThat(caveat.is(CaveatType.named("most-failed"))).isTrue();
            assertThat(caveat.evidence()).startsWith("Of 500 due, 251 failed after 2.00 ms (p50) with HTTP 503: 251");
        });
    }

    private static List<Caveat> caveats(TrialResult trial) {
        CaveatCollector found = new CaveatCollector(1);
        new LoadCaveats(found).failed(trial);
        return found.found();
    }

    @Test
    void withoutFailuresSuccessesAreTheResponse() {
        Figures figures = trial(0, 13).figures();
        assertThat(figures.successes()).isEqualTo(figures.response());
        assertThat(figures.failures()).isEqualTo(LatencyResult.NONE);
        assertThat(figures.mostFailed()).isFalse();
    }
}
