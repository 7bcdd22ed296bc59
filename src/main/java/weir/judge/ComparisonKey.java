package weir.judge;

import static java.util.Map.entry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.value.HostFacts;
import weir.results.value.NumberFormat;

/**
 * The settings and facts that must be equal in all results on one axis. A setting has the path of its key, with a star
 * for the name of a topic or disturbance. A setting with the default value is absent. Decision 0062 says why users may
 * compare all other settings.
 */
public record ComparisonKey(SortedMap<Part, SortedMap<String, String>> parts) {
    /** The keys of each part, with all keys below them. The first row with a key decides. */
    private static final List<Map.Entry<Part, Pattern>> ROWS = List.of(
            entry(Part.MACHINE, keys("*.within kubernetes.nodes kubernetes.storage")),
            entry(
                    Part.TOPOLOGY,
                    keys("cluster.brokers cluster.controllers topics.*.partitions topics.*.replication topics.*.count"
                            + " topics.*.brokers *placed load.beside load.apart bridge")),
            entry(
                    Part.WORKLOAD,
                    keys("load.workload load.topics load.key load.value load.transaction load.outcome load.work"
                            + " load.http.request load.receiver.delay load.receiver.fail")),
            entry(
                    Part.LOAD,
                    keys("load.rate load.producers load.consumers load.connections load.threads load.workers"
                            + " load.backlog during")),
            entry(Part.METHOD, keys("load.engine before cluster.fresh")));

    /** The keys below those of {@link #ROWS} that are in no part. */
    private static final Pattern COMPARED =
            keys("*.producer *.consumer topics.*.config load.value.registry *placed.address *placed.start *placed.ssh"
                    + " during.*.max during.*.settle during.*.upgrade.to during.*.downgrade.to");

    /** Finds the name of a topic, which may contain dots, or of a disturbance. */
    private static final Pattern NAMED = Pattern.compile("^(?:(topics)\\..+(?=\\.[a-z]+$)|(during)\\.[^.]+)(\\..+)");

