package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.results.Trials.stepped;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.results.value.StepState;
import weir.results.value.TrialResult;

class LoadCurveTest {
    @Test
    void theKneeIsTheFastestRateThatHeldWithEverySlowerOne() {
        LoadCurve curve = LoadCurve.of("a", List.of(stepped("a", 1, new double[][] {
            {100, 100, 2}, {200, 200, 3}, {300, 270, 40}, {400, 400, 3}
        })));
        assertThat(curve.points())
                .extracting(LoadCurve.Point::state)
                .containsExactly(StepState.SUSTAINED, StepState.SUSTAINED, StepState.BROKEN, StepState.SUSTAINED);
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
}
