package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.property.ResolvedSecrets;

class CleanUpTest {
    @Test
    void aStepThatFailsIsToldAndTheNextOneIsDone() {
        List<String> told = new ArrayList<>();
        TrialRun.CleanUp cleanUp = new TrialRun.CleanUp(new ResolvedSecrets(List.of(), List.of("Open-Sesame")), told);
        cleanUp.step(() -> {
            throw new IllegalStateException("topic t is left on Open-Sesame:9092");
        });
        cleanUp.step(() -> told.add("the next"));
        assertThat(told).containsExactly("topic t is left on ***:9092", "the next");
    }
}
