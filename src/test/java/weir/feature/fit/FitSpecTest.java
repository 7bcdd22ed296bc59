package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.Plans;

class FitSpecTest {
    private static final String GROWN = """
            topics: { t: {} }
            load: { rate: one at a time, transaction: { records: 1 } }
            grid: { load.transaction.records: [1, 10, 1k], topics.t.partitions: [1, 4] }
            fit: { by: [load.transaction.records, topics.t.partitions], overhead: 5% }
            """;

    @Test
    void fitSettingsMustBeNumbersThatDiffer() {
        assertThat(Plans.problems(GROWN)).isEmpty();
        FitSpec.Cost fit = (FitSpec.Cost) Plans.read(GROWN).models().get(0);
        assertThat(fit.of()).isEqualTo("transaction");
        assertThat(fit.overhead().share()).isEqualTo(0.05);
        assertThat(fit.variants()).hasSize(6);
    }

    private static final String SCALED = """
            topics: { t: {} }
            load: { workload: produce, rate: max }
            measure: 1s
            grid: { load.producers: [1, 3, 5, 10], cluster.brokers: [1, 2] }
            cluster: { fresh: trial }
            fit: { scaling: load.producers }
            """;

    @Test
    void scalingIsFittedToVariantsThatDifferOnlyInItsSetting() {
        assertThat(Plans.problems(SCALED)).isEmpty();
        FitSpec.Scaling fit = (FitSpec.Scaling) Plans.read(SCALED).models().get(0);
        assertThat(fit.scaling()).isEqualTo("load.producers");
        assertThat(fit.variants()).hasSize(8);
        // A variant outside of the grid is not fitted unless the file names it.
        String beside = SCALED.replace("grid: {", "variants: { alone: { grid: null }, grown: {} }\ngrid: {")
                .replace(
                        "alone: { grid: null }",
                        "alone: { load: { producer: { acks: 1 } }, grid: { load.producers: [2] } }");
        assertThat(Plans.problems(beside)).isEmpty();
        assertThat(((FitSpec.Scaling) Plans.read(beside).models().get(0)).variants())
                .hasSize(8)
                .allMatch(name -> name.startsWith("grown"));
        assertThat(Plans.problems(
                        beside.replace("scaling: load.producers", "scaling: load.producers, variants: [alone]")))
                .contains("needs at least 4 different numbers of 'load.producers'; 'alone/");
    }
}
