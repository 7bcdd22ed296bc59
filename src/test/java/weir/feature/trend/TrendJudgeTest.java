package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import weir.feature.trend.RunTrend.Change;
import weir.feature.trend.RunTrend.Series;
import weir.plan.RecordKeys;
import weir.results.GateOutcome;
import weir.results.IncomparableRunsException;
import weir.results.RunComparison.Difference;
import weir.results.RunState;

class TrendJudgeTest {
    private final SyntheticHistory history = new SyntheticHistory();

    private static RunTrend judged(List<HistoryEntry> runs, boolean gate, String accepted) {
        return TrendJudge.of("nightly", runs, List.of(), List.of(), gate, accepted);
    }

    private RunTrend trend() {
        return judged(history.runs(), false, "");
    }

    private RunTrend gated(String accepted) {
        return judged(history.runs(), true, accepted);
    }

    private static int exit(SyntheticHistory history) {
        return judged(history.runs(), true, "").exit();
    }

    private RunTrend only(String metric) {
        return TrendJudge.of("nightly", history.runs(), List.of(), List.of(metric), false, "");
    }

    private static ListAssert<String> assertSentences(RunTrend trend) {
        return assertThat(Objects.requireNonNull(trend.gate()).sentences());
    }

    private static GateOutcome outcome(RunTrend trend) {
        return Objects.requireNonNull(trend.gate()).outcome();
    }

    private Series p99() {
        return trend().series().get(0);
    }

    @Test
    void changeHasItsRunItsSizeAndTheChangedSetting() {
        history.nights(20)
                .setting("load.producer.linger.ms", "20")
                .level("response p99", 13.2)
                .nights(10);
        Series series = p99();
        assertThat(series.name()).isEqualTo("base, response p99");
        Change change = series.changes().get(0);
        assertThat(series.changes()).hasSize(1);
        assertThat(change.at()).isEqualTo(20);
        assertThat(change.before()).isEqualTo(19);
        assertThat(change.ratio()).isCloseTo(1.1, within(0.02));
        assertThat(change.low()).isBetween(1.07, change.ratio());
        assertThat(change.high()).isBetween(change.ratio(), 1.13);
        assertThat(change.from()).isCloseTo(12, within(0.2));
        assertThat(change.to()).isCloseTo(13.2, within(0.2));
        assertThat(change.verdict()).isEqualTo("worse");
        assertThat(change.runs()).isBetween(3, 5);
        assertThat(change.nearby()).isEmpty();
        assertThat(change.differences())
                .extracting(Difference::kind, Difference::name, Difference::values)
                .containsExactly(
                        tuple(Difference.Kind.LABEL, "commit", List.of("0abc013", "0abc014")),
                        tuple(Difference.Kind.SETTING, "load.producer.linger.ms", List.of("5", "20")));
        assertThat(change.machine()).isEmpty();
    }

    /** The release of the brokers changed one night later than the figure seems to have. */
    @Test
    void changeListsDifferencesOfAdjacentRuns() {
        history.nights(20)
                .level("response p99", 13.2)
                .nights(1)
                .fact("kafka", "4.4.0")
                .nights(9);
        Change change = p99().changes().get(0);
        assertThat(change.at()).isEqualTo(20);
        assertThat(change.differences())
                .extracting(Difference::name, Difference::values)
                .containsExactly(tuple("commit", List.of("0abc013", "0abc014")));
        assertThat(change.nearbyAt()).isEqualTo(21);
        assertThat(change.nearby())
                .extracting(Difference::kind, Difference::values)
                .containsExactly(tuple(Difference.Kind.KAFKA, List.of("4.3.1", "4.4.0")));
    }

    @Test
    void moreIsBetterForRatesAndLessForLatenciesAndCosts() {
        history.level("acked/s", 5000).level("CPU per record", 30).nights(20);
        history.level("acked/s", 5500)
                .level("CPU per record", 33)
                .level("response p99", 11)
                .nights(10);
        assertThat(trend().series())
                .filteredOn(series -> !series.changes().isEmpty())
                .extracting(
                        Series::metric,
                        Series::moreIsBetter,
                        series -> series.changes().get(0).verdict())
                .containsExactlyInAnyOrder(
                        tuple("response p99", false, "better"),
                        tuple("acked/s", true, "better"),
                        tuple("CPU per record", false, "worse"));
    }

