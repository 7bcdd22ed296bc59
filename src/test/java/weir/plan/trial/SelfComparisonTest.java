package weir.plan.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.read.Overrides;

class SelfComparisonTest {
    private static final String FILE = """
            name: codecs
            load: { workload: deliver, rate: 50/s }
            measure: 5s
            variants: { none: {}, lz4: { load: { producer: { compression.type: lz4 } } } }
            compare: [lz4 / none]
            expect: [response p99 of lz4 / none < 1]
            """;

    @Test
    void theFirstVariantIsRunAgainstTheVerySame() {
        Experiment twice = SelfComparison.of(Plans.read(FILE));
        assertThat(twice.name()).isEqualTo("codecs-a-a");
        assertThat(twice.variants()).extracting(Variant::name).containsExactly("none", "none-again");
        assertThat(twice.variants().get(1).load())
                .isEqualTo(twice.variants().get(0).load());
        assertThat(twice.variants().get(1).values())
                .isEqualTo(twice.variants().get(0).values());
        assertThat(twice.comparisons()).containsExactly(new CompareSpec.Over("none-again", "none"));
        assertThat(twice.expectations()).isEmpty();
    }

    @Test
    void aVerdictTakesAtLeastFourRepeats() {
        Experiment twice = SelfComparison.of(Plans.read(FILE));
        assertThat(Trials.of(twice))
                .extracting(trial -> trial.variant().name())
                .startsWith("none", "none-again", "none-again", "none")
                .hasSize(8);
        assertThat(SelfComparison.of(Plans.read(FILE + "repeat: 6\n")).variants())
                .extracting(Variant::repeat)
                .containsExactly(6, 6);
    }

    @Test
    void anotherVariantIsChosenLikeAnyOther() {
        Experiment twice =
                SelfComparison.of(Plans.read(FILE, new Overrides(List.of(), List.of(), "", "", List.of("lz4"), false)));
        assertThat(twice.variants()).extracting(Variant::name).containsExactly("lz4", "lz4-again");
    }
}
