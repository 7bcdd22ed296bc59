package weir.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.plan.Setting;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

class PropertyDifferenceTest {
    private static final List<String> BOTH = List.of("a", "b");

    private static RequestedExperiment asked(Map<String, String> a, Map<String, String> b) {
        return Trials.asked("e", variant("a", a), variant("b", b));
    }

    private static RequestedExperiment.Variant variant(String name, Map<String, String> settings) {
        List<Setting> all = new ArrayList<>();
        settings.forEach((path, value) -> all.add(new Setting(path, value, "e.yaml:1")));
        return new RequestedExperiment.Variant(name, 1, new TreeMap<>(), all);
    }

    private static Property property(String of, String name, String effective, Source source) {
        return new Property(of, name, source == Source.YOURS ? effective : "", effective, "", source);
    }

    private static Machine machine(List<Property> a, List<Property> b) {
        return new Machine(Map.of(), Map.of("a", a, "b", b), List.of());
    }

    @Test
    void aDisturbanceThatOneVariantLacksIsOneChange() {
        Map<String, String> crash = Map.of("during.crash.at", "3s", "during.crash.kill", "broker 2");
        assertThat(PropertyDifference.changed(asked(Map.of("repeat", "1"), crash), BOTH))
                .containsExactly("during.crash", "repeat");
        Map<String, String> later = Map.of("during.crash.at", "4s", "during.crash.kill", "broker 2");
        assertThat(PropertyDifference.changed(asked(crash, later), BOTH)).containsExactly("during.crash.at");
    }

    @Test
    void placementIsOneDifferenceInAnyForm() {
        for (String path : List.of("placed", "load.placed", "cluster.placed", "bridge.placed", "during.x.placed")) {
            Map<String, String> here = Map.of(path, "here", "during.x.at", "1s");
            Map<String, String> there =
                    Map.of(path + ".hosts", "[a]", path + ".address", "", path + ".start", "ssh", "during.x.at", "1s");
            assertThat(PropertyDifference.changed(asked(here, there), BOTH)).containsExactly(path);
            assertThat(PropertyDifference.changed(asked(Map.of("during.x.at", "1s"), there), BOTH))
                    .containsExactly(path);
        }
        assertThat(PropertyDifference.changed(
                        asked(
                                Map.of("load.producer.placed.a", "1", "load.producer.placed.b", "1"),
                                Map.of("load.producer.placed.a", "2", "load.producer.placed.b", "2")),
                        BOTH))
                .hasSize(2);
    }

    @Test
    void theNodesOfPodsAreOneChange() {
        for (String section : List.of("load", "during.x")) {
            Map<String, String> here = Map.of(section + ".placed", "here", "during.x.at", "1s");
            Map<String, String> apart =
                    Map.of(section + ".placed", "kubernetes", section + ".apart", "node", "during.x.at", "1s");
            assertThat(PropertyDifference.changed(asked(here, apart), BOTH)).containsExactly(section + ".placed");
        }
        assertThat(PropertyDifference.changed(
                        asked(
                                Map.of("kubernetes.nodes.pool", "a", "kubernetes.nodes.zone", "a"),
                                Map.of("kubernetes.nodes.pool", "b")),
                        BOTH))
                .containsExactly("kubernetes.nodes");
        assertThat(PropertyDifference.changed(asked(Map.of("load.producer.apart", "a"), Map.of()), BOTH))
                .containsExactly("load.producer.apart");
    }

    @Test
    void propertiesSetByAVariantAreMarkedAndDerivedOnesAreNot() {
        RequestedExperiment asked = asked(Map.of("load.producer.acks", "all"), Map.of("load.producer.acks", "1"));
        Machine machine = machine(
                List.of(
                        property("producer", "acks", "all", Source.YOURS),
                        property("producer", "enable.idempotence", "true", Source.DEFAULT)),
                List.of(
                        property("producer", "acks", "1", Source.YOURS),
                        property("producer", "enable.idempotence", "false", Source.OVERRIDDEN)));
        assertThat(PropertyDifference.between(asked, machine, BOTH))
                .containsExactly(
                        new PropertyDifference("producer", "acks", List.of("all", "1"), true),
                        new PropertyDifference("producer", "enable.idempotence", List.of("true", "false"), false));
    }

    @Test
    void brokersThatAreAlikeAreOne() {
        RequestedExperiment asked =
                asked(Map.of("cluster.broker.num.io.threads", "4"), Map.of("cluster.broker.num.io.threads", "9"));
        Machine machine = machine(
                List.of(
                        property("broker 1", "num.io.threads", "4", Source.YOURS),
                        property("broker 2", "num.io.threads", "4", Source.YOURS)),
                List.of(
                        property("broker 1", "num.io.threads", "9", Source.YOURS),
                        property("broker 2", "num.io.threads", "9", Source.YOURS)));
        assertThat(PropertyDifference.between(asked, machine, BOTH))
                .containsExactly(new PropertyDifference("broker", "num.io.threads", List.of("4", "9"), true));
    }

    @Test
    void expectedPropertyDifferencesAreIgnored() {
        RequestedExperiment asked = asked(Map.of("cluster.kafka", "4.1.0"), Map.of("cluster.kafka", "4.3.1"));
        Machine machine = machine(
                List.of(
                        property("broker 1", "listeners", "PLAINTEXT://:1", Source.WEIR),
                        property("broker 1", "log.segment.bytes", "1", Source.DEFAULT),
                        property("topic t", "segment.bytes", "1", Source.DEFAULT),
                        property("consumer", "fetch.min.bytes", "1", Source.DEFAULT)),
                List.of(
                        property("broker 1", "listeners", "PLAINTEXT://:2", Source.WEIR),
                        property("broker 1", "log.segment.bytes", "2", Source.DEFAULT),
                        property("topic t", "segment.bytes", "2", Source.DEFAULT)));
        assertThat(PropertyDifference.between(asked, machine, BOTH))
                .containsExactly(new PropertyDifference("broker", "log.segment.bytes", List.of("1", "2"), true));
    }

    @Test
    void topicConfigDeclaresItsPropertyDifference() {
        RequestedExperiment asked = asked(Map.of("topics.t.config.flush.messages", "1"), Map.of());
        Machine machine = machine(
                List.of(property("topic t", "flush.messages", "1", Source.YOURS)),
                List.of(property("topic t", "flush.messages", "9223372036854775807", Source.DEFAULT)));
        assertThat(PropertyDifference.between(asked, machine, BOTH))
                .containsExactly(
                        new PropertyDifference("topic t", "flush.messages", List.of("1", "9223372036854775807"), true));
    }
}