    @Test
    void runsOfAnotherMachineLoadOrFormAreExcludedAndReported() {
        history.fact("cpu.model", "Old 1").nights(3).fact("cpu.model", "Imaginary 9000");
        history.setting("load.rate", "1000/s").nights(2).setting("load.rate", "5000/s");
        history.shortened(true).nights(1).shortened(false);
        history.state(RunState.INVALID)
                .nights(1)
                .state(RunState.UNFINISHED)
                .nights(1)
                .state(RunState.VALID);
        history.fact("kernel", "6.2").nights(12);
        RunTrend trend = trend();
        assertThat(trend.series().get(0).points()).hasSize(12);
        assertThat(trend.leftOut())
                .containsExactly(
                        history.run(6) + ", invalid",
                        history.run(7) + ", unfinished",
                        history.run(5) + ", with --short, unlike the newest",
                        "3 runs on another machine, where cpu.model was 'Old 1' and is now 'Imaginary 9000', the last of them "
                                + history.run(2),
                        "2 runs with other settings of 'base': load.rate was '1000/s' and is now '5000/s', the last of"
                                + " them " + history.run(4));
        assertThat(trend.machine()).containsEntry("cpu.model", "Imaginary 9000").doesNotContainKey("kernel");
    }

    @Test
    void runsWithAnotherTopologyAreExcludedButNotThoseOfAnotherRelease() {
        history.setting("topics.t.partitions", "6").nights(2).setting("topics.t.partitions", "12");
        history.setting("cluster.kafka", "3.9.1")
                .nights(3)
                .setting("cluster.kafka", "4.4.0")
                .nights(12);
        RunTrend trend = trend();
        assertThat(trend.series().get(0).points()).hasSize(15);
        assertThat(trend.leftOut())
                .containsExactly("2 runs with other settings of 'base': topics.*.partitions was '6' and is now '12',"
                        + " the last of them " + history.run(1));
    }

    /** The kernel reserves a little of the memory, and not always the same amount. */
    @Test
    void slightlyDifferentMemoryIsTheSameMachine() {
        history.nights(6).fact("memory.mib", "31900").nights(6);
        assertThat(trend().leftOut()).isEmpty();
    }

    @Test
    void machineChangeInTheSameDirectionMakesTheGateInconclusive() {
        history.nights(20).speed(0.93).level("response p99", 13).nights(10);
        RunTrend trend = gated("");
        Change change = trend.series().get(0).changes().get(0);
        assertThat(change.machine())
                .singleElement()
                .asString()
                .startsWith("cpu, one core 7")
                .endsWith(" % slower");
        assertThat(change.shared()).isTrue();
        assertThat(outcome(trend)).isEqualTo(GateOutcome.BLIND);
        assertThat(trend.exit()).isEqualTo(4);
        assertSentences(trend).singleElement().asString().contains("the machine changed, too");
    }

    @Test
    void oppositeOrSmallMachineChangeDoesNotExplainARegression() {
        history.nights(20).speed(1.1).level("response p99", 13).nights(10);
        assertThat(p99().changes().get(0).machine()).hasSize(1);
        assertThat(p99().changes().get(0).shared()).isFalse();
        assertThat(gated("").exit()).isEqualTo(98);
        SyntheticHistory little = new SyntheticHistory();
        little.nights(20).speed(0.97).level("response p99", 15).nights(10);
        assertThat(exit(little)).isEqualTo(98);
    }

    @Test
    void theGateFailsOnAChangeForTheWorseUntilItIsAccepted() {
        history.nights(20).level("response p99", 13.2).nights(6);
        RunTrend trend = gated("");
        assertThat(outcome(trend)).isEqualTo(GateOutcome.REGRESSION);
        assertThat(trend.exit()).isEqualTo(98);
        assertSentences(trend)
                .singleElement()
                .asString()
                .startsWith("base, response p99: +")
                .endsWith(" % since " + history.run(20));
        assertThat(gated(history.run(19)).exit()).isEqualTo(98);
        assertThat(gated(history.run(20)).exit()).isZero();
        assertThat(gated(history.run(25)).exit()).isZero();
        // A second change is news.
        history.level("response p99", 14.6).nights(6);
        assertThat(gated(history.run(20)).exit()).isEqualTo(98);
    }

