package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SynonymsTest {
    @Test
    void everySynonymLeadsToAKeyOrAMetric() {
        Synonyms.TABLE.section("keys").entries().forEach((word, written) -> {
            String path = written.line().replaceFirst(":.*", "").replace("*", "t");
            assertThat(Paths.split(path, Tree.Section.empty(Origin.unwritten(""))))
                    .as(word)
                    .isNotEmpty();
            assertThat(word).matches("[a-z]+");
        });
        Synonyms.TABLE
                .section("metrics")
                .entries()
                .forEach((word, written) -> assertThat(Glossary.metrics())
                        .as(word)
                        .containsKey(written.line().replaceFirst(" .*", "")));
    }
}
