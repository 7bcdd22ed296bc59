package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.judge.Comparisons;
import weir.measure.LatencyKind;
import weir.results.Trials;
import weir.results.value.ComparisonResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

class ContradictionsTest {
    @TempDir
    Path dir;

    /** Each is from a report that users got. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "“kafka” did not break up to 2,000/s … no verdict (neither sustains 1,000/s: the ratio compares"
                        + " queues, not latencies)",
                "“a” sustains 20,000/s with response p99 197 ms; “a” does not sustain 10,000/s (achieved 86 %)",
                "Sustains 10,000/s; is untested at 20,000/s: the generator itself was late\n1 | 20,000/s | 87 % | broken | achieved 87 %",
                "Breaks at 850/s: 20 failed; it sustains 1,000/s",
                "“memory” breaks at 850/s: failed is 20 %, the limit < 1 % · all processes share 2 cores: breaking"
                        + " points are those of the CPU",
                "Breaks at 100/s: achieved 12 %; no slower step was sustained, 940 µs of CPU a record.",
                "300/s  broken, recovered at once",
                "the generator alone: achieved 154 %",
                "270 events were given up, after 3 retries of all events; the ledger counts them as lost … 199 acked records were"
                        + " lost",
                "10000 records sent, 11485.3 records/sec (10.95 MB/sec) … Acked 6,675/s (6.37 MiB/s), response p99 1 ms",
                "a | nothing | 300/s\na #1, 100/s | 100/s | sustained, recovered at once",
                "“a” sustains 500/s with response p99 774 ms … “a” at 500/s: response p99 808 ms",
                "1,845 MiB were written: the page cache absorbed all writes",
                "acked/s · appended/s · received/s, all of the same measured seconds",
                "Undecided between 980/s and 2,040/s … 3 search trials, the answer sustained for 30 s",
                "memory | 10 GB/s | 11.7 GB/s | +17 % | 10 % | the same |",
                "the machine (2 cores 99 % busy: generator 0.41, brokers 0.72)",
                "1 broker and the generator share 2 cores, busy for 101 % of the time",
                "base | produce | mean by the client | – | – | – | – | – | – | 33.1 ms | – | \nclient | producer.request-latency-avg | 12 | ",
                "“neighbour” has no visible effect on response p99 here: 0.89× (limited / quiet); no verdict, one"
                        + " trial each.",
                "“cold”: the backlog of 25,577 records is drained in 0.98 s; 1 more below; no verdict",
                "Each variant at the rate it sustained (one trial)\nmemory-broker | nothing | 132/s | 300/s |",
            })
    void aContradictionIsFound(String text) {
        assertThat(Contradictions.in(text)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sustains 20,000/s with response p99 197 ms; does not sustain 40,000/s: achieved 86 %",
                "Sustains 10,000/s; is untested at 20,000/s: the generator was late\n1 | 20,000/s | untested\n2 | 40,000/s | broken",
                "“a” did not break up to 2,000/s; no verdict (both are degraded at 1,000/s: the ratio compares"
                        + " queues, not latencies)",
                "“a” sustains 2,000/s; “b” does not sustain 1,000/s",
                "300/s broken, recovered after 4 s … 270 events were given up; these counts include warm-up and"
                        + " drain; 199 acked records were lost",
                "Breaks at 100/s: achieved 12 %; no slower step was sustained, 940 µs of CPU a record"
                        + " over all steps.",
                "memory | 10 GB/s | 11.7 GB/s | +17 % | 10 % | unknown: the intervals overlap |",
                "memory | 10 GB/s | 10.7 GB/s | +7 % | 10 % | the same |",
                "the machine (2 cores 99 % busy: generator 0.41, brokers 0.72, all others 0.85)",
            })
    void sentencesThatAgreeAreNone(String text) {
        assertThat(Contradictions.in(text)).isEmpty();
    }

    @Test
    void shareOfAnInvisibleCostIsAContradiction() {
        ComparisonResult cost = ratio("stressed", "quiet", null, Comparisons.SAME);
        assertThat(Contradictions.shares(List.of(cost, ratio("shielded", "stressed", "quiet", "between"))))
                .hasSize(1);
        assertThat(Contradictions.shares(List.of(
                        ratio("stressed", "quiet", null, Comparisons.WORSE),
                        ratio("shielded", "stressed", "quiet", "between"))))
                .isEmpty();
    }

    private static ComparisonResult ratio(String a, String b, @Nullable String to, String verdict) {
        return new ComparisonResult(
                a, b, to, "response p99", 1.0, 2.0, 0.5, 0.4, 0.6, verdict, null, List.of(), "", List.of());
    }

    @Test
    void aPercentileBeyondTheLongestAndAnUnexplainedRateAreFound() {
        Figures figures = Trials.figures(
                Map.of(),
                Map.of(RateKind.OFFERED, 300.0, RateKind.ACKED, 325.0),
                Map.of(LatencyKind.RESPONSE, new LatencyResult(1.0, 2.0, 70.6, 70.5, 70.5, 70.5, 1.0, 9, null, null)));
        TrialResult trial = Trials.trial("a", 1, figures, List.of());
        List<String> found = new ArrayList<>();
        Contradictions.figures(trial, "", found);
        assertThat(found).hasSize(2);
        found.clear();
        Contradictions.figures(trial, "50 records that were due before the measured phase", found);
        assertThat(found).hasSize(1);
    }

    @Test
    void aBoundWithoutItsMarkIsFound() {
        Figures figures = Trials.figures(
                Map.of(),
                Map.of(),
                Map.of(
                        LatencyKind.RESPONSE,
                        new LatencyResult(836.0, 1219.0, 1394.0, 1412.0, 1413.0, 1413.0, 790.0, 1_000, 17.0, null)));
        TrialResult trial = Trials.trial("haproxy", 1, figures, List.of());
        List<String> found = new ArrayList<>();
        Contradictions.figures(trial, "haproxy | ≥ 1,394 ms | ≥ 790 ms | 21,394 ms", found);
        assertThat(found).isEmpty();
        Contradictions.figures(trial, "haproxy | 253/s | 1,394 ms, haproxy · 790 ms", found);
        assertThat(found).hasSize(2);
    }

    static Stream<Function<Path, SyntheticRun>> runs() {
        return Stream.of(
                at -> SyntheticRun.loadCurve(at, 3),
                at -> new SyntheticRun(at, List.of("a"), 1, new double[] {10_000}, 3),
                at -> new SyntheticRun(at, List.of("a"), 1, new double[] {60_000}, 3),
                at -> new SyntheticRun(at, List.of("a"), 1, new double[] {60_000, 10_000, 20_000}, 3),
                at -> new SyntheticRun(at, List.of("a", "b"), 4, new double[] {10_000, 48_000, 60_000}, 3).delivered(),
                at -> new SyntheticRun(at, List.of("a", "b"), 1, new double[] {60_000, 70_000}, 3).delivered(),
                at -> new SyntheticRun(at, List.of("a", "b"), 1, new double[] {60_000, 10_000}, 3).delivered(),
                at -> new SyntheticRun(at, List.of("a"), 2, new double[] {10_000, 60_000}, 3).neverEnded(),
                at -> new SyntheticRun(at, List.of("a", "b"), 1, new double[] {10_000}, 3).neverEnded());
    }

    @ParameterizedTest
    @MethodSource("runs")
    void noReportOfAStoredRunContradictsItself(Function<Path, SyntheticRun> run) {
        assertThat(Contradictions.in(run.apply(dir).write())).isEmpty();
    }
}
