package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Plans;

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load: { compression: gzip }        | load.producer.compression.type",
                "compression: gzip                  | load.producer.compression.type",
                "duration: 60s                      | measure",
                "load: { throughput: 5000 }         | load.rate",
                "load: { num-records: 5000 }        | measure: { operations: 1000 }",
                "load: { messageSize: 100 }         | load.value.size",
                "vus: 10                            | load.producers",
                "thresholds: []                     | expect",
                "topics: { t: { replicationFactor: 3 } } | topics.NAME.replication",
                "expect: [p99 < 5ms]                | response p99",
                "expect: [p(95) < 5ms]              | response p95",
                "expect: [e2e.p99 < 5ms]            | e2e p99",
                "expect: [throughput > 1000]        | acked/s",
                "expect: [loss == 0]                | lost",
                "expect: [latency < 5ms]            | response p99"
            })
    void wordsOfOtherToolsLeadToOurs(String yaml, String written) {
        assertThat(Plans.problems(yaml)).contains("; here it is written '" + written + "'");
    }

    @Test
    void aPropertyAtTheWrongPlaceIsToldWhereItGoes() {
        assertThat(Plans.problems("load: { linger.ms: 5 }"))
                .contains("it is a property of Kafka's clients and goes under load.producer");
        assertThat(Plans.problems("fetch.min.bytes: 5")).contains("goes under load.consumer");
    }

    @Test
    void aWordThatNeedsMoreIsToldHowItIsWritten() {
        assertThat(Plans.problems("load: { key: skewed }"))
                .contains("write key: { skewed: { distinct: ")
                .contains("exponent: ");
        assertThat(Plans.problems("load: { rate: poisson }")).contains("write rate: { poisson: ");
        assertThat(Plans.problems("load: { key: skewd }")).contains("known: none, sequence, random");
    }
}
