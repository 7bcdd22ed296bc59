package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.read.Overrides;

class PublishedAndFitTest {
    private static final String TWO = """
            variants: { new: {}, old: { load: { producer: { linger.ms: 9 } } } }
            compare: [new / old]
            """;

    private static final String GROWN = """
            topics: { t: {} }
            load: { rate: one at a time, transaction: { records: 1 } }
            grid: { load.transaction.records: [1, 10, 1k], topics.t.partitions: [1, 4] }
            fit: { by: [load.transaction.records, topics.t.partitions], overhead: 5% }
            """;

    @Test
    void whatOthersPublishedIsKeptBySourceComparisonAndStatistic() {
        String yaml = TWO + "published: { 'the lab, 2021 (raw.csv)': { new / old: { p50: 31.4, p99: 15.5 } } }";
        assertThat(Plans.problems(yaml)).isEmpty();
        CompareSpec.Over pair = new CompareSpec.Over("new", "old");
        assertThat(Plans.read(yaml).published())
                .containsExactly(
                        new CompareSpec.Published("the lab, 2021 (raw.csv)", pair, "p50", 31.4),
                        new CompareSpec.Published("the lab, 2021 (raw.csv)", pair, "p99", 15.5));
    }

    @Test
    void whatIsPublishedOfAComparisonHoldsForEachPointOfItsGrid() {
        String yaml = TWO + "grid: { load.producers: [1, 2] }\n" + "published: { them: { new / old: { max: 2 } } }";
        assertThat(Plans.problems(yaml)).isEmpty();
        assertThat(Plans.read(yaml).published())
                .extracting(one -> one.of().a())
                .containsExactly("new/producers=1", "new/producers=2");
    }

    @Test
    void whatShortLeavesOutIsNotComparedWithWhatIsPublished() {
        String yaml = TWO + "published: { them: { new / old: { max: 2 } } }\n" + "short: { variants: { old: null } }";
        assertThat(Plans.problems(yaml)).isEmpty();
        assertThat(Plans.read(yaml, new Overrides(List.of(), List.of(), "", "", List.of(), true))
                        .published())
                .isEmpty();
    }

    @Test
    void aFitNamesSettingsThatAreNumbersAndDiffer() {
        assertThat(Plans.problems(GROWN)).isEmpty();
        FitSpec.Cost fit = (FitSpec.Cost) Plans.read(GROWN).fits().get(0);
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
    void aScalingIsFittedToTheVariantsThatDifferInItsSetting() {
        assertThat(Plans.problems(SCALED)).isEmpty();
        FitSpec.Scaling fit = (FitSpec.Scaling) Plans.read(SCALED).fits().get(0);
        assertThat(fit.scaling()).isEqualTo("load.producers");
        assertThat(fit.variants()).hasSize(8);
        // What stands alone takes no part unless it is named.
        String beside = SCALED.replace("grid: {", "variants: { alone: { grid: null }, grown: {} }\ngrid: {")
                .replace(
                        "alone: { grid: null }",
                        "alone: { load: { producer: { acks: 1 } }, grid: { load.producers: [2] } }");
        assertThat(Plans.problems(beside)).isEmpty();
        assertThat(((FitSpec.Scaling) Plans.read(beside).fits().get(0)).variants())
                .hasSize(8)
                .allMatch(name -> name.startsWith("grown"));
        assertThat(Plans.problems(
                        beside.replace("scaling: load.producers", "scaling: load.producers, variants: [alone]")))
                .contains("needs 4 different numbers of 'load.producers' or more; beside 'alone/");
    }
}
