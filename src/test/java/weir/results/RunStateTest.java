package weir.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

class RunStateTest {
    private static RunState of(boolean whole, CaveatType... types) {
        return RunState.of(
                List.of(types).stream().map(type -> Caveat.of(type, 1, "")).toList(), whole);
    }

    @Test
    void aDoubtMakesARunSuspectAndANoteDoesNot() {
        assertThat(of(true)).isEqualTo(RunState.VALID);
        assertThat(of(true, CaveatType.named("thin-percentile"))).isEqualTo(RunState.VALID);
        assertThat(of(true, CaveatType.named("shared-cores"))).isEqualTo(RunState.SUSPECT);
        assertThat(of(true, CaveatType.named("shared-cores"), CaveatType.named("not-steady")))
                .isEqualTo(RunState.INVALID);
        assertThat(of(false, CaveatType.named("shared-cores"))).isEqualTo(RunState.UNFINISHED);
    }
}
