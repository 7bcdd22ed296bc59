package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.explain.KeyExplanation;
import weir.plan.syntax.CaveatType;

class CaveatTypeTest {
    @Test
    void aCaveatIsAcceptedByName() {
        Experiment experiment = Plans.read("load: {}\naccept: { shared-cores: we have one machine }\n");
        assertThat(experiment.accepted()).containsEntry("shared-cores", "we have one machine");
    }

    @Test
    void misspeltCaveatGetsASuggestionAndTheAllowedList() {
        assertThat(Plans.problems("load: {}\naccept: { shared-core: one machine }\n"))
                .contains("accept.shared-core: 'shared-core' is not a caveat; did you mean 'shared-cores'?")
                .contains("allowed: ledger-does-not-balance, clock-stepped");
    }

    @Test
    void anAcceptedLevelIsOneLower() {
        assertThat(CaveatType.Level.INVALID.lowered()).isEqualTo(CaveatType.Level.DOUBT);
        assertThat(CaveatType.Level.DOUBT.lowered()).isEqualTo(CaveatType.Level.NOTE);
        assertThat(CaveatType.Level.NOTE.lowered()).isEqualTo(CaveatType.Level.NOTE);
    }

    @Test
    void aCaveatIsExplainedByName() {
        assertThat(KeyExplanation.of("shared-cores"))
                .contains("caveat shared-cores")
                .contains("doubt")
                .contains("Pin brokers and generator");
    }
}
