package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import weir.measure.Count;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.SomeLatencies;
import weir.plan.Metric;
import weir.plan.RecordKeys;
import weir.plan.Sentence;
import weir.plan.syntax.Glossary;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.Event;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;
import weir.run.Sample;

class ExpectationJudgeTest {
    /** A trial in memory: its result, its histograms by window, its windows and events. */
    record Past(
            TrialResult result,
            Map<String, SortedMap<Double, Latency>> histograms,
            List<WindowRow> windows,
            List<Event> events)
            implements Evidence {
        static Past of(TrialResult result) {
            return of(result, List.of());
        }

        static Past of(TrialResult result, List<WindowRow> windows) {
            return new Past(result, Map.of(), windows, List.of());
        }

        @Override
        public SortedMap<String, Latency> latencies() {
            SortedMap<String, Latency> sums = new TreeMap<>();
            histograms.forEach((name, windows) -> sums.put(name, Latency.sum(windows.values())));
            return sums;
        }

        @Override
        public void latencies(Predicate<HistogramLog.LatencyTag> names, BiConsumer<Double, Latency> window) {
            histograms.forEach((name, windows) -> {
                if (names.test(HistogramLog.LatencyTag.of(name))) {
                    windows.forEach(window);
                }
            });
        }
    }

    @Test
    void failureExpectationReportsFailureReasons() {
        Past trial = Past.of(FailedOperationsTest.trial(100, 50, "RecordTooLargeException: too large"));
        assertThat(judge("failed == 0", trial).reason()).endsWith("RecordTooLarge: 100 (too large)");
        assertThat(judge("lost == 0", trial).reason()).doesNotContain("RecordTooLarge");
    }

    private static List<ExpectResult> judgeAll(String sentence, Past... trials) {
        return new ExpectationJudge(List.of(trials)).of(List.of(Sentence.of(sentence)));
    }

    private static ExpectResult judge(String sentence, Past... trials) {
        return judgeAll(sentence, trials).get(0);
    }

    private static String verdict(String sentence, Past... trials) {
        return judge(sentence, trials).verdict();
    }

    private static Past a(int repeat, Sample sample) {
        return Past.of(sample.trial("a", repeat));
    }

    /** Returns trials of a and b with these p99s. */
    private static Past[] against(double[] a, double[] b) {
        List<Past> trials = new ArrayList<>();
        for (int i = 0; i < a.length; i++) {
            trials.add(Past.of(Sample.GOOD.p99(a[i]).trial("a", i)));
        }
        for (int i = 0; i < b.length; i++) {
            trials.add(Past.of(Sample.GOOD.p99(b[i]).trial("b", i)));
        }
        return trials.toArray(Past[]::new);
    }

    @Test
    void aLatencyIsTheMedianOfTheTrials() {
        ExpectResult result = judge(
                "response p99 < 5ms", a(1, Sample.GOOD.p99(4)), a(2, Sample.GOOD.p99(90)), a(3, Sample.GOOD.p99(3)));
        assertThat(result.verdict()).isEqualTo(ExpectResult.PASSED);
        assertThat(result.value()).isEqualTo(4);
        assertThat(result.found()).isEqualTo("4.00 ms");
    }

    @Test
    void aCountIsThatOfTheWorstTrial() {
        Past[] trials = {a(1, Sample.GOOD), a(2, Sample.GOOD.lost(7L)), a(3, Sample.GOOD)};
        ExpectResult none = judge("lost == 0", trials);
        assertThat(none.verdict()).isEqualTo(ExpectResult.FAILED);
        assertThat(none.value()).isEqualTo(7);
        // For a lower limit, the worst value is the smallest.
        assertThat(judge("lost >= 1", trials).value()).isZero();
    }

