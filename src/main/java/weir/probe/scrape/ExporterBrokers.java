package weir.probe.scrape;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The brokers that an exporter tells of.
 *
 * @param label by which samples of several are told apart; empty where there is one
 * @param sources the names of the brokers in readings, by the value of that label
 */
record ExporterBrokers(String label, SortedMap<String, String> sources) {
    private static final String BROKER = "broker-";

    /** The labels that may tell brokers apart, as collectors and configurations call them, the surest first. */
    private static final List<String> LABELS = List.of(
            "broker_id",
            "brokerid",
            "node_id",
            "kafka_id",
            "broker",
            "kubernetes_pod_name",
            "pod",
            "node",
            "hostname",
            "host",
            "instance");

    ExporterBrokers {
        sources = new TreeMap<>(sources);
    }

    @Override
    public SortedMap<String, String> sources() {
        return new TreeMap<>(sources);
    }

    /** The broker that a sample is about; empty where it is about none, or about one of several that nobody knows. */
    String source(Sample sample) {
        return sources.getOrDefault(label.isEmpty() ? "" : sample.label(label), "");
    }

    /**
     * @param anchors samples of which there is one for each broker
     * @param brokers the addresses of the brokers of the cluster, by their numbers
     * @throws IllegalArgumentException when nothing tells them apart
     */
    static ExporterBrokers of(
            List<Map<String, String>> anchors, ExporterAddress address, SortedMap<Integer, String> brokers) {
        SortedMap<String, String> sources = new TreeMap<>();
        if (anchors.size() == 1) {
            sources.put("", BROKER + alone(anchors.get(0), address, brokers));
            return new ExporterBrokers("", sources);
        }
        for (String label : LABELS) {
            Set<String> values = anchors.stream()
                    .map(labels -> labels.getOrDefault(label, ""))
                    .filter(value -> !value.isEmpty())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (values.size() == anchors.size()) {
                values.forEach(value -> sources.put(
                        value,
                        BROKER
                                + number(value)
                                        .or(() -> byHost(value.replaceFirst(":\\d+$", ""), brokers))
                                        .orElse(value)));
                return new ExporterBrokers(label, sources);
            }
        }
        throw new IllegalArgumentException("it tells of " + anchors.size()
                + " brokers, and no label tells them apart; give each sample one of " + String.join(", ", LABELS)
                + ", or list an address for each broker");
    }

    /** By a label with its number, by its host, or because there is no other broker. */
    private static String alone(
            Map<String, String> labels, ExporterAddress address, SortedMap<Integer, String> brokers) {
        return LABELS.stream()
                .flatMap(label -> number(labels.getOrDefault(label, "")).stream())
                .findFirst()
                .or(() -> brokers.size() == 1 ? Optional.of(String.valueOf(brokers.firstKey())) : Optional.empty())
                .or(() -> byHost(address.host(), brokers))
                .orElse(address.hostAndPort());
    }

    private static Optional<String> number(String value) {
        return value.matches("[0-9]{1,9}") ? Optional.of(value) : Optional.empty();
    }

    /** The only broker at this host. */
    private static Optional<String> byHost(String host, SortedMap<Integer, String> brokers) {
        List<Integer> there = new ArrayList<>();
        brokers.forEach((id, at) -> {
            if (at.replaceFirst(":\\d+$", "").equalsIgnoreCase(host)) {
                there.add(id);
            }
        });
        return there.size() == 1 ? Optional.of(String.valueOf(there.get(0))) : Optional.empty();
    }
}
