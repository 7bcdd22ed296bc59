package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static weir.results.Trials.stepped;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.judge.answer.MadeUpFindings;
import weir.plan.CompareSpec;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.BreakingPointResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.GeneratorResult;
import weir.results.value.GeneratorResult.AloneResult;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

class BreakingPointsTest {
    private static final double[][] COLD = {
        {20_000, 20_000, 197}, {40_000, 34_400, 300}, {80_000, 72_581, 300}, {160_000, 147_689, 354}
    };

    private static TrialResult trial(int repeat, double[][] steps) {
        return Trials.stepped("a", repeat, steps);
    }

    private static BreakingPointResult of(TrialResult... trials) {
        return BreakingPoints.of("a", List.of(), List.of(trials));
    }

    private static BreakingPointResult of(double[][] steps) {
        return of(trial(1, steps));
    }

    private static LoadCurve curve(double[][] steps) {
        return curve(trial(1, steps));
    }

    private static LoadCurve curve(TrialResult... trials) {
        return LoadCurve.of("a", List.of(trials));
    }

    /** Returns a trial that breaks at this rate of 100, 200 … 900; at none of them for 1000. */
    private static TrialResult breaking(int repeat, double at) {
        double[][] steps = new double[9][];
        for (int i = 0; i < 9; i++) {
            double rate = 100.0 * (i + 1);
            steps[i] = new double[] {rate, rate < at ? rate : at * 0.8, rate < at ? 2 : 900};
        }
        return trial(repeat, steps);
    }

    @Test
    void breakingPointOfOneTrialIsItsFirstUnsustainedStep() {
        BreakingPointResult point = of(new double[][] {{100, 100, 2}, {200, 200, 3}, {300, 270, 40}, {400, 300, 90}});
        assertThat(point.rate()).isEqualTo(300);
        assertThat(point.sustained()).isEqualTo(200);
        assertThat(point.low()).isNull();
        assertThat(point.high()).isNull();
        assertThat(point.confidence()).isNull();
        assertThat(point.reason()).startsWith("achieved 90 %");
        assertThat(point.text()).isEqualTo("300/s");
    }

    @Test
    void loadSustainedToTheLastStepHasNoBreakingPoint() {
        BreakingPointResult point = of(new double[][] {{100, 100, 2}, {200, 200, 3}});
        assertThat(point.rate()).isNull();
        assertThat(point.sustained()).isEqualTo(200);
        assertThat(point.text()).isEqualTo("did not break up to 200/s");
    }

    @Test
    void firstStepIsTheBreakingPointIfNoStepIsSustained() {
        BreakingPointResult point = of(new double[][] {{100, 50, 900}, {200, 50, 3000}});
        assertThat(point.rate()).isEqualTo(100);
        assertThat(point.sustained()).isNull();
    }

    @Test
    void slowStepBeforeASustainedStepIsNoBreak() {
        BreakingPointResult point = of(new double[][] {{100, 100, 2}, {200, 200, 60}, {300, 300, 2}, {400, 400, 60}});
        assertThat(point.rate()).isEqualTo(400);
        assertThat(point.sustained()).isEqualTo(300);
    }

    @Test
    void aBrokenStepCountsUnlessAFasterOneShowsThatItWasCold() {
        BreakingPointResult point = of(new double[][] {{100, 100, 2}, {200, 150, 2}, {300, 190, 2}});
        assertThat(point.rate()).isEqualTo(200);
        BreakingPointResult cold = of(new double[][] {{100, 100, 2}, {200, 150, 2}, {300, 300, 2}, {400, 320, 9}});
        assertThat(cold.rate()).isEqualTo(400);
        assertThat(cold.sustained()).isEqualTo(300);
    }

    @Test
    void untestedStepIsNoBreakingPoint() {
        TrialResult late = Trials.late(trial(1, new double[][] {{1_000, 890, 775}}), 750, 11);
        TrialResult calm = trial(1, new double[][] {{500, 500, 2}});
        StepResult faster = late.steps().get(0);
        TrialResult both = calm.with(List.of(
                calm.steps().get(0),
                new StepResult(1_000.0, 3, "1,000/s", 10, 10, faster.figures(), null, null, null, null)));
        assertThat(of(both).rate()).isNull();
        assertThat(said(List.of(of(both)), List.of(both)))
                .startsWith("Did not break up to 500/s with response p99 2.00 ms; is untested at 1,000/s: the generator"
                        + " itself was late by 750 ms at p99");
        assertThat(said(List.of(of(late)), List.of(late)))
                .startsWith("Is untested at 1,000/s: the generator itself was late");
    }

