package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;
import static weir.results.Trials.max;
import static weir.results.Trials.stepped;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weir.plan.CompareSpec;
import weir.results.Trials;
import weir.results.value.ComparisonResult;
import weir.results.value.TrialResult;

class ComparisonsTest {
    private static List<TrialResult> trials(double[] a, double[] b) {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < a.length; i++) {
            trials.add(max("a", i + 1, a[i]));
        }
        for (int i = 0; i < b.length; i++) {
            trials.add(max("b", i + 1, b[i]));
        }
        return trials;
    }

    /** Returns four repeats of some variants. */
    private static List<TrialResult> four(IntFunction<List<TrialResult>> repeat) {
        return IntStream.range(0, 4).mapToObj(repeat).flatMap(List::stream).toList();
    }

    private static List<ComparisonResult> compared(List<TrialResult> trials, String... variants) {
        return Comparisons.of(List.of(), List.of(variants), trials);
    }

    private static ComparisonResult acked(double[] a, double[] b) {
        return Comparisons.of(List.of(new CompareSpec.Over("a", "b")), List.of("b", "a"), trials(a, b)).stream()
                .filter(result -> result.metric().equals("acked/s"))
                .findFirst()
                .orElseThrow();
    }

    /** Computed independently: 4.858 degrees of freedom, t = 2.5933 for 97.5 %. */
    @Test
    void ratioMatchesTheShownFigures() {
        // The median is larger in b, the mean in a.
        List<TrialResult> trials = new ArrayList<>();
        double[][] acked = {{100, 101, 140, 99}, {102, 103, 104, 102}};
        for (int i = 0; i < 4; i++) {
            trials.add(Trials.max("a", i, acked[0][i]));
            trials.add(Trials.max("b", i, acked[1][i]));
        }
        ComparisonResult compared = compared(trials, "b", "a").get(0);
        assertThat(compared.ratio()).isGreaterThan(1);
        double figures = Objects.requireNonNull(compared.figureOfA()) / Objects.requireNonNull(compared.figureOfB());
        assertThat(figures).isCloseTo(Objects.requireNonNull(compared.ratio()), within(1e-9));
    }

    @Test
    void theIntervalIsWelchsOnTheLogarithms() {
        ComparisonResult result = acked(new double[] {110, 120, 130, 125}, new double[] {100, 105, 95, 102});
        assertThat(Objects.requireNonNull(result.ratio())).isCloseTo(1.204976, within(1e-6));
        assertThat(Objects.requireNonNull(result.low())).isCloseTo(1.081973, within(1e-5));
        assertThat(Objects.requireNonNull(result.high())).isCloseTo(1.341963, within(1e-5));
        assertThat(result.verdict()).isEqualTo(Comparisons.BETTER);
        assertThat(Objects.requireNonNull(result.visible())).isGreaterThan(1.1);
    }

    @Test
    void publishedRatiosAppearBesideTheirPairAndMetric() {
        List<CompareSpec.Published> published = List.of(
                published("the guide", "b", "a", "acked/s", 2.13),
                published("its warm windows", "b", "a", "acked/s", 1.53),
                published("the guide", "b", "a", "p99", 9),
                published("the guide", "a", "b", "acked/s", 9));
        List<TrialResult> trials = List.of(Trials.max("a", 1, 100), Trials.max("b", 1, 150));
        List<ComparisonResult> results = Comparisons.beside(published, compared(trials, "a", "b"));
        assertThat(results.get(0).metric()).isEqualTo("acked/s");
        assertThat(results.get(0).sentence())
                .isEqualTo("b / a, acked/s: 1.50×, no verdict; 2.13× in the guide, 1.53× in its warm windows");
        assertThat(results.subList(1, results.size()))
                .allSatisfy(other -> assertThat(other.published()).isEmpty());
    }

    private static CompareSpec.Published published(String source, String a, String b, String stat, double ratio) {
        return new CompareSpec.Published(source, new CompareSpec.Over(a, b), stat, ratio);
    }

    @Test
    void fewerThanFourRepeatsGiveNoVerdict() {
        ComparisonResult three = acked(new double[] {200, 201, 202}, new double[] {100, 101, 102});
        assertThat(three.verdict()).isEqualTo(Comparisons.NO_VERDICT);
        assertThat(three.low()).isNotNull();
        ComparisonResult one = acked(new double[] {200}, new double[] {100});
        assertThat(Objects.requireNonNull(one.ratio())).isCloseTo(2, within(1e-9));
        assertThat(one.low()).isNull();
    }

    @Test
    void noiseIsNotADifference() {
        ComparisonResult result = acked(new double[] {100, 130, 90, 120}, new double[] {105, 95, 125, 110});
        assertThat(result.verdict()).isEqualTo(Comparisons.SAME);
    }

    @Test
    void lessIsBetterOnlyForLatency() {
        ComparisonResult less = acked(new double[] {50, 51, 52, 50}, new double[] {100, 101, 102, 100});
        assertThat(less.verdict()).isEqualTo(Comparisons.WORSE);
        List<TrialResult> trials = four(i ->
                List.of(stepped("a", i, new double[][] {{100, 100, 2 + 0.01 * i}}), stepped("b", i, new double[][] {
                    {100, 100, 4 + 0.01 * i}
                })));
        ComparisonResult p99 = compared(trials, "b", "a").get(0);
        assertThat(p99.metric()).isEqualTo("response p99");
        assertThat(p99.verdict()).isEqualTo(Comparisons.BETTER);
    }

    /** In each trial of {@code bound}, one message in twenty never ended. */
    private static String verdict(String bound, double p99OfA, double p99OfB) {
        List<TrialResult> trials = four(i -> List.of(
                trial("a", i, p99OfA + 0.01 * i, bound.equals("a")),
                trial("b", i, p99OfB + 0.01 * i, bound.equals("b"))));
        return compared(trials, "b", "a").get(0).verdict();
    }

    private static TrialResult trial(String variant, int repeat, double p99, boolean bound) {
        return bound
                ? Trials.unended(variant, repeat, p99)
                : stepped(variant, repeat, new double[][] {{100, 100, p99}});
    }

    @Test
    void aLowerBoundIsNeverCalledTheSmallerOne() {
        assertThat(verdict("", 2, 4)).isEqualTo(Comparisons.BETTER);
        assertThat(verdict("a", 2, 4)).isEqualTo(Comparisons.NO_VERDICT);
        assertThat(verdict("b", 2, 4)).isEqualTo(Comparisons.BETTER);
        assertThat(verdict("a", 4, 2)).isEqualTo(Comparisons.WORSE);
        assertThat(verdict("b", 4, 2)).isEqualTo(Comparisons.NO_VERDICT);
    }

    @Test
    void ofTwoLowerBoundsNoRatioIsKnown() {
        List<TrialResult> trials = four(i -> List.of(Trials.unended("a", i, 300 + i), Trials.unended("b", i, 300 - i)));
        ComparisonResult p99 = compared(trials, "b", "a").get(0);
        assertThat(p99.ratio()).isNull();
        assertThat(p99.sentence())
                .isEqualTo("a / b, response p99: ≥ 301 ms against ≥ 298 ms, no verdict (both figures are lower bounds,"
                        + " so the ratio is unknown)");
    }

    @Test
    void ratioOfALowerBoundHasNoUpperEnd() {
        List<TrialResult> trials = four(i ->
                List.of(Trials.unended("a", i, 300 + i), stepped("b", i, new double[][] {{100, 100, 100 - i}})));
        ComparisonResult p99 = compared(trials, "b", "a").get(0);
        assertThat(p99.text()).startsWith("≥ 3.").endsWith(", ?]");
        assertThat(p99.verdict()).isEqualTo(Comparisons.WORSE);
        ComparisonResult turned = compared(trials, "a", "b").get(0);
        assertThat(turned.text()).startsWith("≤ 0.3").contains("[?, 0.3");
    }

    @Test
    void latencyRatioOfUnsustainedStepsHasAQueueNote() {
        List<TrialResult> trials = four(i -> List.of(
                stepped("a", i, new double[][] {{100, 60, 900 + i}}),
                stepped("b", i, new double[][] {{100, 100, 2 + 0.01 * i}}),
                stepped("c", i, new double[][] {{100, 50, 950 + i}})));
        assertThat(compared(trials, "b", "a", "c"))
                .filteredOn(c -> c.metric().equals("response p99"))
                .extracting(ComparisonResult::note)
                .containsExactly(
                        "“a” does not sustain 100/s: the ratio compares queues, not latencies",
                        "“c” does not sustain 100/s: the ratio compares queues, not latencies");
        assertThat(compared(trials, "a", "c"))
                .extracting(ComparisonResult::metric, ComparisonResult::note)
                .contains(
                        tuple("response p99", "neither sustains 100/s: the ratio compares queues, not latencies"),
                        tuple("acked/s", ""));
    }

    /** Noise and small differences: the correction for many metrics changes the interval and the verdict together. */
    @Test
    void theIntervalThatIsShownAndTheVerdictAlwaysAgree() {
        Random random = new Random(11);
        int apart = 0;
        for (int run = 0; run < 100; run++) {
            List<TrialResult> trials = four(i -> List.of(
                    max("a", i, 100 * (1 + 0.1 * random.nextGaussian()), 10 + random.nextGaussian()),
                    max("b", i, 110 * (1 + 0.1 * random.nextGaussian()), 12 + random.nextGaussian())));
            for (ComparisonResult c : compared(trials, "b", "a")) {
                boolean leavesOneOut = Objects.requireNonNull(c.low()) > 1 || Objects.requireNonNull(c.high()) < 1;
                assertThat(c.verdict().equals(Comparisons.SAME))
                        .as(c.sentence())
                        .isEqualTo(!leavesOneOut);
                apart += leavesOneOut ? 1 : 0;
            }
        }
        assertThat(apart).isBetween(30, 270);
    }

    @Test
    void theShareThatIsShownAndItsPlaceAlwaysAgree() {
        Random random = new Random(12);
        for (int run = 0; run < 30; run++) {
            double[][] p99s = new double[3][4];
            double[] middles = {14, 10, 20};
            for (int v = 0; v < 3; v++) {
                for (int i = 0; i < 4; i++) {
                    p99s[v][i] = middles[v] + 1.5 * random.nextGaussian();
                }
            }
            for (ComparisonResult c : Comparisons.of(
                    List.of(new CompareSpec.Between("a", "b", "c")), List.of("a", "b", "c"), paced(p99s))) {
                if (c.low() != null && c.high() != null) {
                    boolean zero = c.low() <= 0 && c.high() >= 0;
                    boolean one = c.low() <= 1 && c.high() >= 1;
                    String place = zero ? one ? Comparisons.SAME : "like b" : one ? "like c" : "between";
                    assertThat(c.verdict()).as(c.sentence()).isEqualTo(place);
                }
            }
        }
    }

    @Test
    void fastestStepSustainedByBothIsComparedFirst() {
        List<TrialResult> trials = List.of(
                stepped("a", 1, new double[][] {{100, 100, 2}, {200, 200, 3}, {300, 300, 3}}),
                stepped("b", 1, new double[][] {{100, 100, 2}, {200, 200, 4}, {300, 150, 900}}));
        assertThat(compared(trials, "b", "a"))
                .extracting(ComparisonResult::metric)
                .startsWith("response p99 at 200/s")
                .hasSize(3);
    }

    @Test
    void recoveredShareRequiresAVisibleCost() {
        assertNoShare(new double[] {200}, new double[] {149}, new double[] {272});
        assertNoShare(new double[] {120, 121}, new double[] {150, 250}, new double[] {140, 200});
        assertNoShare(
                new double[] {120, 121, 122, 123}, new double[] {149, 150, 151, 152}, new double[] {271, 272, 273, 274
                });
        ComparisonResult seen = between(new double[] {150}, new double[] {272}, new double[] {149});
        assertThat(seen.ratio()).isBetween(0.99, 1.0);
        assertThat(seen.verdict()).isEqualTo(Comparisons.NO_VERDICT);
    }

    private static void assertNoShare(double[] a, double[] from, double[] to) {
        ComparisonResult none = between(a, from, to);
        assertThat(none.ratio()).isNull();
        assertThat(none.low()).isNull();
        assertThat(none.high()).isNull();
        assertThat(none.verdict()).isEqualTo(Comparisons.NO_WAY);
    }

    private static List<TrialResult> paced(double[]... p99s) {
        List<TrialResult> trials = new ArrayList<>();
        for (int v = 0; v < p99s.length; v++) {
            for (int i = 0; i < p99s[v].length; i++) {
                trials.add(stepped(String.valueOf((char) ('a' + v)), i, new double[][] {{100, 100, p99s[v][i]}}));
            }
        }
        return trials;
    }

    private static ComparisonResult between(double[] a, double[] from, double[] to) {
        return Comparisons.of(
                        List.of(new CompareSpec.Between("a", "b", "c")), List.of("a", "b", "c"), paced(a, from, to))
                .get(0);
    }

    @Test
    void variantBetweenTwoOthersHasAPosition() {
        double[] stressed = {100, 101, 99, 100};
        double[] quiet = {10, 10.1, 9.9, 10};
        ComparisonResult half = between(new double[] {55, 56, 54, 55}, stressed, quiet);
        assertThat(half.pair()).isEqualTo("a from b to c");
        assertThat(half.metric()).isEqualTo("response p99");
        assertThat(Objects.requireNonNull(half.ratio())).isCloseTo(0.5, within(0.01));
        assertThat(half.verdict()).isEqualTo("between");
        assertThat(half.text()).startsWith("50").contains("[").contains("%");
        assertThat(between(stressed, stressed, quiet).verdict()).isEqualTo("like b");
        assertThat(between(quiet, stressed, quiet).verdict()).isEqualTo("like c");
        assertThat(between(new double[] {5, 5.1, 4.9, 5}, stressed, quiet).verdict())
                .isEqualTo("beyond c");
        assertThat(between(new double[] {200, 201, 199, 200}, stressed, quiet).verdict())
                .isEqualTo("beyond b");
    }

    @Test
    void equalReferencesGiveNoPosition() {
        double[] same = {100, 110, 95, 105};
        ComparisonResult none = between(new double[] {55, 56, 54, 55}, same, new double[] {102, 108, 96, 104});
        assertThat(none.verdict()).isEqualTo(Comparisons.NO_WAY);
        assertThat(none.ratio()).isNull();
        ComparisonResult few = between(new double[] {55}, new double[] {100}, new double[] {10});
        assertThat(few.verdict()).isEqualTo(Comparisons.NO_VERDICT);
        assertThat(few.low()).isNull();
    }

    @Test
    void aTrialWithoutAFigureIsNotLeftOut() {
        ComparisonResult stalled = acked(new double[] {110, 120, 0, 125}, new double[] {100, 105, 95, 102});
        assertThat(stalled.ratio()).isNull();
        assertThat(stalled.verdict()).isEqualTo(Comparisons.NO_VERDICT);
    }

    @Test
    void deliveryPathsAreComparedAtTheSlowestRateAndByCpuCost() {
        List<TrialResult> trials = four(i -> List.of(
                Trials.delivered(
                        "direct",
                        i,
                        new double[][] {{1_000, 1_000, 2 + 0.01 * i}, {9_000, 9_000, 3 + 0.01 * i}},
                        60 + i),
                Trials.delivered(
                        "channel",
                        i,
                        new double[][] {{1_000, 1_000, 4 + 0.01 * i}, {9_000, 9_000, 9 + 0.01 * i}},
                        180 + i)));
        List<ComparisonResult> compared = compared(trials, "direct", "channel");
        assertThat(compared)
                .extracting(ComparisonResult::metric)
                .containsExactly(
                        "response p99 at 9,000/s",
                        "response p99 at 1,000/s",
                        "e2e p50 at 1,000/s",
                        "e2e p99 at 1,000/s",
                        "e2e p99.99 at 1,000/s",
                        "CPU per record");
        assertThat(compared.get(4).judged())
                .isEqualTo("worse (a trial has fewer than ten messages beyond this" + " percentile)");
        assertThat(compared.get(5).text()).startsWith("2.9").contains(" [");
        assertThat(compared.get(5).writtenA()).isEqualTo("181 µs");
        assertThat(compared.get(5).verdict()).isEqualTo(Comparisons.WORSE);
    }

    @Test
    void countsAreJudgedInTheWorstTrial() {
        List<TrialResult> trials = four(i -> List.of(
                Trials.trial("a", i, Trials.figures(100.0, 100, 2, i == 2 ? 7 : 0), List.of()),
                Trials.trial("b", i, Trials.figures(100.0, 100, 2, 0), List.of())));
        ComparisonResult lost = compared(trials, "b", "a").stream()
                .filter(c -> c.metric().equals("lost"))
                .findFirst()
                .orElseThrow();
        assertThat(lost.verdict()).isEqualTo(Comparisons.WORSE);
        assertThat(lost.figureOfA()).isEqualTo(7);
        assertThat(lost.text()).isEqualTo("7 against 0");
        assertThat(compared(trials, "a", "b"))
                .anyMatch(c -> c.metric().equals("lost") && c.verdict().equals(Comparisons.BETTER));
    }

    @Test
    void ackedRateOfAPacedLoadIsComparedOnlyAfterAShortfall() {
        double[] same = {2, 2, 2, 2};
        assertThat(Comparisons.of(List.of(), List.of("b", "a"), paced(same, same)))
                .extracting(ComparisonResult::metric)
                .doesNotContain("acked/s");
        List<TrialResult> trials = new ArrayList<>(paced(same, same));
        trials.add(stepped("a", 5, new double[][] {{100, 90, 2}}));
        assertThat(compared(trials, "b", "a"))
                .extracting(ComparisonResult::metric)
                .contains("acked/s");
    }

    /** Whole experiments, with figures as correlated as in one trial. */
    @Test
    void ofEqualVariantsAnyVerdictIsRare() {
        Random random = new Random(7);
        int wrong = 0;
        for (int i = 0; i < 1000; i++) {
            List<TrialResult> trials = new ArrayList<>();
            for (int repeat = 0; repeat < 5; repeat++) {
                for (String variant : List.of("a", "b")) {
                    double p99 = 20 * Math.exp(0.1 * random.nextGaussian());
                    double acked = 1e5 * Math.exp(0.05 * random.nextGaussian());
                    trials.add(max(variant, repeat, acked, p99));
                }
            }
            boolean any = compared(trials, "a", "b").stream()
                    .anyMatch(c -> !c.verdict().equals(Comparisons.SAME));
            wrong += any ? 1 : 0;
        }
        assertThat(wrong / 1000.0).isLessThanOrEqualTo(0.065);
    }
}
