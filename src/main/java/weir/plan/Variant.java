package weir.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One variant of the experiment with every section resolved. */
public record Variant(
        String name,
        long seed,
        int repeat,
        ClusterSpec cluster,
        SortedMap<String, TopicSpec> topics,
        BridgeSpec bridge,
        LoadSpec load,
        List<Before> before,
        WarmupSpec warmup,
        MeasureSpec measure,
        Duration drain,
        Verify verify,
        Map<String, DisturbanceSpec> during,
        SortedMap<String, String> gridPoint,
        SortedMap<String, Setting> settings) {
    /** The name of the variant of an experiment without variants. */
    public static final String ONLY = "base";

    /** Between the name of a variant and those of its operations. No name in a file has it. */
    private static final String AFTER = " after ";

    /**
     * @param gridPoint dotted path to value, empty without a grid
     * @param settings every value with its origin, by dotted path
     */
    public Variant {
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        before = List.copyOf(before);
        during = Collections.unmodifiableSortedMap(new TreeMap<>(during));
        measure = load.rate().timed() ? measure : measure.covering(during.values(), cluster);
        gridPoint = Collections.unmodifiableSortedMap(new TreeMap<>(gridPoint));
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    public SortedMap<String, String> values() {
        SortedMap<String, String> values = new TreeMap<>();
        settings.values().forEach(setting -> values.put(setting.path(), setting.value()));
        return values;
    }

    public SortedMap<String, TopicSpec> usedTopics() {
        SortedMap<String, TopicSpec> used = new TreeMap<>(topics);
        if (load.workload() == LoadSpec.Workload.STREAM) {
            used.keySet().retainAll(List.of(load.stream().from(), load.stream().to()));
        } else if (!load.topics().isEmpty()) {
            used.keySet().removeIf(topic -> !load.topics().contains(topic) && !topic.equals(bridge.deadLetterTopic()));
        }
        return used;
    }

    /** A note about the meaning of "acked" if a server other than Kafka acknowledges; empty if Kafka does. */
    public String ackedNote() {
        String ofBridge = bridge.ackedNote();
        if (!ofBridge.isEmpty()) {
            return ofBridge;
        }
        return load.target() == LoadSpec.Target.NULL
                ? "the null target stores nothing, so acked means received by the null target"
                : "";
    }

    public List<PlacedSpec.Hosts> placements() {
        return hosts(everywhere());
    }

    public boolean inPods() {
        return everywhere().stream().anyMatch(PlacedSpec::inPods);
    }

    private List<PlacedSpec> everywhere() {
        List<PlacedSpec> placed = new ArrayList<>(List.of(load.placed()));
        if (load.target() == LoadSpec.Target.CLUSTER) {
            placed.add(cluster.placed());
        }
        placed.add(bridge.placed());
        during.values().forEach(disturbance -> placed.add(disturbance.placed()));
        return placed;
    }

    private static List<PlacedSpec.Hosts> hosts(List<PlacedSpec> placed) {
        return placed.stream()
                .filter(PlacedSpec.Hosts.class::isInstance)
                .map(PlacedSpec.Hosts.class::cast)
                .distinct()
                .toList();
    }

    public List<PlacedSpec.Hosts> reachingBrokers() {
        List<PlacedSpec> placed = new ArrayList<>(List.of(load.placed(), bridge.placed()));
        during.values().stream().filter(DisturbanceSpec::reachesBrokers).forEach(run -> placed.add(run.placed()));
        return hosts(placed);
    }

    /** True if readers end without leaving their group. */
    public boolean killsReaders() {
        return during.values().stream()
                .map(DisturbanceSpec::readers)
                .anyMatch(change -> change.leaving() > 0 && change.how() == ReaderChange.How.KILL);
    }

    public int addedBrokers() {
        return during.values().stream().mapToInt(DisturbanceSpec::addedBrokers).sum();
    }

    /** The loads of all disturbances, each as a variant. */
    public List<Variant> furtherLoads() {
        return during.entrySet().stream()
                .flatMap(each -> each.getValue().loads(each.getKey(), this).stream())
                .toList();
    }

    /** This variant on the cluster that its operations changed; empty if they change nothing for later trials. */
    public Optional<Variant> onChangedCluster() {
        String operations = during.entrySet().stream()
                .filter(each ->
                        each.getValue() instanceof DisturbanceSpec.Operation operation && operation.changesCluster())
                .sorted(Map.Entry.comparingByValue(Comparator.comparing(DisturbanceSpec::at)))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(" and "));
        return operations.isEmpty()
                ? Optional.empty()
                : Optional.of(RecordKeys.with(this, Map.of("name", name + AFTER + operations)));
    }

    /** Returns the name of a variant without the operations that changed its cluster. */
    public static String nameBefore(String name) {
        return name.split(AFTER, 2)[0];
    }

    public boolean clusterChanged() {
        return !nameBefore(name).equals(name);
    }

    /** The names of processes on a host except workers and brokers; {@code host} tests the host's name. */
    public List<String> others(Predicate<String> host) {
        List<String> all = new ArrayList<>();
        bridge.processes().forEach((name, number) -> {
            if (host.test(bridge.placed().of(number))) {
                all.add(name);
            }
        });
        during.forEach((name, disturbance) -> {
            if (!disturbance.processes().isEmpty()
                    && disturbance.placed().each().stream().anyMatch(host)) {
                all.add(name);
            }
        });
        return all;
    }

    public SortedMap<String, PlacedSpec> places() {
        SortedMap<String, PlacedSpec> placed = new TreeMap<>();
        placed.put(placedAt("load"), load.placed());
        if (cluster.startedByWeir()) {
            placed.put(placedAt("cluster"), cluster.placed());
        }
        if (!bridge.none() && bridge.url().isEmpty()) {
            placed.put(placedAt("bridge"), bridge.placed());
        }
        during.forEach((name, disturbance) -> {
            if (disturbance.placed().remote()) {
                String own = placedAt("during." + name);
                boolean inherits = disturbance instanceof DisturbanceSpec.BesideBrokers && own.equals("placed");
                placed.put(inherits ? placedAt("cluster") : own, disturbance.placed());
            }
        });
        return placed;
    }

    public String placedAt(String section) {
        String own = section + ".placed";
        return hasSettings(own) ? own : "placed";
    }

    public boolean hasSettings(String path) {
        return settings.containsKey(path) || !below(path).isEmpty();
    }

    /** The entries of a section as a bounded map, because a stream first counts a sub-map; '/' is after '.'. */
    private SortedMap<String, Setting> below(String path) {
        return settings.subMap(path + ".", path + "/");
    }

    public Stream<Setting> settingsAt(String path) {
        return Stream.concat(Stream.ofNullable(settings.get(path)), below(path).values().stream());
    }

    public boolean rateOmitted() {
        Setting rate = settings.get("load.rate");
        return rate != null && rate.origin().equals("default");
    }

    /** True if the engine of a feature receives the messages, instead of Kafka consumers. */
    public boolean receivesOutsideKafka() {
        return load.workload() == LoadSpec.Workload.DELIVER
                && load.target() == LoadSpec.Target.CLUSTER
                && load.consumers().engine() == LoadSpec.Engine.OTHER;
    }

    public Variant named(String newName, int newRepeat, String origin) {
        Variant named = RecordKeys.with(this, Map.of("name", newName));
        return newRepeat == repeat ? named : named.with("repeat", newRepeat, origin);
    }

    /** The variant with another value at a path such as {@code load.producer.linger.ms}, and nothing below. */
    public Variant with(String path, Object value, String origin) {
        SortedMap<String, Setting> changed = new TreeMap<>(settings);
        changed.keySet().removeIf(at -> at.equals(path) || at.startsWith(path + "."));
        changed.put(path, new Setting(path, written(value), origin));
        return RecordKeys.with(this, Map.of(path, value, "settings", changed));
    }

    private static String written(Object value) {
        if (value instanceof Enum<?> constant) {
            return EnumNames.of(constant);
        }
        if (value instanceof Duration duration) {
            return duration.toMillis() + "ms";
        }
        if (value instanceof RateSpec rate) {
            return rate.steps().isEmpty()
                    ? rate.text()
                    : rate.steps().stream()
                            .map(step -> step.rate().text() + " for " + written(step.length()))
                            .collect(Collectors.joining(", "));
        }
        if (value instanceof MeasureSpec measure) {
            return measure.counted() ? measure.operations() + " operations" : written(measure.length());
        }
        if (value instanceof BacklogSpec backlog) {
            return backlog.none() ? "none" : backlog.records() + " records";
        }
        if (value instanceof WarmupSpec warmup) {
            return warmup.none() ? "none" : written(warmup.length());
        }
        boolean none = value.equals(GroupSpec.ASSIGNED) || value instanceof TransactionSpec.None;
        return none ? "none" : String.valueOf(value);
    }

    public Variant undisturbed() {
        SortedMap<String, Setting> rest = new TreeMap<>(settings);
        rest.keySet().removeIf(at -> at.equals("during") || at.startsWith("during."));
        return RecordKeys.with(this, Map.of("during", Map.of(), "settings", rest));
    }

    public Variant onSharedBrokers(String origin) {
        return cluster.freshEachTrial() ? with("cluster.fresh", ClusterSpec.Fresh.RUN, origin) : this;
    }

    public enum Before {
        DROP_CACHES
    }
}
