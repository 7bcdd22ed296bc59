package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.Plans;
import weir.plan.read.Overrides;

class ProfileChecksTest {
    @Test
    void aProfileOfAStepThatTheShortFormLacksIsLeftOut() {
        String file = "load: { rate: \"1000:3\" }\nmeasure: null\nprofile: { during: 1k/s }\n";
        assertThat(Plans.read(file, Overrides.SHORT).profiles()).hasSize(1);
        assertThat(Plans.read(file + "short: { load: { rate: 7/s }, measure: 3s }", Overrides.SHORT)
                        .profiles())
                .isEmpty();
    }
}
