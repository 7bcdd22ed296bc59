package weir.cluster.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.NodeSetting;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

/** The properties of brokers and topics, as the brokers report them. */
record DescribedConfigs(AdminAnswers answers) {
    private static final String SECRET = "(secret)";

    List<Property> of(Broker broker, Cluster cluster) {
        Map<String, String> asked = cluster.asked(broker.id());
        Map<String, NodeSetting> weirs = new TreeMap<>();
        cluster.settings().stream()
                .filter(setting -> setting.node().equals("broker-" + broker.id()))
                .forEach(setting -> weirs.put(setting.name(), setting));
        List<Property> properties = new ArrayList<>();
        for (ConfigEntry entry : describe(ConfigResource.Type.BROKER, Integer.toString(broker.id()))
                .entries()) {
            Property property = property("broker " + broker.id(), entry, asked);
            NodeSetting setting = weirs.get(entry.name());
            properties.add(
                    setting == null
                            ? property
                            : new Property(
                                    property.of(),
                                    property.name(),
                                    property.effective(),
                                    property.effective(),
                                    property.byDefault(),
                                    Source.WEIR,
                                    setting.reason()));
        }
        return properties;
    }

    List<Property> of(String name, String topic, Map<String, String> asked) {
        return describe(ConfigResource.Type.TOPIC, name).entries().stream()
                .map(entry -> property("topic " + topic, entry, asked))
                .toList();
    }

    List<Property> ofGroup(String name) {
        return describe(ConfigResource.Type.GROUP, name).entries().stream()
                .map(entry -> property("group", entry, Map.of()))
                .toList();
    }

    List<String> unknown(List<Broker> brokers) {
        TreeMap<String, String> unknown = new TreeMap<>();
        for (Broker broker : brokers) {
            for (ConfigEntry entry : describe(ConfigResource.Type.BROKER, Integer.toString(broker.id()))
                    .entries()) {
                boolean given = entry.source() == ConfigEntry.ConfigSource.STATIC_BROKER_CONFIG;
                // A property of a listener contains the listener's name, so no definition matches.
                if (given
                        && entry.type() == ConfigEntry.ConfigType.UNKNOWN
                        && !entry.name().startsWith("listener.name.")) {
                    unknown.put(entry.name(), "");
                }
            }
        }
        return List.copyOf(unknown.keySet());
    }

    private static Property property(String of, ConfigEntry entry, Map<String, String> asked) {
        Source source = asked.containsKey(entry.name())
                ? Source.YOURS
                : entry.source() == ConfigEntry.ConfigSource.DEFAULT_CONFIG ? Source.DEFAULT : Source.CLUSTER;
        String requested = asked.getOrDefault(entry.name(), "");
        return new Property(
                of,
                entry.name(),
                text(entry, requested),
                // Values from Kafka's config providers are never shown.
                requested.contains("${") ? SECRET : text(entry, entry.value()),
                byDefault(entry),
                source);
    }

    private Config describe(ConfigResource.Type type, String name) {
        ConfigResource resource = new ConfigResource(type, name);
        DescribeConfigsOptions options = new DescribeConfigsOptions().includeSynonyms(true);
        Config config = answers.to(
                        "the properties of " + resource,
                        admin -> admin.describeConfigs(List.of(resource), options)
                                .all())
                .get(resource);
        if (config == null) {
            throw new IllegalStateException("no broker reported the properties of " + resource);
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

    // Kafka returns null for a secret and for a missing value.
    private static String text(ConfigEntry entry, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            return entry.isSensitive() && entry.value() == null && !entry.isDefault() ? SECRET : "";
        }
        return entry.isSensitive() ? SECRET : value;
    }
}
