package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.StepResult;

class AnswerScopeTest {
    private static StepResult step(double from) {
        return new StepResult(
                100.0,
                2,
                "100/s",
                from,
                3,
                new Figures(Map.of(), Map.of(), Map.of(), LagResult.NONE, null),
                null,
                null,
                null,
                null);
    }

    @Test
    void theSecondsOfStepsWithRestsBetweenThemSayThatTheRestsAreNotCounted() {
        assertThat(AnswerScope.when(List.of(step(8), step(12), step(16))))
                .isEqualTo(" (seconds 8 to 19 of a trial, without the rests between steps)");
        assertThat(AnswerScope.when(List.of(step(8), step(11)))).isEqualTo(" (seconds 8 to 14 of a trial)");
    }
}