    @Test
    void aFigureThatWasNotMeasuredIsUndecided() {
        ExpectResult result = judge("lost == 0", a(1, Sample.GOOD.lost(null)));
        assertThat(result.verdict()).isEqualTo(ExpectResult.UNDECIDED);
        assertThat(result.value()).isNull();
        assertThat(result.why()).isEqualTo("no samples");
        ExpectResult partly = judge("lost == 0", a(1, Sample.GOOD), a(2, Sample.GOOD.lost(null)));
        assertThat(partly.verdict()).isEqualTo(ExpectResult.UNDECIDED);
        assertThat(partly.why()).isEqualTo("1 of 2 trials have no samples");
        assertThat(verdict("lost of c == 0", a(1, Sample.GOOD))).isEqualTo(ExpectResult.UNDECIDED);
        assertThat(new ExpectationJudge(List.of()).of(List.of(Sentence.of("lost == 0"))))
                .extracting(ExpectResult::verdict)
                .containsExactly(ExpectResult.UNDECIDED);
    }

    @Test
    void countExpectationFailsIfOneTrialFailsAndAnotherIsUnknown() {
        ExpectResult result = judge("lost == 0", a(1, Sample.GOOD.lost(7L)), a(2, Sample.GOOD.lost(null)));
        assertThat(result.verdict()).isEqualTo(ExpectResult.FAILED);
        assertThat(result.value()).isEqualTo(7);
    }

    @Test
    void expectationWithoutVariantAppliesToEachVariant() {
        List<ExpectResult> results = judgeAll("response p99 < 5ms", against(new double[] {4}, new double[] {50}));
        assertThat(results).extracting(ExpectResult::verdict).containsExactly(ExpectResult.PASSED, ExpectResult.FAILED);
        assertThat(results.get(1).text()).contains("(b)");
    }

