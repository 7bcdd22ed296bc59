package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.measure.Welch;
import weir.plan.CompareSpec;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.ComparisonResult;

class CapacitiesTest {
    /** With 500 experiments per row, an interval of only 90 % coverage is detected in 98 of 100 runs. */
    private static final int EXPERIMENTS = 500;

    private static CapacityResult found(String of, @Nullable Double low, @Nullable Double high, String reason) {
        return new CapacityResult(
                of, List.of("response p99 < 50ms", "e2e p99 <= 1s"), low, low, high, reason, List.of());
    }

    private static ComparisonResult compared(CapacityResult a, CapacityResult b) {
        return Capacities.compared(List.of(new CompareSpec.Over("a", "b")), List.of(a, b))
                .get(0);
    }

    @Test
    void capacityAnswerHasRateIntervalAndReason() {
        assertThat(said(found("base", 41_200.0, 42_800.0, "at 42,800/s response p99 was 80 ms")))
                .isEqualTo("Sustains 41,200/s [41,200, 42,800] with response p99 below 50 ms and e2e p99 at most 1 s;"
                        + " at 42,800/s response p99 was 80 ms.");
        assertThat(said(found("base", null, null, "no rate is sustained: even at 1,000/s achieved 91 %")))
                .isEqualTo("No rate is sustained: even at 1,000/s achieved 91 %.");
        assertThat(said(found("base", 9_000.0, null, "the generator is the limit")))
                .startsWith("Sustains 9,000/s [9,000, ?] with")
                .endsWith("; the generator is the limit.");
        assertThat(Capacities.clauses(List.of())).isEmpty();
    }

    @Test
    void anIntervalThatReachesToTwiceItsLowerEndIsTheAnswerItself() {
        String reason = "at 29,610/s response p99 was 83 ms; the trials vary too much for 5 %";
        CapacityResult wide = found("base", 11_390.0, 61_370.0, reason);
        assertThat(said(wide))
                .isEqualTo(
                        "Undecided between 11,390/s and 61,370/s with response p99 below 50 ms and e2e p99 at most 1 s:"
                                + " 11,390/s was sustained; " + reason + ".");
        assertThat(Capacities.clauses(List.of(wide, found("b", 60_000.0, 90_000.0, "it slowed"))))
                .containsExactly(
                        "“base” undecided between 11,390/s and 61,370/s: 11,390/s was sustained; " + reason,
                        "“b” sustains 60,000/s [60,000, 90,000]; it slowed");
    }

    @Test
    void disjointCapacityIntervalsGiveAVerdict() {
        ComparisonResult more = compared(found("a", 3_000.0, 3_100.0, ""), found("b", 1_000.0, 1_100.0, ""));
        assertThat(more.metric()).isEqualTo("capacity");
        assertThat(more.verdict()).isEqualTo(Comparisons.BETTER);
        assertThat(more.low()).isEqualTo(3_000 / 1_100.0);
        assertThat(more.high()).isEqualTo(3.1);
        assertThat(compared(found("a", 1_000.0, 1_100.0, ""), found("b", 3_000.0, 3_100.0, ""))
                        .verdict())
                .isEqualTo(Comparisons.WORSE);
        assertThat(compared(found("a", 1_000.0, 1_100.0, ""), found("b", 1_050.0, 1_200.0, ""))
                        .verdict())
                .isEqualTo(Comparisons.SAME);
        assertThat(compared(found("a", 1_000.0, null, ""), found("b", 1_050.0, 1_200.0, ""))
                        .verdict())
                .isEqualTo(Comparisons.SAME);
        ComparisonResult atLeast = compared(found("a", 60_000.0, null, ""), found("b", 10_000.0, 12_000.0, ""));
        assertThat(atLeast.verdict()).isEqualTo(Comparisons.BETTER);
        assertThat(atLeast.text()).isEqualTo("6.00× [5.00×, ?]");
        assertThat(atLeast.visible()).isNull();
        ComparisonResult atMost = compared(found("a", 10_000.0, 12_000.0, ""), found("b", 60_000.0, null, ""));
        assertThat(atMost.verdict()).isEqualTo(Comparisons.WORSE);
        assertThat(atMost.text()).isEqualTo("0.17× [?, 0.20×]");
        assertThat(compared(found("a", 1_000.0, null, ""), found("b", 9_000.0, null, ""))
                        .verdict())
                .isEqualTo(Comparisons.NO_VERDICT);
    }

    @Test
    void capacityRatioMatchesTheShownCapacitiesAndItsInterval() {
        CapacityResult a = new CapacityResult("a", List.of(), 121_300.0, 52_000.0, 125_000.0, "", List.of());
        CapacityResult b = new CapacityResult("b", List.of(), 123_500.0, 120_000.0, 131_000.0, "", List.of());
        ComparisonResult both = compared(a, b);
        assertThat(both.text()).isEqualTo("0.98× [0.40×, 1.04×]");
        assertThat(both.verdict()).isEqualTo(Comparisons.SAME);
        CapacityResult open = new CapacityResult("a", List.of(), 240_000.0, 180_000.0, null, "", List.of());
        assertThat(compared(open, b).text()).isEqualTo("1.94× [1.37×, ?]");
    }