    @Test
    void gateIsOpenForImprovementsAndRevertedRegressions() {
        history.nights(20).level("response p99", 11).nights(8);
        assertThat(gated("").exit()).isZero();
        history.level("response p99", 13).nights(8);
        assertThat(gated("").exit()).isEqualTo(98);
        // As good as before it improved, and yet worse than it was.
        SyntheticHistory back =
                new SyntheticHistory().nights(15).level("response p99", 11).nights(12);
        back.level("response p99", 12).nights(8);
        assertThat(exit(back)).isEqualTo(98);
        SyntheticHistory undone =
                new SyntheticHistory().nights(20).level("response p99", 13).nights(8);
        undone.level("response p99", 12).nights(8);
        RunTrend trend = judged(undone.runs(), true, "");
        assertThat(trend.series().get(0).changes()).extracting(Change::undone).containsExactly(true, false);
        assertThat(trend.exit()).isZero();
    }

    /** The last change is an improvement, which needs no acceptance. */
    @Test
    void acceptableRunIsTheLastWorseChange() {
        history.level("acked/s", 5000).nights(20).level("response p99", 13.2).nights(8);
        history.level("acked/s", 5500).nights(8);
        assertThat(Objects.requireNonNull(gated("").gate()).acceptable()).isEqualTo(history.run(20));
    }

    @Test
    void anOutlierDoesNotBlurTheLevels() {
        history.nights(20)
                .level("response p99", 13.2)
                .nights(5)
                .level("response p99", 50)
                .nights(1);
        history.level("response p99", 13.2).nights(6);
        Change change = p99().changes().get(0);
        assertThat(change.to()).isCloseTo(13.2, within(0.2));
        assertThat(change.high()).isLessThan(1.13);
        assertThat(p99().level()).isEqualTo(change.to());
    }

    @Test
    void singleBadRunLeavesTheGateOpen() {
        history.nights(20).level("response p99", 40).nights(1).level("response p99", 12);
        assertThat(gated("").exit()).isZero();
        history.nights(3);
        assertThat(gated("").exit()).isZero();
    }

    @Test
    void trendGateIsInconclusiveWithTooFewRunsOrAnInvalidLastRun() {
        history.nights(10);
        assertThat(outcome(gated(""))).isEqualTo(GateOutcome.BLIND);
        assertSentences(gated("")).containsExactly("base, response p99: too few runs: must be at least 11, found 10");
        assertThat(p99().missing()).isEqualTo(1);
        assertThat(p99().visible()).isNull();
        history.nights(1);
        assertThat(gated("").exit()).isZero();
        assertThat(p99().visible()).isBetween(1.02, 1.08);
        history.state(RunState.INVALID).nights(1);
        assertThat(gated("").exit()).isEqualTo(4);
        assertSentences(gated("")).containsExactly("the last run is excluded: " + history.run(11) + " is invalid");
    }

    @Test
    void chosenMetricRequiresEnoughRuns() {
        history.level("response p50", 4).nights(10);
        RunTrend trend = TrendJudge.of("nightly", history.runs(), List.of(), List.of("response p50"), true, "");
        assertThat(outcome(trend)).isEqualTo(GateOutcome.BLIND);
    }

    @Test
    void acceptedRunMustBelongToTheExperiment() {
        history.nights(12);
        for (String wrong : List.of(
                "20260901-020000-other",
                "yesterday",
                "nightly",
                "20991231-000000-nightly",
                "20260903-030000-nightly")) {
            assertThatThrownBy(() -> gated(wrong))
                    .isInstanceOf(IncomparableRunsException.class)
                    .hasMessageContaining("'" + wrong + "' is not a run of 'nightly'")
                    .hasMessageContaining(history.run(11));
        }
        // The accepted run may no longer be in the history.
        assertThat(gated("20200101-000000-nightly").exit()).isZero();
    }

    @Test
    void onlyRequestedMetricsAreJudged() {
        history.level("response p50", 4).level("response p99 at 5,000/s", 9).nights(3);
        assertThat(only("response p99").series())
                .extracting(Series::metric)
                .containsExactly("response p99", "response p99 at 5,000/s");
        assertThatThrownBy(() -> only("response p9"))
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessage("'response p9': 'nightly' has no such metric; did you mean 'response p99'?");
    }

    /** A change that was found and accepted must not return when the history gets another figure. */
    @Test
    void changesOfAFigureAreIndependentOfOtherFigures() {
        history.level("response p50", 4)
                .noise(0.02)
                .nights(30)
                .level("response p99", 12.7)
                .level("response p50", 4.3);
        history.nights(12);
        List<Series> alone = trend().series();
        List<HistoryEntry> wider = new ArrayList<>();
        for (HistoryEntry run : history.runs()) {
            Map<String, List<Double>> figures =
                    new LinkedHashMap<>(Objects.requireNonNull(run.figures().get("base")));
            for (int i = 0; i < 20; i++) {
                figures.put("other " + i, List.of(1.0));
            }
            wider.add(RecordKeys.with(run, Map.of("figures", Map.of("base", figures))));
        }
        assertThat(judged(wider, false, "").series().subList(0, 2)).isEqualTo(alone);
        assertThat(only("response p50").series()).containsExactly(alone.get(1));
        assertThat(alone.get(0).primary()).isTrue();
        assertThat(alone.get(1).primary()).isFalse();
    }

