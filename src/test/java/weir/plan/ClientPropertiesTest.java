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
    void propertyOfAnotherClientIsRefusedWithTheNearestName() {
        assertThat(problem("producer: { fetch.min.bytes: 1 }")).contains("is not a property of a Kafka producer");
        assertThat(problem("producer: { liger.ms: 1 }")).contains("did you mean 'linger.ms'?");
        assertThat(problem("consumer: { fetch.min.byts: 1 }")).contains("did you mean 'fetch.min.bytes'?");
    }

    @Test
    void valueThatKafkaCannotReadIsRefused() {
        assertThat(problem("producer: { batch.size: 16KiB }"))
                .contains("'16KiB' is not what Kafka takes here: a whole number");
        assertThat(problem("producer: { enable.idempotence: maybe }")).contains("true or false");
    }

    @Test
    void valueThatTheClientWouldRefuseWhenItStartsIsRefused() {
        assertThat(problem("producer: { acks: both }"))
                .startsWith("x.yaml:1:21: load.producer.acks: 'both' is not what Kafka takes here: all, -1, 0, 1");
        assertThat(problem("producer: { compression.type: gzipp }")).contains("did you mean 'gzip'?");
        assertThat(problem("producer: { compression.lz4.level: 18 }")).contains("a number from 1 up to 17");
        assertThat(problem("producer: { batch.size: -1 }")).contains("a number from 0");
        assertThat(problem("producer: { batch.size: 99999999999 }")).contains("a number from 0");
        assertThat(problem("consumer: { isolation.level: read_all }")).contains("read_committed");
        assertThat(problem("consumer: { sasl.login.refresh.window.factor: 0.4 }"))
                .contains("from 0.5 up to 1.0");
        assertThat(Plans.problems("cluster: { client: { security.protocol: tls } }"))
                .contains("SASL_SSL");
        assertThat(problem("producer: { acks: -1, security.protocol: ssl, compression.zstd.level: -5 }"))
                .isEmpty();
        assertThat(problem("consumer: { auto.offset.reset: \"by_duration:PT1H\" }"))
                .isEmpty();
    }

    @Test
    void whatWeirSetsItselfIsRefused() {
        assertThat(problem("producer: { transactional.id: x }")).contains("an id is for transactions");
        assertThat(problem("consumer: { enable.auto.commit: true }")).contains("is Weir's own");
        assertThat(problem("consumer: { value.deserializer: x }")).contains("is Weir's own");
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

    private static String problem(String load) {
        return Plans.problems("load: { " + load + " }");
    }

    private static String fallback(ConfigDef.ConfigKey key) {
        Object value = ConfigDef.convertToString(
                key.defaultValue == ConfigDef.NO_DEFAULT_VALUE ? null : key.defaultValue, key.type);
        return value == null ? "" : value.toString().replace('\n', ' ');
    }
}