    @Test
    void generatorGaveWayOnlyAtTheRateAboveTheAnswer() {
        Attempt held = new Attempt(1, 100, 5, Attempt.Outcome.SUSTAINED, "");
        Attempt ours = new Attempt(2, 400, 5, Attempt.Outcome.OURS, "late");
        Attempt refused = new Attempt(3, 400, 5, Attempt.Outcome.REFUSED, "slow");
        assertThat(after(100.0, held, ours, ours).generatorGaveWay()).isTrue();
        assertThat(after(100.0, held, ours, refused, refused).generatorGaveWay())
                .isFalse();
        // Two other trials outvote the failed one: the rate held.
        Attempt again = new Attempt(4, 400, 5, Attempt.Outcome.SUSTAINED, "");
        assertThat(after(400.0, held, ours, again, again).generatorGaveWay()).isFalse();
        assertThat(after(null, ours, ours, ours).generatorGaveWay()).isTrue();
        // A rate that held in one of two trials is between the bounds.
        assertThat(after(50.0, held, ours, ours).generatorGaveWay()).isTrue();
    }

    @Test
    void durationOfSustainedTrialsIsReported() {
        Attempt held = new Attempt(1, 100, 5, Attempt.Outcome.SUSTAINED, "");
        Attempt longer = new Attempt(2, 10, 50, Attempt.Outcome.SUSTAINED, "");
        Attempt refused = new Attempt(3, 400, 2, Attempt.Outcome.REFUSED, "slow");
        Attempt lasts = new Attempt(4, 100, 30, Attempt.Outcome.SUSTAINED, "").asConfirmation();
        Attempt doesNot = new Attempt(5, 110, 30, Attempt.Outcome.REFUSED, "slow").asConfirmation();
        assertThat(Capacities.trials(List.of(after(100.0, held, held, refused))))
                .isEqualTo("3 search trials of 5 s, the answer not confirmed by a longer trial");
        assertThat(Capacities.trials(List.of(after(100.0, held, longer, lasts))))
                .isEqualTo("3 search trials: 2 of 5 to 50 s and 1 longer, the answer sustained for 30 s");
        assertThat(Capacities.trials(List.of(after(100.0, held, held, doesNot, lasts))))
                .isEqualTo("4 search trials: 2 of 5 s and 2 longer, the answer sustained for 30 s");
        assertThat(Capacities.trials(List.of(after(100.0, held, lasts), after(100.0, held, lasts))))
                .isEqualTo("4 search trials: 2 of 5 s and 2 longer, the answers sustained for 30 s");
        assertThat(Capacities.trials(List.of(after(null, refused)))).isEqualTo("one search trial");
    }

    @Test
    void anIntervalThatIsTooWideHasNoRateForAnAnswer() {
        CapacityResult wide = new CapacityResult(
                "a",
                List.of(),
                1_000.0,
                980.0,
                2_040.0,
                "",
                List.of(
                        new Attempt(1, 900, 5, Attempt.Outcome.REFUSED, "achieved 91 %"),
                        new Attempt(2, 1_000, 5, Attempt.Outcome.SUSTAINED, ""),
                        new Attempt(3, 4_000, 5, Attempt.Outcome.REFUSED, "slow")));
        assertThat(Capacities.answer(wide)).isEqualTo("undecided between 980/s and 2,040/s");
        assertThat(Capacities.answer(found("a", 1_000.0, 1_100.0, ""))).isEqualTo("1,000/s [1,000, 1,100]");
        assertThat(Capacities.trials(List.of(wide)))
                .isEqualTo("3 search trials of 5 s, the highest sustained rate not confirmed by a longer trial");
        assertThat(Capacities.refusedBelow(wide))
                .isEqualTo("trial 1 at 900/s (below the interval) was not sustained: achieved 91 %");
    }

    private static CapacityResult after(@Nullable Double rate, Attempt... tried) {
        return new CapacityResult("base", List.of(), rate, rate, null, "", List.of(tried));
    }

    @Test
    void capacitiesOfSeveralVariantsAreListed() {
        assertThat(said(found("a", 3_000.0, 3_100.0, "at 3,100/s achieved 91 %"), found("b", 1_000.0, 1_100.0, "x")))
                .isEqualTo("“a” sustains 3,000/s [3,000, 3,100]; at 3,100/s achieved 91 %; “b” sustains 1,000/s"
                        + " [1,000, 1,100]; x.");
    }

