package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Metric;
import weir.plan.Problems;
import weir.plan.explain.KeyExplanation;
import weir.plan.property.Property;

class GlossaryTest {
    static Collection<Metric> metrics() {
        return Glossary.metrics().values();
    }

    @ParameterizedTest
    @MethodSource("metrics")
    void glossaryHasMeaningUnitAndStatisticsOfEveryMetric(Metric metric) {
        assertThat(Glossary.find(metric.name())).get().satisfies(word -> {
            assertThat(word.name()).isEqualTo(metric.name());
            assertThat(word.meaning()).isNotBlank();
            assertThat(word.unit()).isEqualTo(metric.unit()).isNotBlank();
            assertThat(word.takes().isEmpty())
                    .isEqualTo(metric.kind() != Metric.Kind.LATENCY && metric.kind() != Metric.Kind.LAG);
            assertThat(word.measured().isEmpty() && metric.kind() == Metric.Kind.LATENCY)
                    .isFalse();
        });
        assertThat(KeyExplanation.of(metric.name())).contains("unit  ", "takes  ");
    }

    @ParameterizedTest
    @FieldSource("weir.plan.syntax.CaveatType#ALL")
    void everyCaveatIsExplained(CaveatType type) {
        assertThat(KeyExplanation.of(type.word())).contains(type.when(), type.weakens(), type.advice());
    }

    @Test
    void glossaryHasEveryCaveatLevelAndPropertySource() {
        assertThat(Arrays.stream(CaveatType.Level.values())
                        .map(level -> level.name().toLowerCase(Locale.ROOT)))
                .allMatch(word -> Glossary.find(word).isPresent());
        assertThat(Arrays.stream(Property.Source.values())
                        .map(source -> source.name().toLowerCase(Locale.ROOT)))
                .allMatch(
                        word -> Glossary.find("set by").orElseThrow().meaning().contains(word));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"response p99", "p99.9", "Response", "end to end p99", "99", "exit 99", "response p99 at 5,000/s"
            })
    void aHeadingFindsItsWord(String heading) {
        assertThat(Glossary.find(heading)).isPresent();
    }

    @Test
    void unknownWordGetsTheNearestSuggestion() {
        assertThatThrownBy(() -> KeyExplanation.of("respones"))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("did you mean 'response'?");
        assertThatThrownBy(() -> KeyExplanation.of("degarded")).hasMessageContaining("did you mean 'degraded'?");
        assertThatThrownBy(() -> KeyExplanation.of("host-nosy")).hasMessageContaining("did you mean 'host-noisy'?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pooled",
                "visible",
                "thin",
                "planes",
                "behind",
                "quantiles",
                "capacity of base",
                "partitions of base",
                "settings of base",
                "Load curve",
                "produce",
                "poisson"
            })
    void explainKnowsWordsOfReportsThatAreNoKeys(String word) {
        assertThat(KeyExplanation.of(word)).isNotBlank();
    }

    @Test
    void everyValueThatAKeyAllowsIsExplained() {
        assertThat(Keys.all().stream().flatMap(key -> key.allowed().stream()).distinct())
                .hasSizeGreaterThan(30)
                .allSatisfy(
                        value -> assertThat(KeyExplanation.of(value)).as(value).isNotBlank());
    }

    @Test
    void everyWordIsExplainedAndHasAKind() {
        assertThat(Glossary.words()).hasSizeGreaterThan(100).allSatisfy(word -> {
            assertThat(word.meaning()).as(word.name()).isNotBlank();
            assertThat(word.kind()).as(word.name()).isNotBlank();
            assertThat(KeyExplanation.of(word.name())).contains(word.meaning());
        });
    }
}
