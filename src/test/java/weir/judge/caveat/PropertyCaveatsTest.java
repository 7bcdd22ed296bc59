package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.Plans;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.results.PlannedTrial;
import weir.results.value.Caveat;

class PropertyCaveatsTest {
    private final CaveatCollector caveats = new CaveatCollector(1);

    private PropertyCaveats of(Property... properties) {
        return new PropertyCaveats(caveats, List.of(properties));
    }

    private Caveat only() {
        assertThat(caveats.found()).hasSize(1);
        return caveats.found().get(0);
    }

    private static boolean same(String content) {
        return PlannedTrial.of(Plans.only("name: e\nload: { value: { size: 1KiB, content: " + content + " } }\n"))
                .sameValue();
    }

    private static Property codec(String of, String effective) {
        return new Property(of, "compression.type", effective, effective, "none", Source.YOURS);
    }

    @Test
    void propertyOverriddenByTheClientRaisesACaveat() {
        of(
                        new Property("producer", "enable.idempotence", "", "false", "true", Source.OVERRIDDEN),
                        new Property("producer", "acks", "1", "1", "all", Source.YOURS))
                .overridden();
        assertThat(only().is(PropertyCaveats.OVERRIDDEN_BY_THE_CLIENT)).isTrue();
        assertThat(only().weakens()).isEqualTo("producer enable.idempotence");
        assertThat(only().evidence()).contains("default true");
    }

    @Test
    void aTopicThatHoldsAnotherValueIgnoredTheOneAskedFor() {
        of(
                        new Property("topic orders", "retention.ms", "1000", "604800000", "604800000", Source.YOURS),
                        new Property(
                                "topic orders",
                                "cleanup.policy",
                                "compact, delete",
                                "compact,delete",
                                "delete",
                                Source.YOURS),
                        new Property("broker 1", "num.io.threads", "4", "4", "8", Source.YOURS))
                .ignored();
        assertThat(only().is(PropertyCaveats.PROPERTY_IGNORED)).isTrue();
        assertThat(only().evidence()).contains("retention.ms is 604800000; the file requests 1000");
    }

    @Test
    void equalValuesRaiseUnrealisticCompression() {
        of(codec("producer", "lz4")).compression(same("same"), 0.02);
        assertThat(only().is(PropertyCaveats.COMPRESSES_UNREALISTICALLY)).isTrue();
        assertThat(only().evidence()).contains("lz4").contains("2.0 %");
    }

    @Test
    void aTopicsOwnCodecCompressesToo() {
        of(codec("producer", "none"), codec("topic orders", "zstd")).compression(same("same"), 1);
        assertThat(only().evidence()).contains("zstd");
    }

    @Test
    void compressionCaveatRequiresACodecAndUnrealisticValues() {
        of(codec("producer", "none"), codec("topic orders", "producer")).compression(same("same"), 1);
        of(codec("producer", "lz4")).compression(same("{ random: 50% }"), 0.55);
        of(codec("producer", "lz4")).compression(same("letters"), Double.NaN);
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void topicRecompressionRaisesACaveat() {
        of(codec("producer", "none"), codec("topic orders", "uncompressed")).topicCompression();
        of(codec("producer", "lz4"), codec("topic orders", "producer")).topicCompression();
        of(codec("topic orders", "zstd")).topicCompression();
        assertThat(caveats.found()).isEmpty();
        of(codec("producer", "lz4"), codec("topic orders", "zstd")).topicCompression();
        assertThat(only().is(PropertyCaveats.OVERRIDDEN_BY_THE_TOPIC)).isTrue();
    }
}
