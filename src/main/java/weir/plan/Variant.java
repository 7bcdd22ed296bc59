package weir.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The experiment as one variant sees it: every section resolved. */
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
    private static final String PRODUCER = "load.producer.";
    private static final String CONSUMER = "load.consumer.";

    /**
     * @param gridPoint dotted path to value, empty without a grid
     * @param settings every value with its origin, by dotted path
     */
    public Variant {
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        before = List.copyOf(before);
        during = Collections.unmodifiableSortedMap(new TreeMap<>(during));
        gridPoint = Collections.unmodifiableSortedMap(new TreeMap<>(gridPoint));
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /** Every value as text, by dotted path. */
    public SortedMap<String, String> values() {
        SortedMap<String, String> values = new TreeMap<>();
        settings.values().forEach(setting -> values.put(setting.path(), setting.value()));
        return values;
    }

    /** The topics that a trial uses, by their name in the plan: those of the load and that of dead letters. */
    public SortedMap<String, TopicSpec> usedTopics() {
        SortedMap<String, TopicSpec> used = new TreeMap<>(topics);
        if (load.workload() == LoadSpec.Workload.STREAM) {
            used.keySet().retainAll(List.of(load.stream().from(), load.stream().to()));
        } else if (!load.topics().isEmpty()) {
            used.keySet().removeIf(topic -> !load.topics().contains(topic) && !topic.equals(deadLetterTopic()));
        }
        return used;
    }

    /** A note that ends with the meaning of acked where Kafka does not acknowledge; empty where it does. */
    public String ackedNote() {
        if (bridge instanceof BridgeSpec.Gateway gateway && gateway.answer() == BridgeSpec.Answer.QUEUED) {
            return "the gateway answers before a broker has a record, so acked means taken by the gateway";
        }
        if (bridge instanceof BridgeSpec.Delivery way && way.path() == BridgeSpec.DeliveryPath.DIRECT) {
            return "no process stands between sender and receiver, so acked means taken by the receiver";
        }
        if (bridge instanceof BridgeSpec.Delivery way && !way.path().inKafka()) {
            return "the channel keeps events in memory, so acked means queued in memory by the channel";
        }
        if (bridge instanceof BridgeSpec.Url) {
            return "the server of bridge.url is not ours, so acked means answered with 2xx by that server";
        }
        return load.target() == LoadSpec.Target.NULL
                ? "the null target stores nothing, so acked means taken by the null target"
                : "";
    }

    /** The hosts on which a trial starts something, each placement once: of load, brokers, bridge and disturbances. */
    public List<PlacedSpec.Hosts> placements() {
        return hosts(everywhere());
    }

    /** True when a trial runs something in pods of Kubernetes. */
    public boolean inPods() {
        return everywhere().stream().anyMatch(PlacedSpec.Kubernetes.class::isInstance);
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

    /** The hosts that have to reach the brokers, for each part that does. */
    public List<PlacedSpec.Hosts> reachingBrokers() {
        List<PlacedSpec> placed = new ArrayList<>(List.of(load.placed(), bridge.placed()));
        during.values().stream().filter(DisturbanceSpec.Run.class::isInstance).forEach(run -> placed.add(run.placed()));
        return hosts(placed);
    }

    /** The same with its parts on other machines. */
    public Variant placedOn(
            PlacedSpec brokers, PlacedSpec servers, PlacedSpec workers, Map<String, PlacedSpec> disturbances) {
        Map<String, DisturbanceSpec> placed = new TreeMap<>(during);
        placed.replaceAll((name, what) -> what.placedOn(disturbances.getOrDefault(name, what.placed())));
        return new Variant(
                name,
                seed,
                repeat,
                cluster.placedOn(brokers),
                topics,
                bridge.placedOn(servers),
                load.placedOn(workers),
                before,
                warmup,
                measure,
                drain,
                verify,
                placed,
                gridPoint,
                settings);
    }

    /** The names of what runs on a host beside workers and brokers; {@code host} tells whether one is named so. */
    public List<String> others(Predicate<String> host) {
        List<String> all = new ArrayList<>();
        bridge.processes().forEach((name, number) -> {
            if (host.test(bridge.placed().of(number))) {
                all.add(name);
            }
        });
        during.forEach((name, disturbance) -> {
            if (disturbance.startsProcesses()
                    && disturbance.placed().each().stream().anyMatch(host)) {
                all.add(name);
            }
        });
        return all;
    }

    /** The path at which it is said where a section's processes run: the section's own, or that of the whole file. */
    public String placedAt(String section) {
        String own = section + ".placed";
        boolean said = settings.tailMap(own).keySet().stream()
                .takeWhile(path -> path.startsWith(own))
                .anyMatch(path -> path.equals(own) || path.startsWith(own + "."));
        return said ? own : "placed";
    }

    /** True when nobody wrote at which rate it is to run. */
    public boolean rateUnsaid() {
        Setting rate = settings.get("load.rate");
        return rate != null && rate.origin().equals("default");
    }

    /** True when the load has a receiver that is sent events. */
    public boolean receivesByHttp() {
        return load.workload() == LoadSpec.Workload.DELIVER
                && load.target() == LoadSpec.Target.CLUSTER
                && load.consumers().engine() == LoadSpec.Engine.HTTP;
    }

    /** The topic of the plan that dead letters are written to; empty for none. */
    public String deadLetterTopic() {
        return bridge instanceof BridgeSpec.Delivery delivery
                ? delivery.dispatch().delivery().deadLetterTopic()
                : "";
    }

    /** The topic in which events stand on their way: the first of the load that is not for dead letters. */
    public String eventTopic() {
        return usedTopics().keySet().stream()
                .filter(topic -> !topic.equals(deadLetterTopic()))
                .findFirst()
                .orElseThrow();
    }

    /** The same under another name and with other repeats, and why. */
    public Variant with(String newName, int newRepeat, String origin) {
        return new Variant(
                newName,
                seed,
                newRepeat,
                cluster,
                topics,
                bridge,
                load,
                before,
                warmup,
                measure,
                drain,
                verify,
                during,
                gridPoint,
                newRepeat == repeat ? settings : said("repeat", String.valueOf(newRepeat), origin));
    }

    public Variant with(RateSpec rate, String written, String origin) {
        return with(
                cluster, load.with(rate), warmup, measure, drain, verify, during, said("load.rate", written, origin));
    }

    /** The same with another load on topics of so many partitions. */
    public Variant on(int partitions, LoadSpec newLoad, String origin) {
        SortedMap<String, TopicSpec> newTopics = new TreeMap<>(topics);
        SortedMap<String, Setting> newSettings = new TreeMap<>(settings);
        Map<String, String> said = new TreeMap<>(Map.of(
                "load.workload", EnumNames.of(newLoad.workload()),
                "load.producers", String.valueOf(newLoad.producers().count()),
                "load.consumers", String.valueOf(newLoad.consumers().count())));
        for (String topic : usedTopics().keySet()) {
            newTopics.computeIfPresent(topic, (name, spec) -> spec.with(partitions));
            said.put("topics." + topic + ".partitions", String.valueOf(partitions));
        }
        said.forEach((path, value) -> {
            Setting old = newSettings.get(path);
            if (old == null || !old.value().equals(value)) {
                newSettings.put(path, new Setting(path, value, origin));
            }
        });
        return new Variant(
                name,
                seed,
                repeat,
                cluster,
                newTopics,
                bridge,
                newLoad,
                before,
                warmup,
                measure,
                drain,
                verify,
                during,
                gridPoint,
                newSettings);
    }

    /** The same measured for so many operations, without a warm-up. */
    public Variant measuring(long operations, String origin) {
        return with(
                cluster,
                load,
                new WarmupSpec.None(),
                new MeasureSpec.Operations(operations),
                drain,
                verify,
                during,
                said("measure", operations + " operations", origin));
    }

    public Variant with(WarmupSpec newWarmup, Duration length, String origin) {
        String written = newWarmup instanceof WarmupSpec.None ? "none" : millis(newWarmup.expected());
        return with(cluster, load, newWarmup, measure, drain, verify, during, said("warmup", written, origin))
                .with(new MeasureSpec.For(length), millis(length), origin);
    }

    /** The same with a client property, by its path such as {@code load.producer.linger.ms}. */
    public Variant withProperty(String path, String value, String origin) {
        SortedMap<String, String> ofProducers = new TreeMap<>(load.producers().properties());
        SortedMap<String, String> ofConsumers = new TreeMap<>(load.consumers().properties());
        if (path.startsWith(PRODUCER)) {
            ofProducers.put(path.substring(PRODUCER.length()), value);
        } else if (path.startsWith(CONSUMER)) {
            ofConsumers.put(path.substring(CONSUMER.length()), value);
        } else {
            throw new IllegalArgumentException("'" + path + "' is no property of a client");
        }
        return with(
                cluster,
                load.withProperties(ofProducers, ofConsumers),
                warmup,
                measure,
                drain,
                verify,
                during,
                said(path, value, origin));
    }

    private Variant with(MeasureSpec newMeasure, String written, String origin) {
        return with(cluster, load, warmup, newMeasure, drain, verify, during, said("measure", written, origin));
    }

    public Variant withDrain(Duration newDrain, String origin) {
        return with(cluster, load, warmup, measure, newDrain, verify, during, said("drain", millis(newDrain), origin));
    }

    public Variant unverified(String origin) {
        return with(cluster, load, warmup, measure, drain, Verify.FALSE, during, said("verify", "false", origin));
    }

    public Variant undisturbed() {
        return with(cluster, load, warmup, measure, drain, verify, Map.of(), without("during"));
    }

    /** The same on brokers that are started once for all trials, where they are ours. */
    public Variant onSharedBrokers(String origin) {
        return cluster.freshEachTrial()
                ? with(
                        cluster.startedOnce(),
                        load,
                        warmup,
                        measure,
                        drain,
                        verify,
                        during,
                        said("cluster.fresh", "run", origin))
                : this;
    }

    private Variant with(
            ClusterSpec newCluster,
            LoadSpec newLoad,
            WarmupSpec newWarmup,
            MeasureSpec newMeasure,
            Duration newDrain,
            Verify newVerify,
            Map<String, DisturbanceSpec> newDuring,
            SortedMap<String, Setting> newSettings) {
        return new Variant(
                name,
                seed,
                repeat,
                newCluster,
                topics,
                bridge,
                newLoad,
                before,
                newWarmup,
                newMeasure,
                newDrain,
                newVerify,
                newDuring,
                gridPoint,
                newSettings);
    }

    /** The settings with another value at a path, in place of all that stood at or below it. */
    private SortedMap<String, Setting> said(String path, String value, String origin) {
        SortedMap<String, Setting> said = without(path);
        said.put(path, new Setting(path, value, origin));
        return said;
    }

    private SortedMap<String, Setting> without(String path) {
        SortedMap<String, Setting> rest = new TreeMap<>(settings);
        rest.keySet().removeIf(at -> at.equals(path) || at.startsWith(path + "."));
        return rest;
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + "ms";
    }

    /** Something done once before each trial. */
    public enum Before {
        DROP_CACHES
    }
}
