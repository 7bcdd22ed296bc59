package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.ResolvedSecrets;

class CleanUpTest {
    @Test
    void aStepThatFailsIsToldAndTheNextOneIsDone() {
        List<String> told = new ArrayList<>();
        CleanUp cleanUp = new CleanUp(new ResolvedSecrets(List.of(), List.of("Open-Sesame")), told::add);
        assertThat(cleanUp.step(() -> {
                    throw new IllegalStateException("topic t is left on Open-Sesame:9092");
                }))
                .isFalse();
        assertThat(cleanUp.step(() -> told.add("the next"))).isTrue();
        assertThat(told).containsExactly("clean-up: topic t is left on ***:9092", "the next");
    }
}
