package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

class ClientPropertiesTest {
    private static final String HEADER = """
            # Every property of the Kafka clients that Weir ships with: name, type, the clients that know it, default,
            # values taken.
            # Written by `make golden` from the clients themselves.
            """;

    @Test
    void listIsThatOfTheClients() {
        Map<String, ConfigDef> clients = new TreeMap<>();
        clients.put("admin", AdminClientConfig.configDef());
        clients.put("consumer", ConsumerConfig.configDef());
        clients.put("producer", ProducerConfig.configDef());
        Map<String, ConfigDef.ConfigKey> keys = new TreeMap<>();
        Map<String, TreeSet<String>> knownTo = new TreeMap<>();
        clients.forEach((client, definition) -> definition.configKeys().forEach((name, key) -> {
            keys.put(name, key);
            knownTo.computeIfAbsent(name, any -> new TreeSet<>()).add(client);
        }));
        StringBuilder text = new StringBuilder(HEADER);
        keys.forEach((name, key) -> text.append(name)
                .append('\t')
                .append(key.type().name().toLowerCase(Locale.ROOT))
                .append('\t')
                .append(String.join(",", knownTo.getOrDefault(name, new TreeSet<>())))
                .append('\t')
                .append(fallback(key))
                .append('\t')
                .append(key.validator == null ? "" : key.validator)
                .append('\n'));
        Golden.assertSame("src/main/resources/weir/plan/client-properties.txt", text.toString());
    }

    @Test
    void pluginsAndProvidersPassUnchecked() {
        Experiment experiment =
                Plans.read("load: { producer: { plugin: { my.setting: 1 }, config.providers.env.class: x } }");
        assertThat(experiment.variants().get(0).load().producers().properties())
                .containsEntry("my.setting", "1")
                .containsEntry("config.providers.env.class", "x");
        assertThat(experiment.variants().get(0).settings()).containsKey("load.producer.plugin.my.setting");
    }

    private static String fallback(ConfigDef.ConfigKey key) {
        Object value = ConfigDef.convertToString(
                key.defaultValue == ConfigDef.NO_DEFAULT_VALUE ? null : key.defaultValue, key.type);
        return value == null ? "" : value.toString().replace('\n', ' ');
    }
}
