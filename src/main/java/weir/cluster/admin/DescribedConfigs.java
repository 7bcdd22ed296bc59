package weir.cluster.admin;

import java.util.ArrayList;
import java.util.Collection;
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
        String of = "broker " + broker.id();
        for (ConfigEntry entry : describe(broker)) {
            Property property = property(of, entry, asked);
            String value = property.effective();
            NodeSetting ours = weirs.get(entry.name());
            properties.add(
                    ours == null
                            ? property
                            : new Property(
                                    of, entry.name(), value, value, property.byDefault(), Source.WEIR, ours.reason()));
        }
        return properties;
    }

    List<Property> of(String name, String topic, Map<String, String> asked) {
        return describe(ConfigResource.Type.TOPIC, name).stream()
                .map(entry -> property("topic " + topic, entry, asked))
                .toList();
    }

    List<Property> ofGroup(String name) {
        return describe(ConfigResource.Type.GROUP, name).stream()
                .map(entry -> property("group", entry, Map.of()))
                .toList();
    }

    List<String> unknown(List<Broker> brokers) {
        return brokers.stream()
                .flatMap(broker -> describe(broker).stream())
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.STATIC_BROKER_CONFIG
                        && entry.type() == ConfigEntry.ConfigType.UNKNOWN)
                .map(ConfigEntry::name)
                // A property of a listener contains the listener's name, so no definition matches.
                .filter(name -> !name.startsWith("listener.name."))
                .distinct()
                .sorted()
                .toList();
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

    private Collection<ConfigEntry> describe(Broker broker) {
        return describe(ConfigResource.Type.BROKER, Integer.toString(broker.id()));
    }

    private Collection<ConfigEntry> describe(ConfigResource.Type type, String name) {
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
        return config.entries();
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
