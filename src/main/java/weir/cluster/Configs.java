package weir.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;

/** What brokers and topics say of their own properties. */
final class Configs {
    private Configs() {}

    static List<Topics.Property> of(Answers answers, Broker broker, Map<String, String> asked) {
        return of(answers, ConfigResource.Type.BROKER, Integer.toString(broker.id()), "broker " + broker.id(), asked);
    }

    static List<Topics.Property> of(
            Answers answers, ConfigResource.Type type, String name, String of, Map<String, String> asked) {
        List<Topics.Property> properties = new ArrayList<>();
        for (ConfigEntry entry : describe(answers, type, name).entries()) {
            properties.add(new Topics.Property(
                    of,
                    entry.name(),
                    text(entry, asked.getOrDefault(entry.name(), "")),
                    text(entry, entry.value()),
                    byDefault(entry),
                    entry.source().name()));
        }
        return properties;
    }

    /** Properties given to brokers that those have no definition of. */
    static List<String> unknown(Answers answers, List<Broker> brokers) {
        TreeMap<String, String> unknown = new TreeMap<>();
        for (Broker broker : brokers) {
            for (ConfigEntry entry : describe(answers, ConfigResource.Type.BROKER, Integer.toString(broker.id()))
                    .entries()) {
                boolean given = entry.source() == ConfigEntry.ConfigSource.STATIC_BROKER_CONFIG;
                // Properties of a listener carry its name, which no definition has.
                if (given
                        && entry.type() == ConfigEntry.ConfigType.UNKNOWN
                        && !entry.name().startsWith("listener.name.")) {
                    unknown.put(entry.name(), "");
                }
            }
        }
        return List.copyOf(unknown.keySet());
    }

    private static Config describe(Answers answers, ConfigResource.Type type, String name) {
        ConfigResource resource = new ConfigResource(type, name);
        DescribeConfigsOptions options = new DescribeConfigsOptions().includeSynonyms(true);
        Config config = answers.to(
                        "the properties of " + resource,
                        admin -> admin.describeConfigs(List.of(resource), options)
                                .all())
                .get(resource);
        if (config == null) {
            throw new IllegalStateException("no broker told the properties of " + resource);
        }
        return config;
    }

    private static String byDefault(ConfigEntry entry) {
        return entry.synonyms().stream()
                .filter(synonym -> synonym.source() == ConfigEntry.ConfigSource.DEFAULT_CONFIG)
                .map(synonym -> text(entry, synonym.value()))
                .findFirst()
                .orElse("");
    }

    // Kafka gives null for a secret and for what has no value.
    private static String text(ConfigEntry entry, @org.jspecify.annotations.Nullable String value) {
        if (value == null || value.isEmpty()) {
            return entry.isSensitive() && entry.value() == null && !entry.isDefault() ? "(secret)" : "";
        }
        return entry.isSensitive() ? "(secret)" : value;
    }
}