    @Test
    void stepsToRecoverDoNotCount() {
        BreakingPointResult point =
                of(new double[][] {{1000, 1000, 2}, {100, 40, 900}, {1000, 400, 900}, {2000, 2000, 2}});
        assertThat(point.rate()).isNull();
        assertThat(point.offered()).isEqualTo(2000);
    }

    @Test
    void overRepeatsItIsTheMiddleOneWithTheRangeOfAll() {
        BreakingPointResult point =
                of(breaking(1, 500), breaking(2, 400), breaking(3, 500), breaking(4, 600), breaking(5, 500));
        assertThat(point.rate()).isEqualTo(500);
        assertThat(point.low()).isEqualTo(400);
        assertThat(point.high()).isEqualTo(600);
        assertThat(point.confidence()).isEqualTo(0.9375);
        assertThat(point.sustained()).isEqualTo(300);
        assertThat(point.text()).isEqualTo("500/s (5 trials: 400/s to 600/s, with 93.7 % confidence)");
    }

    @Test
    void ofManyRepeatsTheOutermostAreLeftOut() {
        List<TrialResult> nine = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            nine.add(breaking(i + 1, 100 * (i + 1)));
        }
        BreakingPointResult point = BreakingPoints.of("a", List.of(), nine);
        assertThat(point.rate()).isEqualTo(500);
        assertThat(point.low()).isEqualTo(200);
        assertThat(point.high()).isEqualTo(800);
        assertThat(Objects.requireNonNull(point.confidence())).isCloseTo(1 - 20 / 512.0, within(1e-12));
    }

    @Test
    void aRepeatThatDidNotBreakLeavesTheUpperEndOpen() {
        BreakingPointResult point = of(breaking(1, 500), breaking(2, 500), breaking(3, 1000));
        assertThat(point.rate()).isEqualTo(500);
        assertThat(point.high()).isNull();
        assertThat(point.confidence()).isEqualTo(0.75);
        assertThat(point.text()).contains("500/s to beyond 900/s");
        assertThat(of(breaking(1, 500), breaking(2, 1000), breaking(3, 1000)).rate())
                .isNull();
    }

    @Test
    void aLimitThatAStepMissedKeepsItFromHolding() {
        TrialResult calm = trial(1, new double[][] {{100, 100, 2}, {200, 200, 3}});
        List<StepResult> steps = calm.steps();
        TrialResult missed = calm.with(List.of(
                steps.get(0),
                steps.get(1)
                        .with(new StepVerdict(
                                StepState.SUSTAINED,
                                "",
                                List.of("e2e p99 is 7.00 ms, the limit < 5ms"),
                                false,
                                null))));
        BreakingPointResult point = of(missed);
        assertThat(point.rate()).isEqualTo(200);
        assertThat(point.reason()).isEqualTo("e2e p99 is 7.00 ms, the limit < 5ms");
        assertThat(curve(missed).points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.DEGRADED);
    }

    @Test
    void breakIsTheGeneratorsIfItCannotSustainThatStepAlone() {
        TrialResult broken = breaking(1, 500);
        assertThat(of(broken).ours()).isFalse();
        GeneratorResult late = new GeneratorResult(
                null,
                null,
                null,
                null,
                List.of(new AloneResult(400, 5, 1.0, 0.1, true), new AloneResult(500, 5, 0.9, 40.0, false)),
                1);
        TrialResult tried = RecordKeys.with(broken, Map.of("generator", late));
        assertThat(of(tried).ours()).isTrue();
        assertThat(said(List.of(of(tried)), List.of(tried)))
                .startsWith("Breaks at 500/s: achieved 80 %")
                .contains(
                        "(but the generator alone does not sustain that step either); it sustains 400/s with response p99");
    }

    @Test
    void breakingPointSentenceNamesTheRateEveryTrialSustains() {
        List<TrialResult> trials = List.of(breaking(1, 500), breaking(2, 300), breaking(3, 500));
        assertThat(said(List.of(BreakingPoints.of("a", List.of(), trials)), trials))
                .startsWith("Breaks at 500/s (3 trials: 300/s to 500/s")
                .contains("; every trial sustains 200/s with response p99");
    }

    @Test
    void theAnswerNamesEachVariantThatWasAsked() {
        List<TrialResult> trials =
                List.of(breaking(1, 500), Trials.stepped("b", 1, new double[][] {{100, 100, 2}, {200, 200, 2}}));
        List<BreakingPointResult> points =
                List.of(BreakingPoints.of("a", List.of(), trials), BreakingPoints.of("b", List.of(), trials));
        assertThat(said(points, trials))
                .isEqualTo("“a” breaks at 500/s; “b” did not break up to 200/s; one trial each.");
        assertThat(said(List.of(), trials)).doesNotContain("break");
    }

    private static String said(List<BreakingPointResult> points, List<TrialResult> trials) {
        return MadeUpFindings.of(trials).breaking(points).answer();
    }

    @Test
    void variantsThatAllBreakAreComparedByIt() {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            trials.add(breaking(i, 800 + 100 * (i % 2)));
            trials.add(breaking(i, 200 + 100 * (i % 2)).of("b"));
        }
        assertThat(Comparisons.of(List.of(new CompareSpec.Over("a", "b")), List.of("a", "b"), trials))
                .anySatisfy(comparison -> {
                    assertThat(comparison.metric()).isEqualTo("breaking-point");
                    assertThat(comparison.ratio()).isBetween(3.4, 3.5);
                    assertThat(comparison.verdict()).isEqualTo("better");
                });
    }

    @Test
    void stepSustainedAfterABreakIsReported() {
        assertThat(curve(new double[][] {{300, 100, 900}, {100, 100, 2}}).sustains())
                .isEqualTo("100/s after it broke");
        assertThat(curve(new double[][] {{300, 300, 2}, {400, 100, 900}}).sustains())
                .isEqualTo("300/s");
        assertThat(curve(new double[][] {{300, 100, 900}}).sustains()).isEqualTo("nothing");
    }

    @Test
    void kneeIsTheFastestRateWithAllSlowerRatesSustained() {
        LoadCurve curve = curve(new double[][] {{100, 100, 2}, {200, 200, 3}, {300, 270, 40}, {400, 290, 3}});
        assertThat(curve.points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.SUSTAINED, StepState.BROKEN, StepState.BROKEN);
        assertThat(curve.cold()).isEmpty();
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(200);
        assertThat(Objects.requireNonNull(curve.beyond()).rate()).isEqualTo(300);
    }

    @Test
    void stepTenTimesSlowerThanTheCalmestIsDegraded() {
        LoadCurve curve = curve(new double[][] {{100, 100, 0.5}, {200, 200, 6}, {300, 300, 10.5}});
        assertThat(curve.points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.SUSTAINED, StepState.DEGRADED);
        assertThat(curve.points().get(2).why()).startsWith("p99 ").endsWith(" (21× the p99 of the calmest step)");
        StepResult calm =
                stepped("a", 1, new double[][] {{100, 100, 2}}).steps().get(0);
        StepResult unended = Trials.unended("a", 1, 100).steps().get(0);
        TrialResult both = Trials.unended("a", 1, 100)
                .with(List.of(
                        calm, new StepResult(200.0, 3, "200/s", 10, 10, unended.figures(), null, null, null, null)));
        assertThat(curve(both).points().get(1).why()).isEqualTo("p99 ≥ 100 ms (≥ 50× the p99 of the calmest step)");
    }

    @Test
    void unsustainedStepIsUntestedIfTheGeneratorWasLate() {
        TrialResult slow = stepped("a", 1, new double[][] {{1_000, 890, 775}});
        LoadCurve.Point untested = curve(Trials.late(slow, 750, 11)).points().get(0);
        assertThat(untested.state()).isEqualTo(StepState.UNTESTED);
        assertThat(untested.why())
                .isEqualTo("the generator itself was late by 750 ms at p99 (achieved 89 %, 11 unsent)");
        assertThat(curve(Trials.late(slow, 4, 11)).points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.BROKEN);
        TrialResult calm = stepped("a", 1, new double[][] {{1_000, 1_000, 775}});
        assertThat(curve(Trials.late(calm, 750, 0)).points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED);
    }

    @Test
    void stepThatDrainsAnEarlierBacklogIsDegraded() {
        LoadCurve curve = curve(new double[][] {{100, 130, 2}});
        assertThat(curve.points().get(0).state()).isEqualTo(StepState.DEGRADED);
        assertThat(curve.knee()).isNull();
    }

    @Test
    void variantWithoutStepsHasNoSustainedRate() {
        assertThat(LoadCurve.of("a", List.of()).sustains()).isEqualTo("–");
        assertThat(curve(new double[][] {{100, 100, 2}}).sustains()).isEqualTo("100/s");
    }

    @Test
    void messagesInFlightAtAStepEndAreNoShortfall() {
        List<TrialResult> trials = List.of(stepped("a", 1, new double[][] {{100, 99.2, 2}, {200, 196, 2}}));
        double seconds = trials.get(0).steps().get(0).seconds();
        assertThat(seconds).isBetween(10.0, 12.5);
        assertThat(LoadCurve.of("a", trials).points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.DEGRADED);
    }

    @Test
    void figuresAreMediansOverTrials() {
        LoadCurve curve = LoadCurve.of(
                "a",
                List.of(
                        stepped("a", 1, new double[][] {{100, 100, 2}}),
                        stepped("b", 1, new double[][] {{100, 10, 900}}),
                        stepped("a", 2, new double[][] {{100, 99, 9}}),
                        stepped("a", 3, new double[][] {{100, 100, 4}})));
        assertThat(curve.points().get(0).response().p99()).isEqualTo(4);
        assertThat(curve.points().get(0).achievedPerSecond()).isEqualTo(100);
    }

    @Test
    void stepsBackToRecoverAreNotPartOfTheRise() {
        LoadCurve curve = curve(new double[][] {{1000, 1000, 2}, {100, 50, 2}, {2000, 2000, 2}});
        assertThat(curve.rising()).extracting(LoadCurve.Point::rate).containsExactly(1000.0, 2000.0);
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(2000);
    }

    @Test
    void stepBelowItsRateIsColdIfALaterStepCarriedMore() {
        LoadCurve curve = curve(COLD);
        assertThat(curve.cold())
                .extracting(cold -> cold.point().rate() + ": " + cold.later())
                .containsExactly(
                        "40000.0: the later step at 80,000/s achieved 72,581/s",
                        "80000.0: the later step at 160,000/s achieved 147,689/s");
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(20_000);
        assertThat(Objects.requireNonNull(curve.beyond()).rate()).isEqualTo(160_000);
    }

    @Test
    void aFasterStepThatIsSustainedAfterAColdOneIsTheKnee() {
        LoadCurve curve = curve(new double[][] {{100, 56, 900}, {200, 200, 9}, {400, 210, 90}});
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(200);
        assertThat(Objects.requireNonNull(curve.beyond()).rate()).isEqualTo(400);
    }

    @Test
    void aLimitThatCarriesALittleMoreUnderMoreLoadIsNotCold() {
        assertThat(curve(new double[][] {{80, 80, 2}, {100, 99, 9}, {110, 102, 90}})
                        .cold())
                .isEmpty();
    }

    @Test
    void aStepThatOnlyTheFirstTrialDidNotCarryIsCold() {
        TrialResult first = stepped("a", 1, new double[][] {{100, 60, 90}});
        TrialResult second = stepped("a", 2, new double[][] {{100, 100, 2}});
        assertThat(curve(first, second).cold())
                .extracting(LoadCurve.Cold::later)
                .containsExactly("every later trial sustained it");
        assertThat(curve(second, first).cold()).isEmpty();
    }

    @Test
    void aDisturbedStepIsNotCold() {
        DisturbanceResult pause =
                new DisturbanceResult("pause", "broker 1", 0, 1.0, 0, true, 1.0, null, null, null, null);
        TrialResult trial = Trials.disturbed(stepped("a", 1, COLD), List.of(pause));
        assertThat(curve(trial).cold()).isEmpty();
    }
}
