package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.Plans;

class ShortFormTest {
    private static final String PLAN = """
            load: { rate: 10/s }
            accept: { shared-cores: one machine, rate-missed: mine }
            expect: [lost == 0, response p99 < 1s, achieved >= 99.5%, acked/s > 5/s, acked/s of a / b > 1]
            variants: { a: {}, b: {} }
            """;

    private static Experiment read(String plan, boolean shortened) {
        return Plans.read(plan, new Overrides(List.of(), List.of(), "", "", List.of(), shortened));
    }

    private static List<String> expected(String plan, boolean shortened) {
        return read(plan, shortened).expectations().stream()
                .map(Expectation::text)
                .toList();
    }

    @Test
    void ofWhatIsExpectedOnlyCountsAreJudged() {
        assertThat(expected(PLAN, true)).containsExactly("lost == 0");
        assertThat(expected(PLAN, false)).hasSize(5);
    }

    @Test
    void whatTheShortFormItselfExpectsIsJudged() {
        assertThat(expected(PLAN + "short: { expect: [response p99 < 5s] }\n", true))
                .containsExactly("response p99 < 5s");
    }

    @Test
    void aLateGeneratorIsAcceptedAndWhatTheFileSaysStays() {
        assertThat(read(PLAN, true).accepted())
                .containsEntry("generator-late", ShortForm.WHY)
                .containsEntry("rate-missed", "mine")
                .containsEntry("shared-cores", "one machine");
        assertThat(read(PLAN, false).accepted()).doesNotContainKey("generator-late");
    }
}
