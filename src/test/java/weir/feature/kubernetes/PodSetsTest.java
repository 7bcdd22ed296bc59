package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Plans;

class PodSetsTest {
    private static final RunIdentity RUN = RunIdentity.of("x", "weir");

    private static PodSets sets(String yaml) {
        return PodSets.of(Plans.read("kubernetes: { image: weir }\n" + yaml));
    }

    private static List<String> names(List<PodSet> sets) {
        return sets.stream().map(set -> set.pods() + " " + set.name(RUN)).toList();
    }

    @Test
    void variantsThatAskForTheSamePodsShareThem() {
        PodSets sets = sets("""
                placed: kubernetes
                cluster: { brokers: 3, controllers: 1 }
                load: { producers: 8, workers: 2 }
                variants:
                  two: {}
                  linger: { load: { producer: { linger.ms: 5 } } }
                  four: { load: { workers: 4 } }
                  limited: { load: { within: { cpu: 1 } } }
                """);
        List<PodSet> two = sets.byVariant().getOrDefault("two", List.of());
        assertThat(names(two)).containsExactly("3 weir-x-broker", "2 weir-x-load");
        assertThat(sets.byVariant().get("linger")).isEqualTo(two);
        assertThat(names(sets.byVariant().getOrDefault("four", List.of()))).contains("4 weir-x-load-2");
        assertThat(names(sets.byVariant().getOrDefault("limited", List.of()))).contains("2 weir-x-load-3");
        assertThat(sets.all()).hasSize(4);
    }

    @Test
    void twoStressesOfOneVariantHavePodsOfTheirOwn() {
        PodSets sets = sets("""
                placed: kubernetes
                cluster: { brokers: 3 }
                during:
                  a: { at: 1s, stress: {} }
                  b: { at: 2s, stress: {} }
                  c: { at: 3s, run: "true" }
                """);
        assertThat(names(sets.all()))
                .containsExactly(
                        "3 weir-x-broker", "1 weir-x-load", "3 weir-x-stress", "3 weir-x-stress-2", "1 weir-x-command");
    }

    @Test
    void whatRunsElsewhereHasNoPods() {
        assertThat(names(sets("load: { placed: kubernetes }").all())).containsExactly("1 weir-x-load");
        assertThat(sets("load: {}").all()).isEmpty();
        assertThat(names(sets("placed: kubernetes\ncluster: { placed: here }\nduring: { a: { at: 1s, stress: {} } }")
                        .all()))
                .containsExactly("1 weir-x-load");
        assertThat(names(sets("placed: kubernetes\nload: { target: null, placed: here }")
                        .all()))
                .as("brokers that a null target stands in for")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "two-codecs, weir-two-codecs",
        "2026-11-25T08.20_two, weir-2026-11-25t08-20-two",
        "-.-, weir",
        "20261125-082043-a-name-that-is-far-too-long, weir-20261125-082043-a-name-t-6060a247"
    })
    void aRunHasANameThatKubernetesTakes(String run, String name) {
        assertThat(RunIdentity.of(run, "n").name()).isEqualTo(name).hasSizeLessThanOrEqualTo(38);
        assertThat(RunIdentity.of(run + "x", "n").name()).as("another").isNotEqualTo(run.equals("-.-") ? "" : name);
    }
}