    /** Twelve quiet runs, then eight worse ones. They are so noisy that their mean by itself shows no change. */
    @Test
    void noisyLastChangeIsKept() {
        for (double value : new double[] {
            103.2, 98.7, 102.4, 105.7, 98.3, 97.3, 95.1, 101.2, 102, 97.9, 99.8, 97.7, 108.1, 115.4, 128.8, 105.5, 99.8,
            92.2, 110.8, 86.8
        }) {
            history.noise(0).level("response p99", value).nights(1);
        }
        RunTrend trend = gated("");
        assertThat(trend.series().get(0).changes()).singleElement().satisfies(change -> {
            assertThat(change.verdict()).isEqualTo("worse");
            assertThat(change.undone()).isFalse();
            assertThat(change.low()).isLessThan(1);
        });
        assertThat(trend.exit()).isEqualTo(98);
    }

    @Test
    void missingFigureKeepsItsRegressionAndMakesTheGateInconclusive() {
        history.noise(0.005)
                .without("response p99")
                .level("capacity", 100)
                .level("response p99", 12)
                .nights(15);
        history.without("capacity").nights(1);
        RunTrend trend = gated("");
        assertThat(trend.series()).extracting(Series::metric).containsExactly("response p99", "capacity");
        assertThat(trend.series()).allMatch(Series::primary);
        assertSentences(trend)
                .containsExactly("base, capacity: the newest run lacks this figure; the last run with this figure is "
                        + history.run(14));
        assertThat(trend.exit()).isEqualTo(4);
        assertThat(gated(history.run(15)).exit()).isZero();
        SyntheticHistory worse = new SyntheticHistory()
                .without("response p99")
                .level("capacity", 100)
                .level("response p99", 12);
        worse.nights(15).level("capacity", 70).nights(4);
        assertThat(exit(worse)).isEqualTo(98);
        worse.without("capacity").nights(1);
        assertThat(exit(worse)).isEqualTo(98);
    }

    @Test
    void entryWithoutTrialsIsReplacedByTheResumedRun() {
        history.nights(12);
        HistoryEntry last = history.runs().get(11);
        List<HistoryEntry> all = new ArrayList<>(history.runs());
        all.add(RecordKeys.with(last, Map.of("startedAt", "", "state", "unfinished", "figures", Map.of())));
        assertThat(judged(all, true, "")).isEqualTo(gated(""));
    }

    @Test
    void autocorrelatedRunsRaiseADoubt() {
        history.nights(40);
        assertThat(trend().doubts()).isEmpty();
        SyntheticHistory wave = new SyntheticHistory();
        for (int i = 0; i < 40; i++) {
            wave.level("response p99", 12 * (1 + 0.02 * Math.sin(i / 2.0))).nights(1);
        }
        assertThat(judged(wave.runs(), false, "").doubts())
                .singleElement()
                .asString()
                .startsWith("base, response p99: each run resembles the run before it (autocorrelation 0.");
    }

    @Test
    void figureMissingInTheNewestRunRaisesADoubt() {
        history.level("e2e p99", 20).nights(3);
        assertThat(trend().doubts()).isEmpty();
        history.without("e2e p99").nights(1);
        assertThat(trend().doubts())
                .containsExactly("base, e2e p99: the newest run lacks this figure; the last run with this figure is "
                        + history.run(2) + ".");
    }

    @Test
    void duplicateRunsCountOnceInAnyOrder() {
        history.nights(14).level("response p99", 13).nights(6);
        List<HistoryEntry> mixed = new ArrayList<>(history.runs().subList(10, 20));
        mixed.addAll(history.runs());
        assertThat(judged(mixed, false, "")).isEqualTo(trend());
    }

    @Test
    void experimentWithoutAValidRunHasNoTrend() {
        history.state(RunState.INVALID).nights(2);
        assertThatThrownBy(this::trend)
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessageContaining("none of its runs has a usable figure; 2 runs invalid");
    }
}
