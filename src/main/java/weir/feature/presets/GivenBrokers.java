package weir.feature.presets;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.TrialTopics;
import weir.host.Journal;
import weir.plan.property.Property;

/**
 * The properties that the brokers of an external cluster report.
 *
 * @param version release of the brokers; empty or incomplete if unknown
 * @param described properties of each broker, by broker id
 */
record GivenBrokers(String cluster, String version, Map<Integer, Map<String, Property>> described) {
    static final GivenBrokers NONE = new GivenBrokers("", "", Map.of());

    private static final String UNKNOWN = "unknown";
    private static final String NOTHING = "none";

    GivenBrokers {
        described = Map.copyOf(described);
    }

    static GivenBrokers of(Cluster cluster) {
        Map<Integer, Map<String, Property>> described = new LinkedHashMap<>();
        try (Journal journal = Journal.open();
                TrialTopics topics = TrialTopics.on(cluster, name -> name, journal)) {
            for (Property property : topics.properties(unknown -> {
                throw new ClusterUnavailable(cluster.bootstrap() + ": " + unknown);
            })) {
                int broker = Integer.parseInt(property.of().substring("broker ".length()));
                described.computeIfAbsent(broker, any -> new LinkedHashMap<>()).put(property.name(), property);
            }
        }
        int brokers = described.size();
        return new GivenBrokers(
                cluster.bootstrap() + " (Kafka " + cluster.version() + ", " + brokers
                        + (brokers == 1 ? " broker)" : " brokers)"),
                cluster.version(),
                described);
    }

    boolean asked() {
        return !cluster.isEmpty();
    }

    /** Returns the default in the brokers' release; empty if there is none or the release is unknown. */
    String byDefault(String name) {
        return described.values().stream()
                .flatMap(properties -> properties.values().stream())
                .filter(property -> property.name().equals(name))
                .map(Property::byDefault)
                .findFirst()
                .orElse("");
    }

    String values(PresetProperty property) {
        Set<String> values = new LinkedHashSet<>();
        described.values().forEach(broker -> values.add(value(broker, property.name())));
        return String.join(" / ", values);
    }

    boolean have(PresetProperty property) {
        return described.values().stream().allMatch(broker -> has(broker, property));
    }

    private static String value(Map<String, Property> broker, String name) {
        @Nullable Property found = broker.get(name);
        return found == null ? UNKNOWN : found.effective().isEmpty() ? NOTHING : found.effective();
    }

    private static boolean has(Map<String, Property> broker, PresetProperty property) {
        String value = value(broker, property.name());
        if (property.by() == PresetProperty.By.RUN) {
            return value.equals(property.value());
        }
        return switch (property.name()) {
            case "broker.rack" -> !value.equals(NOTHING) && !value.equals(UNKNOWN);
            case "num.recovery.threads.per.data.dir" ->
                !value.equals(UNKNOWN) && Integer.parseInt(value) >= folders(broker);
            // Any value is fine; these stay unchanged.
            default -> true;
        };
    }

    private static int folders(Map<String, Property> broker) {
        String several = value(broker, "log.dirs");
        return several.equals(NOTHING) || several.equals(UNKNOWN) ? 1 : several.split(",", -1).length;
    }

    List<String> toDo(Preset preset) {
        List<String> lines = new ArrayList<>();
        preset.of(PresetProperty.Side.TOPIC).stream()
                .filter(property -> property.name().equals(Property.REPLICATION))
                .filter(property -> Integer.parseInt(property.value()) > described.size())
                .forEach(property ->
                        lines.add("have at least " + property.value() + " brokers, one for each replica of a"
                                + " topic; now there " + (described.size() == 1 ? "is 1" : "are " + described.size())));
        for (PresetProperty property : preset.of(PresetProperty.Side.BROKER)) {
            if (!have(property)) {
                lines.add(property.name() + ": " + property.value() + " (it is " + values(property) + "): "
                        + property.why());
            }
        }
        return lines;
    }
}
