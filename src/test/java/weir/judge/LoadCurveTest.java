package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.results.Trials.stepped;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.results.Trials;
import weir.results.value.DisturbanceResult;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

class LoadCurveTest {
    @Test
    void aStepThatIsSustainedOnlyAfterTheCurveBrokeIsSaidSo() {
        assertThat(LoadCurve.of("a", List.of(Trials.stepped("a", 1, new double[][] {{300, 100, 900}, {100, 100, 2}})))
                        .sustains())
                .isEqualTo("100/s after it broke");
        assertThat(LoadCurve.of("a", List.of(Trials.stepped("a", 1, new double[][] {{300, 300, 2}, {400, 100, 900}})))
                        .sustains())
                .isEqualTo("300/s");
        assertThat(LoadCurve.of("a", List.of(Trials.stepped("a", 1, new double[][] {{300, 100, 900}})))
                        .sustains())
                .isEqualTo("nothing");
    }

    @Test
    void theKneeIsTheFastestRateThatHeldWithEverySlowerOne() {
        LoadCurve curve = LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {
            {100, 100, 2}, {200, 200, 3}, {300, 270, 40}, {400, 290, 3}
        })));
        assertThat(curve.points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.SUSTAINED, StepState.BROKEN, StepState.BROKEN);
        assertThat(curve.cold()).isEmpty();
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(200);
        assertThat(Objects.requireNonNull(curve.beyond()).rate()).isEqualTo(300);
    }

    @Test
    void aStepTenTimesAsSlowAsTheCalmestIsDegradedOnceItIsSlow() {
        LoadCurve curve = LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {
            {100, 100, 0.5}, {200, 200, 6}, {300, 300, 10.5}
        })));
        assertThat(curve.points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.SUSTAINED, StepState.DEGRADED);
        assertThat(curve.points().get(2).why()).startsWith("p99 ").endsWith(" (21× the calmest step's)");
        StepResult calm =
                stepped("a", 1, new double[][] {{100, 100, 2}}).steps().get(0);
        StepResult unended = Trials.unended("a", 1, 100).steps().get(0);
        TrialResult both = Trials.unended("a", 1, 100)
                .with(List.of(
                        calm, new StepResult(200.0, 3, "200/s", 10, 10, unended.figures(), null, null, null, null)));
        assertThat(LoadCurve.of("a", List.of(both)).points().get(1).why())
                .isEqualTo("p99 ≥ 100 ms (≥ 50× the calmest step's)");
    }

    @Test
    void aStepThatIsNotSustainedIsUntestedWhereTheGeneratorItselfWasLate() {
        TrialResult slow = stepped("a", 1, new double[][] {{1_000, 890, 775}});
        LoadCurve.Point untested =
                LoadCurve.of("a", List.of(Trials.late(slow, 750, 11))).points().get(0);
        assertThat(untested.state()).isEqualTo(StepState.UNTESTED);
        assertThat(untested.why())
                .isEqualTo("the generator itself was late by 750 ms at p99 (achieved 89 %, 11 unsent)");
        assertThat(LoadCurve.of("a", List.of(Trials.late(slow, 4, 11))).points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.BROKEN);
        TrialResult calm = stepped("a", 1, new double[][] {{1_000, 1_000, 775}});
        assertThat(LoadCurve.of("a", List.of(Trials.late(calm, 750, 0))).points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED);
    }

    @Test
    void aStepThatWorksOffAnEarlierBacklogHasNotHeld() {
        LoadCurve curve = LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {{100, 130, 2}})));
        assertThat(curve.points().get(0).state()).isEqualTo(StepState.DEGRADED);
        assertThat(curve.knee()).isNull();
    }

    @Test
    void whatIsOnItsWayWhenAShortStepEndsIsNoShortfall() {
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
        LoadCurve curve =
                LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {{1000, 1000, 2}, {100, 50, 2}, {2000, 2000, 2}
                })));
        assertThat(curve.rising()).extracting(LoadCurve.Point::rate).containsExactly(1000.0, 2000.0);
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(2000);
    }

    private static final double[][] COLD = {
        {20_000, 20_000, 197}, {40_000, 34_400, 300}, {80_000, 72_581, 300}, {160_000, 147_689, 354}
    };

    @Test
    void aStepThatCarriedLessThanItsRateBeforeAFasterStepCarriedMoreIsCold() {
        LoadCurve curve = LoadCurve.of("a", List.of(stepped("a", 1, COLD)));
        assertThat(curve.cold())
                .extracting(cold -> cold.point().rate() + ": " + cold.later())
                .containsExactly(
                        "40000.0: 80,000/s carried 72,581/s later", "80000.0: 160,000/s carried 147,689/s later");
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(20_000);
        assertThat(Objects.requireNonNull(curve.beyond()).rate()).isEqualTo(160_000);
    }

    @Test
    void aFasterStepThatIsSustainedAfterAColdOneIsTheKnee() {
        LoadCurve curve =
                LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {{100, 56, 900}, {200, 200, 9}, {400, 210, 90}
                })));
        assertThat(Objects.requireNonNull(curve.knee()).rate()).isEqualTo(200);
        assertThat(Objects.requireNonNull(curve.beyond()).rate()).isEqualTo(400);
    }

    @Test
    void aLimitThatCarriesALittleMoreUnderMoreLoadIsNotCold() {
        assertThat(LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {{80, 80, 2}, {100, 99, 9}, {110, 102, 90}
                        })))
                        .cold())
                .isEmpty();
    }

    @Test
    void aStepThatOnlyTheFirstTrialDidNotCarryIsCold() {
        TrialResult first = stepped("a", 1, new double[][] {{100, 60, 90}});
        TrialResult second = stepped("a", 2, new double[][] {{100, 100, 2}});
        assertThat(LoadCurve.of("a", List.of(first, second)).cold())
                .extracting(LoadCurve.Cold::later)
                .containsExactly("every later trial carried it");
        assertThat(LoadCurve.of("a", List.of(second, first)).cold()).isEmpty();
    }

    @Test
    void aDisturbedStepIsNotCold() {
        DisturbanceResult pause =
                new DisturbanceResult("pause", "broker 1", 0, 1.0, 0, true, 1.0, null, null, null, null);
        TrialResult trial = Trials.disturbed(stepped("a", 1, COLD), List.of(pause));
        assertThat(LoadCurve.of("a", List.of(trial)).cold()).isEmpty();
    }
}
