package weir.judge.caveat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.syntax.Origin;

/**
 * The properties that, according to the plan, have no effect on the measurement. A property with the same value in all
 * variants is listed only if no variant uses the property. A property with different values is listed for each variant
 * that does not use the property. Properties of a preset are never listed.
 */
public final class IgnoredProperties {
    private static final Set<String> OF_GROUPS = Set.of(
            "auto.commit.interval.ms",
            "group.instance.id",
            "group.remote.assignor",
            "heartbeat.interval.ms",
            "max.poll.interval.ms",
            "partition.assignment.strategy",
            "session.timeout.ms");

    private static final Set<String> OF_THE_DEFAULT_PARTITIONER = Set.of(
            "partitioner.adaptive.partitioning.enable",
            "partitioner.availability.timeout.ms",
            "partitioner.ignore.keys");

    private static final Set<String> OF_TOPICS_MADE_BY_BROKERS = Set.of("num.partitions", "default.replication.factor");

    private final Variant variant;
    private final SortedMap<String, String> found = new TreeMap<>();

    private IgnoredProperties(Variant variant) {
        this.variant = variant;
    }

    public static List<String> in(List<Variant> variants) {
        Map<String, Map<Variant, String>> found = new TreeMap<>();
        for (Variant variant : variants) {
            of(variant)
                    .forEach((path, reason) -> found.computeIfAbsent(path, none -> new LinkedHashMap<>())
                            .put(variant, reason));
        }
        List<String> sentences = new ArrayList<>();
        found.forEach((path, reasons) -> {
            if (counts(path, reasons.keySet(), variants)) {
                Variant first = reasons.keySet().iterator().next();
                String whose = variants.size() == 1
                        ? ""
                        : " in " + reasons.keySet().stream().map(Variant::name).collect(Collectors.joining(", "));
                sentences.add(path + ": " + value(first, path) + whose + " has no effect: " + reasons.get(first));
            }
        });
        return sentences;
    }

    private static boolean counts(String path, Set<Variant> without, List<Variant> variants) {
        boolean everywhere = variants.stream()
                .filter(variant -> variant.settings().containsKey(path))
                .allMatch(without::contains);
        boolean compared = variants.stream()
                        .map(variant -> value(variant, path))
                        .distinct()
                        .count()
                > 1;
        return everywhere || compared;
    }

    private static String value(Variant variant, String path) {
        @Nullable Setting setting = variant.settings().get(path);
        return setting == null ? "" : setting.value();
    }

    static SortedMap<String, String> of(Variant variant) {
        IgnoredProperties ignored = new IgnoredProperties(variant);
        ignored.clients();
        ignored.topics();
        ignored.brokers();
        return ignored.found;
    }

    private void clients() {
        LoadSpec load = variant.load();
        boolean reads = load.workload() == LoadSpec.Workload.CONSUME
                || load.workload() == LoadSpec.Workload.DELIVER
                || load.workload() == LoadSpec.Workload.STREAM;
        boolean sends =
                load.workload() != LoadSpec.Workload.CONSUME || !load.backlog().none();
        String workload = load.workload().name().toLowerCase(Locale.ROOT);
        load.producers().properties().keySet().forEach(name -> {
            if (!sends) {
                add("load.producer." + name, "the workload " + workload + " without a backlog sends no record");
            } else {
                producer(name, load);
            }
        });
        load.consumers().properties().keySet().forEach(name -> {
            // The isolation level limits the records that the check reads back.
            if (!reads && !name.equals("isolation.level")) {
                add(
                        "load.consumer." + name,
                        "the workload " + workload
                                + " has no reader, and no figure includes the reading after the trial");
            } else if (reads && !load.consumers().group().named() && OF_GROUPS.contains(name)) {
                add("load.consumer." + name, "without a group (load.group) the reader commits no offset");
            }
        });
    }

    private void producer(String name, LoadSpec load) {
        String path = "load.producer." + name;
        String codec = load.producers().properties().getOrDefault("compression.type", "none");
        if (name.matches("compression\\.\\w+\\.level") && !name.equals("compression." + codec + ".level")) {
            add(path, "compression.type is " + codec);
        }
        if (name.startsWith("transaction.") && load.transaction().none()) {
            add(path, "there are no transactions (load.transaction)");
        }
        if (OF_THE_DEFAULT_PARTITIONER.contains(name)) {
            if (load.producers().properties().containsKey("partitioner.class")) {
                add(path, "partitioner.class chooses the partition");
            } else if (name.equals("partitioner.ignore.keys") && load.messages().key() instanceof KeySpec.None) {
                add(path, "records have no key (load.key)");
            } else if (variant.usedTopics().values().stream().allMatch(topic -> topic.partitions() == 1)) {
                add(path, "there is one partition to choose from");
            }
        }
    }

    private void topics() {
        Set<String> used = new TreeSet<>(variant.usedTopics().keySet());
        variant.during().forEach((name, disturbance) -> used.addAll(disturbance.topics(name)));
        variant.topics()
                .forEach((topic, spec) -> spec.config().keySet().forEach(name -> {
                    if (!used.contains(topic)) {
                        add("topics." + topic + ".config." + name, "no load uses topic '" + topic + "'");
                    }
                }));
    }

    private void brokers() {
        variant.cluster().broker().keySet().stream()
                .filter(OF_TOPICS_MADE_BY_BROKERS::contains)
                .forEach(name -> add(
                        "cluster.broker." + name, "Weir creates every topic with its own partitions and replication"));
    }

    private void add(String path, String reason) {
        @Nullable Setting setting = variant.settings().get(path);
        if (setting != null && !Origin.preset(setting.origin())) {
            found.put(path, reason);
        }
    }
}
