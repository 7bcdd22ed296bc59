package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.Plans;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class IgnoredPropertiesTest {
    private static List<String> ignored(String yaml) {
        String topics = yaml.startsWith("topics") ? "" : "topics: { t: { partitions: 2 } }\n";
        return IgnoredProperties.in(Plans.read("name: e\n" + topics + yaml).variants());
    }

    @Test
    void consumerPropertyIsIgnoredIfTheWorkloadHasNoReader() {
        assertThat(ignored("load: { workload: produce, consumer: { fetch.min.bytes: 1000000 } }"))
                .singleElement()
                .asString()
                .startsWith("load.consumer.fetch.min.bytes: 1000000 has no effect: the workload produce has no reader");
        assertThat(ignored("load: { workload: deliver, consumer: { fetch.min.bytes: 1000000 } }"))
                .isEmpty();
        assertThat(ignored("load: { workload: produce, consumer: { isolation.level: read_committed } }"))
                .isEmpty();
    }

    @Test
    void aProducerThatNeverSendsHasNoUseForProperties() {
        assertThat(
                        ignored(
                                "topics: { t: { existing: true } }\ncluster: { bootstrap: \"127.0.0.1:9\" }\nload: { workload: consume, producer: { linger.ms: 5 } }"))
                .singleElement()
                .asString()
                .contains("load.producer.linger.ms")
                .contains("sends no record");
        assertThat(ignored("load: { workload: consume, backlog: 1k records, producer: { linger.ms: 5 } }"))
                .isEmpty();
    }

    @Test
    void groupPropertiesAreIgnoredWithoutAGroup() {
        assertThat(ignored("load: { workload: deliver, consumer: { session.timeout.ms: 9000 } }"))
                .hasSize(1);
        assertThat(ignored("load: { workload: deliver, group: g, consumer: { session.timeout.ms: 9000 } }"))
                .isEmpty();
    }

    @Test
    void levelOfAnotherCodecIsIgnored() {
        assertThat(ignored("load: { producer: { compression.type: lz4, compression.gzip.level: 9 } }"))
                .singleElement()
                .asString()
                .contains("compression.type is lz4");
        assertThat(ignored("load: { producer: { compression.type: gzip, compression.gzip.level: 9 } }"))
                .isEmpty();
    }

    @Test
    void partitionerPropertyIsIgnoredWithoutAChoice() {
        String ignoresKeys = "load: { key: %s, producer: { partitioner.ignore.keys: true } }";
        assertThat(ignored(ignoresKeys.formatted("none"))).hasSize(1);
        assertThat(ignored(ignoresKeys.formatted("random"))).isEmpty();
    }

    @Test
    void transactionsThatAreNotThereCannotTimeOut() {
        assertThat(ignored("load: { producer: { transaction.timeout.ms: 5000 } }"))
                .hasSize(1);
    }

    @Test
    void aTopicThatNoLoadUsesIsNotEvenMade() {
        String topics =
                "load: { topics: [u] }\nvariants: { a: { topics: { u: {}, t: { config: { retention.ms: 1000 } } } } }";
        assertThat(ignored(topics)).singleElement().asString().contains("no load uses topic 't'");
        assertThat(ignored(topics.replace("[u]", "[u, t]"))).isEmpty();
    }

    @Test
    @NeedsFeature("maintenance")
    void topicOfASecondLoadIsUsed() {
        assertThat(ignored("topics: { u: {}, t: { config: { retention.ms: 1000 } } }\nload: { topics: [u] }\n"
                        + "during: { other: { at: 0s, for: 1s, load: { topics: [t], rate: 1/s } } }"))
                .isEmpty();
    }

    @Test
    void brokersMakeNoTopicsOfThePlan() {
        assertThat(ignored("cluster: { broker: { num.partitions: 12 } }\nload: {}"))
                .hasSize(1);
        assertThat(ignored("cluster: { broker: { num.io.threads: 12 } }\nload: {}"))
                .isEmpty();
    }

    @Test
    void sharedPropertyIsNotReportedIfAVariantUsesIt() {
        assertThat(ignored("""
                load: { consumer: { fetch.min.bytes: 1000 } }
                variants:
                  write: { load: { workload: produce } }
                  both: { load: { workload: deliver } }
                """)).isEmpty();
    }

    @Test
    void variantPropertyWithoutEffectIsReported() {
        assertThat(ignored("""
                load: { workload: produce }
                variants:
                  few: {}
                  bulk: { load: { consumer: { fetch.min.bytes: 1000000 } } }
                """)).singleElement().asString().contains("in bulk").contains("fetch.min.bytes");
    }

    @Test
    @NeedsFeature("presets")
    void presetPropertiesAreNotReportedAsIgnored() {
        assertThat(ignored("load: { workload: produce }\nvariants: { fast: { preset: throughput } }"))
                .isEmpty();
    }

    static List<Path> experiments() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String folder : List.of("experiments", "src/test/resources/weir/plan/fixtures")) {
            all.addAll(Plans.files(folder, ".yaml"));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("experiments")
    @NeedsFeature
    void bundledExperimentsHaveNoIgnoredProperties(Path file) {
        assertThat(IgnoredProperties.in(PlanReader.read(file, Overrides.NONE).variants()))
                .isEmpty();
        assertThat(IgnoredProperties.in(PlanReader.read(file, Overrides.SHORT).variants()))
                .isEmpty();
    }
}