    public enum Part {
        WORKLOAD,
        LOAD,
        RELEASE_FAMILY,
        TOPOLOGY,
        MACHINE,
        METHOD;

        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** A setting or fact with different values. {@link NumberFormat#MISSING} stands for an absent value. */
    public record Difference(Part part, String name, String one, String other) {
        public String text(String first, String second) {
            return String.format(
                    "%s differs (%s is '%s' in %s and '%s' in %s)", part.word(), name, one, first, other, second);
        }
    }

    public ComparisonKey {
        SortedMap<Part, SortedMap<String, String>> copy = new TreeMap<>();
        parts.forEach((part, own) -> copy.put(part, Collections.unmodifiableSortedMap(new TreeMap<>(own))));
        parts = Collections.unmodifiableSortedMap(copy);
    }

    public static ComparisonKey of(RequestedExperiment asked, RequestedExperiment.Variant variant, Machine machine) {
        return of(asked.shortened(), variant, machine);
    }

    public static ComparisonKey of(boolean shortened, RequestedExperiment.Variant variant, Machine machine) {
        SortedMap<String, String> values = variant.values();
        SortedMap<Part, SortedMap<String, String>> parts = settings(values);
        if (machine.tool().isEmpty()) {
            parts.values()
                    .forEach(own -> own.entrySet()
                            .removeIf(setting -> same(setting.getKey(), setting.getValue(), absent(setting.getKey()))));
            all(parts, Part.RELEASE_FAMILY).put("product", product(values, machine.facts()));
            all(parts, Part.TOPOLOGY).put("cluster", values.containsKey("cluster.bootstrap") ? "given" : "started");
            all(parts, Part.METHOD).put("loop", closed(values) ? "closed" : "open");
            all(parts, Part.METHOD).put("--short", String.valueOf(shortened));
        }
        all(parts, Part.METHOD).put(Machine.TOOL, machine.measuredBy());
        all(parts, Part.MACHINE).putAll(facts(machine));
        return new ComparisonKey(parts);
    }

    /** The key of a machine, without the other parts. */
    public static ComparisonKey of(Machine machine) {
        return new ComparisonKey(new TreeMap<>(Map.of(Part.MACHINE, facts(machine))));
    }

    private static SortedMap<String, String> all(SortedMap<Part, SortedMap<String, String>> parts, Part part) {
        return parts.computeIfAbsent(part, none -> new TreeMap<>());
    }

    private static SortedMap<Part, SortedMap<String, String>> settings(SortedMap<String, String> values) {
        SortedMap<Part, SortedMap<String, String>> parts = new TreeMap<>();
        values.forEach((path, value) -> part(path).ifPresent(part -> {
            // The plan does not know the partitions and replicas of an existing topic.
            String existing = path.substring(0, path.lastIndexOf('.') + 1) + "existing";
            String known = values.getOrDefault(existing, "").equals("true") ? "existing" : value;
            String name = NAMED.matcher(path).replaceFirst("$1$2.*$3");
            all(parts, part).merge(name, known, (one, next) -> one + ", " + next);
        }));
        return parts;
    }

    private static Optional<Part> part(String path) {
        return ROWS.stream()
                .filter(row -> row.getValue().matcher(path).matches())
                .filter(row -> !COMPARED.matcher(path).matches())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Keys are separated by spaces. A star stands for any text. */
    private static Pattern keys(String keys) {
        return Pattern.compile(
                "(?:" + keys.replace(".", "\\.").replace("*", ".*").replace(' ', '|') + ")(?:\\..+)?");
    }

    /** The value of an absent setting: the default, unless a section above the key is absent too. */
    private static String absent(String name) {
        KeyDescription key = Keys.ROOT;
        for (String word : name.split("\\.", -1)) {
            key = Keys.below(key, word);
            if (!key.hasDefault() && !word.equals(Keys.ANY_NAME)) {
                return NumberFormat.MISSING;
            }
        }
        return key.facts().has("type") ? key.fallback().line() : NumberFormat.MISSING;
    }

    /** All releases of Apache Kafka are one product. A cluster with an unknown product is a product of its own. */
    private static String product(Map<String, String> values, Map<String, String> facts) {
        String version = facts.getOrDefault("kafka", "unknown");
        if (values.getOrDefault("load.target", "").equals("null")) {
            return "null target";
        }
        if (values.containsKey("cluster.kafka") || version.matches("[0-9]+\\..*")) {
            return "Apache Kafka";
        }
        return version.startsWith("unknown")
                ? "unknown at " + values.getOrDefault("cluster.bootstrap", "an unknown address")
                : version.replaceFirst(" v?[0-9].*", "");
    }

    private static boolean closed(SortedMap<String, String> values) {
        boolean scheduled = values.keySet().stream().anyMatch(path -> path.startsWith("load.rate."));
        return !scheduled && values.getOrDefault("load.rate", "max").matches("max|.+ at a time");
    }

    /** Facts of this machine, unless all load and brokers are on other hosts, and facts of the other hosts. */
    private static SortedMap<String, String> facts(Machine machine) {
        boolean idle = machine.hosts().stream()
                .anyMatch(host -> host.here()
                        && host.workers().isEmpty()
                        && host.brokers().isEmpty()
                        && host.others().isEmpty());
        SortedMap<String, String> facts = idle ? new TreeMap<>() : RunDifferences.ofMachine(machine.facts());
        if (!idle && machine.facts().containsKey("cgroup.version")) {
            RunDifferences.LIMITS.forEach(limit -> facts.putIfAbsent(limit, "none"));
        }
        machine.hosts().stream()
                .filter(host -> !host.here())
                .map(ComparisonKey::host)
                .sorted()
                .forEach(host -> facts.merge("hosts", host, (one, next) -> one + ", " + next));
        return facts;
    }

    /** Describes a host without its name, because pods have new names in each run. */
    private static String host(HostFacts host) {
        String roles =
                (host.brokers().isEmpty() ? "" : "brokers ") + (host.workers().isEmpty() ? "" : "workers ");
        return roles + "on " + host.processors() + " processors and " + memory(host.memoryBytes() >> 20) + " MiB";
    }

    /** Rounds up to eighths of a power of two, because a kernel keeps a few per cent of the memory for itself. */
    private static long memory(long mebibytes) {
        long step = Math.max(1, Long.highestOneBit(mebibytes) / 8);
        return (mebibytes + step - 1) / step * step;
    }

    static boolean same(String name, String one, String other) {
        return comparable(name, one).equals(comparable(name, other));
    }

    private static String comparable(String name, String value) {
        if (name.equals("memory.mib") && value.matches("[0-9]{1,12}")) {
            return String.valueOf(memory(Long.parseLong(value)));
        }
        return name.endsWith("placed.hosts") ? value.split(",", -1).length + " hosts" : NumberFormat.step(value);
    }

    /**
     * Lists the differences; empty if both results may share an axis. An unknown fact of a machine never differs,
     * nor does a setting that an imported result does not have.
     */
    public List<Difference> differences(ComparisonKey other) {
        List<Difference> differences = new ArrayList<>();
        for (Part part : Part.values()) {
            SortedMap<String, String> own = parts.getOrDefault(part, Collections.emptySortedMap());
            SortedMap<String, String> others = other.parts.getOrDefault(part, Collections.emptySortedMap());
            Set<String> names = new TreeSet<>(own.keySet());
            names.addAll(others.keySet());
            for (String name : names) {
                String one = value(own, name);
                String two = value(others, name);
                boolean unknown = RunDifferences.MACHINE.contains(name)
                        ? Stream.of(one, two).anyMatch(NumberFormat.MISSING::equals)
                        : (imported() && !own.containsKey(name)) || (other.imported() && !others.containsKey(name));
                if (!unknown && !same(name, one, two)) {
                    differences.add(new Difference(part, name, one, two));
                }
            }
        }
        return differences;
    }

    private boolean imported() {
        return !parts.getOrDefault(Part.METHOD, Collections.emptySortedMap())
                .getOrDefault(Machine.TOOL, Machine.WEIR)
                .equals(Machine.WEIR);
    }

    private static String value(SortedMap<String, String> own, String name) {
        boolean section = own.keySet().stream().anyMatch(other -> other.startsWith(name + "."));
        return own.getOrDefault(name, section ? NumberFormat.MISSING : absent(name));
    }

    /**
     * Returns 8 hexadecimal digits. Results with the same id may share an axis. Results that may share an axis have the
     * same id if they know the same facts. With an unknown fact, a result may agree with two results that differ.
     */
    public String id() {
        String text = parts.entrySet().stream()
                .flatMap(part -> part.getValue().entrySet().stream()
                        .map(own ->
                                part.getKey() + " " + own.getKey() + " " + comparable(own.getKey(), own.getValue())))
                .collect(Collectors.joining("\n"));
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
    }
}
