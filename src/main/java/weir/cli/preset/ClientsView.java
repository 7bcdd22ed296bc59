package weir.cli.preset;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.cluster.start.RefusedProperties;
import weir.load.client.ClientConfig;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.PresetProperty.Side;
import weir.plan.property.Properties;
import weir.plan.property.Property;
import weir.plan.property.Redact;

/** One set of properties as the clients understand it. */
final class ClientsView {
    private static final Map<Side, Map<String, String>> SERIALIZERS = Map.of(
            Side.PRODUCER,
            both("key.serializer", "value.serializer", "ByteArraySerializer"),
            Side.CONSUMER,
            both("key.deserializer", "value.deserializer", "ByteArrayDeserializer"));

    private final Map<Side, Map<String, Property>> properties;

    private ClientsView(Map<Side, Map<String, Property>> properties) {
        this.properties = properties;
    }

    private static Map<String, String> both(String key, String value, String type) {
        String name = "org.apache.kafka.common.serialization." + type;
        return Map.of(key, name, value, name);
    }

    /**
     * @param source who gives them
     * @throws Problems when a client does not start with them
     */
    static ClientsView of(String source, SortedMap<String, String> producer, SortedMap<String, String> consumer) {
        RefusedProperties.ofProducer(new TreeMap<>(), producer, false)
                .ifPresent(said -> refuse(source, Side.PRODUCER, said));
        RefusedProperties.ofConsumer(new TreeMap<>(), consumer).ifPresent(said -> refuse(source, Side.CONSUMER, said));
        return new ClientsView(Map.of(
                Side.PRODUCER,
                effective(ClientConfig.Kind.PRODUCER, Side.PRODUCER, producer),
                Side.CONSUMER,
                effective(ClientConfig.Kind.CONSUMER, Side.CONSUMER, consumer)));
    }

    /** The same of a file in which the properties of all clients stand together. */
    static ClientsView of(OwnProperties own) {
        String source = "weir presets: --with " + own.file();
        return of(source, known(own, Side.PRODUCER), known(own, Side.CONSUMER));
    }

    private static SortedMap<String, String> known(OwnProperties own, Side side) {
        SortedMap<String, String> known = new TreeMap<>(own.values());
        known.keySet().removeIf(name -> !knows(side, name));
        return known;
    }

    static boolean knows(Side side, String name) {
        Properties.@Nullable Known known = Properties.known().get(name);
        return known != null && known.clients().contains(side.word());
    }

    private static void refuse(String source, Side side, String said) {
        throw new Problems(List.of(Problem.of(
                source,
                "a Kafka " + side.word() + " does not start with these properties: " + Redact.text(said)
                        + "; correct them")));
    }

    private static Map<String, Property> effective(
            ClientConfig.Kind kind, Side side, SortedMap<String, String> properties) {
        SortedMap<String, String> plain = new TreeMap<>(properties);
        // Providers are asked where a client runs, and not to show what they know.
        plain.keySet().removeIf(name -> name.startsWith("config.providers"));
        plain.values().removeIf(value -> value.contains("${"));
        Map<String, String> serializers = SERIALIZERS.getOrDefault(side, Map.of());
        plain.keySet().removeAll(serializers.keySet());
        ClientConfig config = new ClientConfig(kind, serializers, Map.of(), plain);
        if (side == Side.CONSUMER) {
            // Without a group a consumer commits nothing, whatever it is asked for.
            config.unlessAsked("group.id", "weir");
        }
        return config.unlessAsked("bootstrap.servers", "localhost:9").effective().stream()
                .collect(Collectors.toMap(Property::name, property -> property));
    }

    Optional<Property> property(Side side, String name) {
        return Optional.ofNullable(properties.getOrDefault(side, Map.of()).get(name));
    }

    /** The properties that a client sets to something else than it was asked for, or than its own default. */
    List<Property> overridden(Side side) {
        return properties.getOrDefault(side, Map.of()).values().stream()
                .filter(property -> property.source() == Property.Source.OVERRIDDEN)
                .sorted(Comparator.comparing(Property::name))
                .toList();
    }
}