    @Test
    void capacityAfterOperationsIsOneClauseWithTheCapacityBeforeThemAndTheirRatio() {
        CapacityResult before = found("base", 1_000.0, 1_100.0, "at 1,100/s achieved 91 %");
        CapacityResult after = found("base after grow", 3_000.0, 3_300.0, "at 3,300/s achieved 92 %");
        assertThat(said(before, after))
                .isEqualTo("Sustains 1,000/s [1,000, 1,100] with response p99 below 50 ms and e2e p99 at most 1 s, and"
                        + " 3,000/s [3,000, 3,300] after grow: 3.00× [2.73×, 3.30×], better; before: at 1,100/s achieved"
                        + " 91 %; after: at 3,300/s achieved 92 %.");
        assertThat(said(
                        before,
                        found("base after grow", null, null, "no rate is sustained"),
                        found("b", 5.0, 6.0, "x")))
                .isEqualTo("“base” sustains 1,000/s [1,000, 1,100], and no rate after grow; before: at 1,100/s achieved"
                        + " 91 %; after: no rate is sustained; “b” sustains 5/s [5, 6]; x.");
        assertThat(Capacities.compared(List.of(), List.of(before, after)))
                .singleElement()
                .satisfies(compared -> {
                    assertThat(compared.pair()).isEqualTo("base after grow / base");
                    assertThat(compared.ratio()).isEqualTo(3);
                });
    }

    private static String said(CapacityResult... found) {
        return String.join("; ", Capacities.clauses(List.of(found))) + ".";
    }

    private static Comparisons.RecoveryShare of(double[] a, double[] from, double[] to) {
        return Comparisons.RecoveryShare.of(a, from, to, Welch.LEVEL);
    }

    private static double[] trials(Random random, int repeats, double middle, double spread) {
        double[] values = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            values[i] = middle * Math.exp(spread * random.nextGaussian());
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource({
        "4, 20, 0.1", "5, 20, 0.1", "10, 20, 0.1", // 100 ms with the neighbour, 10 without, 20 with a limit
        "4, 60, 0.3", "5, 60, 0.3", "10, 60, 0.3", // trials that spread widely
        "5, 100, 0.2", "5, 10, 0.2", "5, 140, 0.2" // nothing recovered, everything, worse than before
    })
    void theIntervalHoldsTheTruthNineteenTimesOfTwenty(int repeats, double middle, double spread) {
        Random random = new Random(repeats);
        double truth = (middle - 100) / (10 - 100);
        int covered = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            Comparisons.RecoveryShare recovered = of(
                    trials(random, repeats, middle, spread),
                    trials(random, repeats, 100, spread * 1.5),
                    trials(random, repeats, 10, spread));
            covered += recovered.low() <= truth && truth <= recovered.high() ? 1 : 0;
        }
        assertThat(covered / (double) EXPERIMENTS).isBetween(0.93, 0.985);
    }

    @Test
    void recoveryShareIsLinear() {
        double[] from = {100, 100, 100, 100};
        double[] to = {10, 10, 10, 10};
        Comparisons.RecoveryShare half = of(new double[] {55, 55, 55, 55}, from, to);
        assertThat(half.share()).isCloseTo(0.5, within(1e-12));
        assertThat(half.low()).isCloseTo(0.5, within(1e-9));
        assertThat(half.high()).isCloseTo(0.5, within(1e-9));
        assertThat(of(from, from, to).share()).isCloseTo(0, within(1e-12));
        assertThat(of(to, from, to).share()).isCloseTo(1, within(1e-12));
    }

    @Test
    void throughputRecoveryHasAShareAndAnInterval() {
        Comparisons.RecoveryShare recovered =
                of(new double[] {80, 81, 79, 80}, new double[] {50, 51, 49, 50}, new double[] {90, 91, 89, 90});
        assertThat(recovered.share()).isCloseTo(0.75, within(0.01));
        assertThat(recovered.low()).isBetween(0.6, 0.75);
        assertThat(recovered.high()).isBetween(0.75, 0.9);
    }

    @Test
    void shareIntervalExcludesZeroExactlyIfTheRatioIsSignificant() {
        Random random = new Random(4);
        int apart = 0;
        for (int i = 0; i < 200; i++) {
            double[] a = trials(random, 5, 80, 0.15);
            double[] from = trials(random, 5, 100, 0.15);
            double[] to = trials(random, 5, 10, 0.15);
            Comparisons.RecoveryShare recovered = of(a, from, to);
            boolean outside = recovered.low() > 0 || recovered.high() < 0;
            assertThat(outside).isEqualTo(Welch.of(a, from).p() <= Welch.LEVEL);
            apart += outside ? 1 : 0;
        }
        assertThat(apart).isBetween(50, 150);
    }

    @Test
    void nothingTakesLessThanNoTime() {
        // From 100 ms to 10 ms is the whole range; a ninth more would reach 0 ms.
        Random random = new Random(5);
        Comparisons.RecoveryShare wide =
                of(trials(random, 4, 10, 2), trials(random, 4, 100, 0.1), trials(random, 4, 10, 0.1));
        assertThat(wide.high()).isLessThanOrEqualTo(1.2);
    }

    @Test
    void recoveryShareIsUnknownWithoutACost() {
        double[] same = {10, 10};
        assertThat(of(same, same, same).share()).isNaN();
        assertThat(of(new double[] {1, 0}, same, new double[] {5, 5}).share()).isNaN();
        Comparisons.RecoveryShare once = of(new double[] {55}, new double[] {100}, new double[] {10});
        assertThat(once.share()).isCloseTo(0.5, within(1e-12));
        assertThat(once.low()).isNaN();
        assertThat(of(new double[0], same, same).share()).isNaN();
    }
}