    @Test
    void achievedIsAckedOverOffered() {
        assertThat(verdict("achieved >= 99.5%", a(1, Sample.GOOD.acked(996)))).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("achieved >= 99.5%", a(1, Sample.GOOD.acked(990)))).isEqualTo(ExpectResult.FAILED);
    }

    @Test
    void aThinPercentileFailsUnlessTheTrialsTogetherHaveEnough() {
        assertThat(verdict("response p99 < 5ms", a(1, Sample.GOOD.count(999)))).isEqualTo(ExpectResult.FAILED);
        assertThat(verdict("response p99 < 5ms", a(1, Sample.GOOD.count(1_000))))
                .isEqualTo(ExpectResult.PASSED);
        Past one = histogram(a(1, Sample.GOOD.count(600)), "response@2", Map.of(10.0, SomeLatencies.upTo(4, 600)));
        Past two = histogram(a(2, Sample.GOOD.count(600)), "response@2", Map.of(10.0, SomeLatencies.upTo(4, 600)));
        ExpectResult pooled = judge("response p99 < 5ms", one, two);
        assertThat(pooled.verdict()).isEqualTo(ExpectResult.PASSED);
        assertThat(Objects.requireNonNull(pooled.value())).isCloseTo(3.96, within(0.02));
        assertThat(pooled.why()).contains("all 2 trials together");
        assertThat(judge("response p99.9 < 5ms", one, two).why()).contains("fewer than ten");
    }

    @Test
    void expectedPercentilesAreReadFromHistograms() {
        Past trial = histogram(
                a(1, Sample.GOOD.p99(1000)),
                "response@2",
                Map.of(10.0, SomeLatencies.upTo(50, 10_000), 11.0, SomeLatencies.upTo(100, 10_000)));
        assertThat(Objects.requireNonNull(judge("response p95 < 1s", trial).value()))
                .isCloseTo(90, within(0.2));
        assertThat(Objects.requireNonNull(judge("response p25 < 1s", trial).value()))
                .isCloseTo(17, within(1.0));
        // Histograms of another step or another latency do not count.
        assertThat(judge("service p95 < 1s", trial).why()).isEqualTo("no samples");
        assertThat(judge("response p95 during warmup < 1s", trial).why()).isEqualTo("no samples");
    }

    @Test
    void percentileWithUnfinishedMessagesIsALowerBound() {
        Past hanging = Past.of(unended(98.0));
        ExpectResult below = judge("response p99 < 5ms", hanging);
        assertThat(below.verdict()).isEqualTo(ExpectResult.FAILED);
        assertThat(below.found()).isEqualTo("≥ 4.00 ms");
        assertThat(below.why()).contains("unfinished messages");
        assertThat(verdict("response p99 > 3ms", hanging)).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("response p90 < 5ms", hanging)).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("response mean < 5ms", hanging)).isEqualTo(ExpectResult.FAILED);
        // Among many trials, the hanging trial is beyond the median.
        assertThat(verdict("response p99 < 5ms", hanging, a(2, Sample.GOOD), a(3, Sample.GOOD)))
                .isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("response p99 of a / b < 9", hanging, Past.of(Sample.GOOD.trial("b", 1))))
                .isEqualTo(ExpectResult.UNDECIDED);
    }

    @Test
    void aRatioHoldsOnlyIfItsWholeIntervalDoes() {
        double[] b = {10, 10.1, 9.9, 10, 10.05};
        Past[] twice = against(new double[] {20, 20.1, 19.9, 20.2, 20}, b);
        assertThat(verdict("response p99 of a / b > 1.9", twice)).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("response p99 of a / b < 2.1", twice)).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("response p99 of a / b < 1.9", twice)).isEqualTo(ExpectResult.FAILED);
        ExpectResult around = judge("response p99 of a / b > 2", twice);
        assertThat(around.verdict()).isEqualTo(ExpectResult.UNDECIDED);
        assertThat(around.why()).contains("inside the interval");
        assertThat(around.low()).isLessThan(2);
        assertThat(around.high()).isGreaterThan(2);
        assertThat(around.found()).startsWith("2.00× [1.9");
    }

    @Test
    void sameWithinIsABandForTheWholeInterval() {
        double[] b = {10, 10.1, 9.9, 10, 10.05};
        String same = "response p99 of a / b same within 10%";
        assertThat(verdict(same, against(new double[] {10.2, 10.1, 9.9, 10, 10}, b)))
                .isEqualTo(ExpectResult.PASSED);
        assertThat(verdict(same, against(new double[] {10, 13, 8, 11, 9}, b))).isEqualTo(ExpectResult.UNDECIDED);
        assertThat(verdict(same, against(new double[] {10.9, 11, 11.1, 10.8, 11}, b)))
                .isEqualTo(ExpectResult.UNDECIDED);
        assertThat(verdict(same, against(new double[] {20, 20, 20.1, 19.9, 20}, b)))
                .isEqualTo(ExpectResult.FAILED);
    }

    @Test
    void ratioOfOneTrialIsAPointEstimate() {
        ExpectResult point = judge("response p99 of a / b > 5", against(new double[] {40}, new double[] {4}));
        assertThat(point.verdict()).isEqualTo(ExpectResult.PASSED);
        assertThat(point.value()).isCloseTo(10, within(1e-9));
        assertThat(point.low()).isNull();
        assertThat(point.why()).contains("point estimate");
    }

    @Test
    void ratioToZeroFails() {
        Past[] idle = {Past.of(Sample.GOOD.trial("a", 1)), Past.of(Sample.GOOD.trial("b", 1))};
        assertThat(verdict("lost of a / b < 1", idle)).isEqualTo(ExpectResult.FAILED);
        assertThat(verdict("backpressure p99 of a / b < 1", idle)).isEqualTo(ExpectResult.FAILED);
        assertThat(verdict("acked of a / b >= 1", idle)).isEqualTo(ExpectResult.PASSED);
    }

    @Test
    void expectationMatchesEveryStepWithItsRate() {
        Past ladder = Past.of(ladder(
                step(2, 0, "100/s", Sample.GOOD.p99(2).lost(3L)),
                step(3, 60, "200/s", Sample.GOOD.p99(50).lost(0L)),
                step(4, 120, "100/s", Sample.GOOD.p99(4).lost(4L))));
        assertThat(judge("lost during 100/s == 0", ladder).value()).isEqualTo(7);
        assertThat(verdict("lost during 200/s == 0", ladder)).isEqualTo(ExpectResult.PASSED);
        assertThat(judge("response p99 during 200/s < 1s", ladder).value()).isEqualTo(50);
        assertThat(judge("acked/s during 100/s > 0", ladder).value()).isEqualTo(1000);
        assertThat(judge("lost during 300/s == 0", ladder).why()).isEqualTo("no samples");
        // Two steps have a common percentile, from their histograms.
        Past withHistograms = new Past(
                ladder.result(),
                Map.of(
                        "response@2", new TreeMap<>(Map.of(1.0, SomeLatencies.upTo(10, 1000))),
                        "response@3", new TreeMap<>(Map.of(61.0, SomeLatencies.upTo(999, 1000))),
                        "response@4", new TreeMap<>(Map.of(121.0, SomeLatencies.upTo(20, 1000)))),
                List.of(),
                List.of());
        assertThat(Objects.requireNonNull(
                        judge("response p99 during 100/s < 1s", withHistograms).value()))
                .isCloseTo(19.6, within(0.2));
        Past each = Past.of(ladder(step(2, 0, "350/s per producer", Sample.GOOD)));
        assertThat(verdict("failed during 350/s == 0", each)).isEqualTo(ExpectResult.PASSED);
    }

    @Test
    void expectationOfAnotherPhaseUsesItsWindows() {
        Past trial = new Past(
                Sample.GOOD.trial("a", 1),
                Map.of("response@1", new TreeMap<>(Map.of(2.0, SomeLatencies.upTo(30, 2000)))),
                List.of(row(0, 10), row(1, 100), row(2, 300), row(3, 0), row(10, 1000)),
                List.of(
                        new Event(0.5, Event.PHASE, "warm-up"),
                        new Event(3.5, Event.PHASE, "measure"),
                        new Event(70, Event.PHASE, "drain")));
        assertThat(judge("acked/s during warmup > 0", trial).value()).isEqualTo(200);
        assertThat(judge("acked during warmup > 0", trial).value()).isEqualTo(400);
        assertThat(Objects.requireNonNull(
                        judge("response p99 during warmup < 1s", trial).value()))
                .isCloseTo(29.7, within(0.1));
        assertThat(judge("lag max during warmup < 9", trial).value()).isEqualTo(5);
        assertThat(judge("acked during drain == 0", trial).why()).isEqualTo("no samples");
    }

    @Test
    void windowsAreJudgedOneByOne() {
        SortedMap<Double, Latency> windows = new TreeMap<>();
        for (int second = 10; second < 70; second++) {
            windows.put((double) second, SomeLatencies.upTo(second < 13 ? 90 : 10, 2000));
        }
        List<WindowRow> rows = new ArrayList<>();
        for (int second = 9; second < 71; second++) {
            rows.add(row(second, second == 20 ? 100 : 1000));
        }
        // Windows before, after and across the ends of the step are not part of it.
        windows.put(9.0, SomeLatencies.upTo(500, 2000));
        Past trial = new Past(Sample.GOOD.trial("a", 1), Map.of("response@2", windows), rows, List.of());
        ExpectResult most = judge("response p99 < 50ms for 95% of windows", trial);
        assertThat(most.verdict()).isEqualTo(ExpectResult.PASSED);
        assertThat(most.found()).isEqualTo("95 % of 60 windows");
        assertThat(verdict("response p99 < 50ms for 96% of windows", trial)).isEqualTo(ExpectResult.FAILED);
        assertThat(verdict("response p99 < 50ms for 100% of windows", trial)).isEqualTo(ExpectResult.FAILED);
        assertThat(judge("acked/s >= 500/s for 98% of windows", trial).found()).isEqualTo("98.3 % of 60 windows");
        ExpectResult thin = judge("response p99.9 < 1s for 10% of windows", trial);
        assertThat(thin.verdict()).isEqualTo(ExpectResult.FAILED);
        assertThat(thin.why()).contains("60 windows have fewer than ten");
        // A window with due messages and no answer breaks the limit.
        windows.remove(40.0);
        assertThat(judge("response p99 < 50ms for 95% of windows", trial).found())
                .isEqualTo("93 % of 60 windows");
    }

    @Test
    void windowsOfTwoVariantsArePassedAgainstEachOtherAtTheSameTime() {
        SortedMap<Double, Latency> a = new TreeMap<>();
        SortedMap<Double, Latency> b = new TreeMap<>();
        List<WindowRow> rows = new ArrayList<>();
        for (int second = 10; second < 70; second++) {
            a.put((double) second, SomeLatencies.upTo(second, 2000));
            b.put((double) second, SomeLatencies.upTo(second < 40 ? second : second * 3, 2000));
            rows.add(row(second, 1000));
        }
        ExpectResult half = judge(
                "response p50 of b / a < 2 for 50% of windows",
                new Past(Sample.GOOD.trial("a", 1), Map.of("response@2", a), rows, List.of()),
                new Past(Sample.GOOD.trial("b", 1), Map.of("response@2", b), rows, List.of()));
        assertThat(half.verdict()).isEqualTo(ExpectResult.PASSED);
        assertThat(half.value()).isEqualTo(0.5);
    }

    @Test
    void breakingPointExpectationIsUndecidedBeyondTheFastestStep() {
        StepResult fine = step(2, 10, "1000/s", Sample.GOOD);
        Past unbroken = Past.of(ladder(fine));
        assertThat(verdict("breaking-point >= 1000/s", unbroken)).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("breaking-point > 1000/s", unbroken)).isEqualTo(ExpectResult.PASSED);
        assertThat(verdict("breaking-point > 2000/s", unbroken)).isEqualTo(ExpectResult.FAILED);
        ExpectResult below = judge("breaking-point < 2000/s", unbroken);
        assertThat(below.verdict()).isEqualTo(ExpectResult.FAILED);
        assertThat(below.found()).isEqualTo("≥ 1,000/s");
    }

    private static Past histogram(Past past, String name, Map<Double, Latency> windows) {
        return new Past(past.result(), Map.of(name, new TreeMap<>(windows)), List.of(), List.of());
    }

    @Test
    void everyCountOfTheLedgerIsJudged() {
        assertThat(Glossary.metrics().keySet())
                .containsAll(Count.LEDGER.stream().map(Count::word).toList());
        Glossary.metrics().values().stream()
                .filter(metric -> metric.kind() == Metric.Kind.COUNT
                        && !List.of("torn", Count.PARKED.word()).contains(metric.name())
                        && Count.OF_SHARE_GROUPS.stream()
                                .noneMatch(count -> count.word().equals(metric.name())))
                .forEach(metric -> assertThat(verdict(metric.name() + " >= 0", a(1, Sample.GOOD)))
                        .as(metric.name())
                        .isEqualTo(ExpectResult.PASSED));
        assertThat(verdict("expired > 0", a(1, Sample.GOOD))).isEqualTo(ExpectResult.FAILED);
    }

    private static StepResult step(int number, double from, String label, Sample sample) {
        return new StepResult(sample.offered(), number, label, from, 60, sample.figures(), null, null, null, null);
    }

    private static TrialResult ladder(StepResult... steps) {
        return Sample.GOOD.trial("a", 1).with(List.of(steps));
    }

    /** Percentiles beyond this one are lower bounds. */
    private static TrialResult unended(double beyond) {
        TrialResult good = Sample.GOOD.trial("a", 1);
        Figures f = good.figures();
        LatencyResult r = f.response();
        LatencyResult response = new LatencyResult(
                r.p50(), r.p90(), r.p99(), r.p999(), r.p9999(), r.max(), r.mean(), r.count(), beyond, null);
        Map<LatencyKind, LatencyResult> latencies = new TreeMap<>(f.latencies());
        latencies.put(LatencyKind.RESPONSE, response);
        return RecordKeys.with(good, Map.of("figures.latencies", latencies));
    }

    private static WindowRow row(int second, long messages) {
        return WindowRows.of(second, 2, messages, messages, 0, messages, Map.of(), 5, 0.1);
    }
}
