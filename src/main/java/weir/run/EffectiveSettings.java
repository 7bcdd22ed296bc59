package weir.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import weir.cluster.Cluster;
import weir.judge.ProbeSeries;
import weir.plan.ClusterSpec;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.syntax.Origin;
import weir.results.value.NumberFormat;

/** The effective properties of a trial, their origin, and their observed effect. */
final class EffectiveSettings {
    private EffectiveSettings() {}

    /** Refuses properties that brokers would ignore, because the trial would differ from the plan. */
    static void refuseUnknown(Variant variant, Supplier<List<String>> unknownToBrokers) {
        ClusterSpec asked = variant.cluster();
        Set<String> unknown = new TreeSet<>(asked.broker().keySet());
        asked.brokers().forEach(broker -> unknown.addAll(broker.broker().keySet()));
        if (unknown.isEmpty()) {
            return;
        }
        unknown.retainAll(unknownToBrokers.get());
        if (!unknown.isEmpty()) {
            String origins = variant.settings().values().stream()
                    .filter(setting -> unknown.contains(setting.path().replaceFirst("^cluster\\.broker\\.", "")))
                    .map(Setting::origin)
                    .filter(Origin::preset)
                    .distinct()
                    .map(origin -> " (" + origin + ")")
                    .collect(Collectors.joining());
            throw new PreflightException("cluster.broker: the brokers of Kafka " + asked.kafka() + " do not know "
                    + String.join(", ", unknown) + origins + "; remove these properties, or correct their names");
        }
    }

    static Optional<String> shareLimits(List<Property> described) {
        return described.stream()
                .filter(property ->
                        property.of().equals("group") && property.name().startsWith("share."))
                // Weir sets the start offsets.
                .filter(property -> !property.name().equals("share.auto.offset.reset"))
                .map(property -> property.name() + "=" + property.effective())
                .sorted()
                .reduce((a, b) -> a + ", " + b)
                .map(limits -> "share group: " + limits);
    }

    static List<Property> of(Variant variant, Cluster cluster, List<Property> clients, List<Property> described) {
        List<Property> all = new ArrayList<>();
        for (Property property : clients) {
            all.add(connecting(variant, cluster, property) ? property.from(Property.Source.WEIR) : property);
        }
        all.addAll(described);
        return all;
    }

    private static boolean connecting(Variant variant, Cluster cluster, Property property) {
        boolean given = variant.cluster().client().containsKey(property.name())
                || (property.of().equals("producer")
                        && variant.load().producers().properties().containsKey(property.name()))
                || (property.of().equals("consumer")
                        && variant.load().consumers().properties().containsKey(property.name()));
        return cluster.startedByWeir()
                && !given
                && property.source() == Property.Source.YOURS
                && cluster.clientProperties().containsKey(property.name());
    }

    static List<Property> observed(List<Property> properties, ProbeSeries readings, double from, double to) {
        return properties.stream()
                .map(property -> {
                    String seen = seen(property, readings, from, to);
                    return seen.isEmpty() ? property : RecordKeys.with(property, Map.of("remark", seen));
                })
                .toList();
    }

    private record Mean(String metric, String words, double times) {}

    private static final Mean BATCH = new Mean("batch-size-avg", "batches of %s B on average", 1);
    private static final Mean REQUEST = new Mean("records-per-request-avg", "%s records in a request", 1);
    private static final Mean FETCH = new Mean("fetch-size-avg", "fetches of %s B on average", 1);
    private static final Map<String, Mean> MEANS = Map.ofEntries(
            Map.entry("producer batch.size", BATCH),
            Map.entry(
                    "producer linger.ms", new Mean("record-queue-time-avg", "records waited %s ms for their batch", 1)),
            Map.entry("producer max.request.size", REQUEST),
            Map.entry("producer compression.type", new Mean("compression-rate-avg", "batches shrank to %s %%", 100)),
            Map.entry("producer buffer.memory", new Mean("bufferpool-wait-ratio", "full for %s %% of the time", 100)),
            Map.entry("producer acks", new Mean("request-latency-avg", "requests took %s ms", 1)),
            Map.entry(
                    "producer max.in.flight.requests.per.connection",
                    new Mean("requests-in-flight", "%s requests in flight, all producers and brokers together", 1)),
            Map.entry("consumer fetch.min.bytes", FETCH),
            Map.entry("consumer fetch.max.bytes", FETCH),
            Map.entry("consumer max.partition.fetch.bytes", FETCH),
            Map.entry("consumer fetch.max.wait.ms", new Mean("fetch-latency-avg", "fetches took %s ms", 1)),
            Map.entry("consumer max.poll.records", new Mean("records-per-request-avg", "%s records in a fetch", 1)));

    static final Set<String> SEEN = MEANS.entrySet().stream()
            .map(mean ->
                    mean.getKey().substring(0, mean.getKey().indexOf(' ') + 1).replace(' ', '.')
                            + mean.getValue().metric())
            .collect(Collectors.toUnmodifiableSet());

    private static String seen(Property property, ProbeSeries readings, double from, double to) {
        Mean mean = MEANS.get(property.of() + " " + property.name());
        if (mean == null) {
            return "";
        }
        double value = readings.mean("client", property.of() + "." + mean.metric(), from, to);
        // Kafka's sender includes brokers without a batch, so its mean may be below one record.
        return Double.isNaN(value) || (mean.equals(REQUEST) && value < 1)
                ? ""
                : String.format(Locale.ROOT, mean.words(), NumberFormat.number(value * mean.times()));
    }
}
