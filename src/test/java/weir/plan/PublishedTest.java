package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.read.Overrides;

class PublishedTest {
    private static final String TWO = """
            variants: { new: {}, old: { load: { producer: { linger.ms: 9 } } } }
            compare: [new / old]
            """;

    @Test
    void publishedFiguresAreKeyedBySourceComparisonAndStatistic() {
        String yaml = TWO + "published: { 'the lab, 2021 (raw.csv)': { new / old: { p50: 31.4, p99: 15.5 } } }";
        assertThat(Plans.problems(yaml)).isEmpty();
        CompareSpec.Over pair = new CompareSpec.Over("new", "old");
        assertThat(Plans.read(yaml).published())
                .containsExactly(
                        new CompareSpec.Published("the lab, 2021 (raw.csv)", pair, "p50", 31.4),
                        new CompareSpec.Published("the lab, 2021 (raw.csv)", pair, "p99", 15.5));
    }

    @Test
    void publishedFiguresApplyToEachGridPoint() {
        String yaml = TWO + "grid: { load.producers: [1, 2] }\n" + "published: { them: { new / old: { max: 2 } } }";
        assertThat(Plans.problems(yaml)).isEmpty();
        assertThat(Plans.read(yaml).published())
                .extracting(one -> one.of().a())
                .containsExactly("new/producers=1", "new/producers=2");
    }

    @Test
    void shortFormDropsPublishedFiguresOfOmittedVariants() {
        String yaml = TWO + "published: { them: { new / old: { max: 2 } } }\n" + "short: { variants: { old: null } }";
        assertThat(Plans.problems(yaml)).isEmpty();
        assertThat(Plans.read(yaml, Overrides.SHORT).published()).isEmpty();
    }
}
