package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cluster.release.BrokerDefinition;
import weir.cluster.release.Release;
import weir.plan.Golden;
import weir.plan.syntax.Keys;

/** Broker properties as releases define them, compared with Weir's list. */
class BrokerDefinitionIT {
    private static final String HEADER = """
            # Every property of brokers and topics of the release that Weir starts by default: name, whose it is, default of
            # brokers. Written by `make golden` from the release itself.
            """;

    @Test
    void listIsThatOfTheRelease() throws IllegalAccessException {
        SortedMap<String, String> brokers =
                defaults(Keys.at("cluster.kafka").fallback().line());
        TreeSet<String> topics = new TreeSet<>();
        for (Field field : TopicConfig.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getName().endsWith("_CONFIG")) {
                topics.add(String.valueOf(field.get(null)));
            }
        }
        SortedMap<String, String> all = new TreeMap<>(brokers);
        topics.forEach(topic -> all.putIfAbsent(topic, ""));
        StringBuilder text = new StringBuilder(HEADER);
        all.forEach((name, value) -> {
            String whose = brokers.containsKey(name) ? topics.contains(name) ? "broker,topic" : "broker" : "topic";
            text.append(name).append('\t').append(whose).append('\t').append(value.replace('\n', ' '));
            text.append('\n');
        });
        Golden.assertSame("src/main/resources/weir/plan/broker-properties.txt", text.toString());
    }

    @ParameterizedTest
    @CsvSource({"2.7.2, 1", "3.9.2, 1", "4.4.0, 2"})
    void eachReleaseHasItsOwnDefaults(String release, String recoveryThreads) {
        assertThat(defaults(release)).containsEntry("num.recovery.threads.per.data.dir", recoveryThreads);
    }

    private static SortedMap<String, String> defaults(String release) {
        return BrokerDefinition.defaults(Release.fetch(release, doing -> {}));
    }
}
