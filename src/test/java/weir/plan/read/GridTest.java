package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.ByteSize;
import weir.plan.CompareSpec;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.TopicSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;

class GridTest {
    @Test
    void gridCrossesWithVariants() {
        Experiment experiment = Plans.read("""
                variants: { a: {}, b: { load: { producers: 2 } } }
                grid: { load.producer.linger.ms: [0, 10] }
                """);
        assertThat(names(experiment))
                .containsExactly("a/linger.ms=0", "a/linger.ms=10", "b/linger.ms=0", "b/linger.ms=10");
        Variant last = experiment.variants().get(3);
        assertThat(last.load().producers().properties()).containsEntry("linger.ms", "10");
        assertThat(last.load().producers().count()).isEqualTo(2);
        assertThat(last.gridPoint()).containsExactly(java.util.Map.entry("load.producer.linger.ms", "10"));
    }

    @Test
    void withoutVariantsThePointsAreTheVariants() {
        assertThat(names(Plans.read("grid: { load.producers: [1, 2], topics.t.partitions: [3] }\ntopics: { t: {} }")))
                .containsExactly("producers=1,partitions=3", "producers=2,partitions=3");
    }

    @Test
    void ownGridIsLaidOverThatOfTheFile() {
        Experiment experiment = Plans.read("""
                grid: { load.producers: [1, 2], load.consumers: [1] }
                variants:
                  a: { grid: { load.producers: [5], load.consumers: null } }
                  b: { grid: null }
                """);
        assertThat(names(experiment)).containsExactly("a/producers=5", "b");
    }

    @Test
    void exceptionsAreLeftOut() {
        assertThat(
                        names(
                                Plans.read(
                                        "grid: { load.producers: [1, 2], load.consumers: [1, 2], except: [{ load.producers: 2, load.consumers: 2 }] }")))
                .containsExactly("producers=1,consumers=1", "producers=1,consumers=2", "producers=2,consumers=1");
    }

    @Test
    void gridAxesWithTheSameLastNameUseFullPaths() {
        assertThat(names(Plans.read(
                        "topics: { s: {}, t: {} }\ngrid: { topics.s.partitions: [1], topics.t.partitions: [2] }")))
                .containsExactly("topics.s.partitions=1,topics.t.partitions=2");
    }

    @Test
    void topicWithDotsInItsNameIsFound() {
        Experiment experiment = Plans.read("topics: { a.b: {} }\ngrid: { topics.a.b.partitions: [4] }");
        assertThat(experiment.variants().get(0).topics()).containsOnlyKeys("a.b");
        assertThat(experiment.variants().get(0).topics().get("a.b"))
                .extracting(TopicSpec::partitions)
                .isEqualTo(4);
    }

    @Test
    void wholeChoicesCanBeAnAxis() {
        Experiment experiment = Plans.read("grid: { load.value: [{ size: 10 }, { size: 20 }] }");
        assertThat(experiment.variants())
                .extracting(v -> v.load().messages().value().meanBytes())
                .containsExactly(10.0, 20.0);
    }

    @Test
    void pathIntoAChoiceLeavesTheRestOfItAlone() {
        Experiment experiment =
                Plans.read("load: { value: { size: 5, content: letters } }\ngrid: { load.value.size: [10, 20] }");
        assertThat(experiment.variants())
                .extracting(v -> v.load().messages().value())
                .contains(new ValueSpec.Generated(
                        new ValueSpec.Size.Fixed(new ByteSize(20)), new ValueSpec.Content.Letters()));
    }

    @Test
    void variantNameExpandsToItsGridPoints() {
        Experiment experiment = Plans.read("""
                variants: { a: {}, b: {} }
                grid: { load.producers: [1, 2] }
                compare: [b / a]
                expect: [acked/s of b / a > 1, response p99 of b < 1s]
                """);
        assertThat(experiment.comparisons())
                .containsExactly(
                        new CompareSpec.Over("b/producers=1", "a/producers=1"),
                        new CompareSpec.Over("b/producers=2", "a/producers=2"));
        assertThat(experiment.expectations())
                .extracting(Expectation::text)
                .containsExactly(
                        "acked/s of b/producers=1 / a/producers=1 > 1",
                        "acked/s of b/producers=2 / a/producers=2 > 1",
                        "response p99 of b/producers=1 < 1s",
                        "response p99 of b/producers=2 < 1s");
    }

    @Test
    void comparisonsPairVariantsThatDifferInOneSetting() {
        String variants = """
                variants:
                  first: { load: { producers: 1 } }
                  second: { load: { producers: 2, producer: { acks: 1 } } }
                  third: { load: { producers: 2 } }
                  fourth: { load: { producers: 2, producer: { acks: 0 } } }
                short: { measure: 1s, variants: { first: null } }
                """;
        assertThat(Plans.read(variants).comparisons())
                .containsExactly(
                        new CompareSpec.Over("second", "first"),
                        new CompareSpec.Over("third", "first"),
                        new CompareSpec.Over("fourth", "second"));
        assertThat(Plans.read(variants + "compare: [second / first]", Overrides.SHORT)
                        .comparisons())
                .as("all that the file compares is left out")
                .containsExactly(new CompareSpec.Over("third", "second"), new CompareSpec.Over("fourth", "second"));
    }

    @Test
    void withoutCompareEachGoesAgainstTheFirstOfItsPoint() {
        assertThat(Plans.read("variants: { a: {}, b: {}, c: {} }").comparisons())
                .containsExactly(new CompareSpec.Over("b", "a"), new CompareSpec.Over("c", "a"));
        assertThat(Plans.read("variants: { a: {}, b: {} }\ngrid: { load.producers: [1, 2] }")
                        .comparisons())
                .contains(new CompareSpec.Over("b/producers=2", "a/producers=2"));
    }

    @Test
    void aSectionGoesByTheKeyThatNoOtherHas() {
        assertThat(names(Plans.read("""
                        cluster: { brokers: 3, controllers: 1 }
                        load: { rate: 1k/s }
                        measure: 30s
                        during: { fault: { at: 5s, for: 5s } }
                        grid: { during.fault: [{ kill: broker 2 }, { network: { broker: 2, cut: true } }] }
                        """))).containsExactly("fault=kill", "fault=network");
    }

    @Test
    void valueThatIsTooLongForANameGoesByItsPlace() {
        assertThat(names(Plans.read("grid: { load.value: [{ size: 10 }, { size: 20 }], load.rate: [5k/s] }")))
                .containsExactly("value=#1,rate=5k/s", "value=#2,rate=5k/s");
        assertThat(Plans.problems("grid: { load.producers: [1, 2, 1] }"))
                .contains("grid.load.producers: has the same value twice");
    }

    private static List<String> names(Experiment experiment) {
        return experiment.variants().stream().map(Variant::name).toList();
    }
}
