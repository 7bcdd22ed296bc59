package weir.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import weir.plan.property.Property;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunComparison.Difference;
import weir.results.RunComparison.Difference.Kind;
import weir.results.value.NumberFormat;

/** Finds the differences between several runs. */
public final class RunDifferences {
    private static final Set<String> MACHINE = Set.of(
            "cpu.model",
            "cpu.cores",
            "memory.mib",
            "cgroup.cpu.limit.cores",
            "cgroup.memory.limit.mib",
            "machine.vendor",
            "machine.product",
            "hypervisor",
            "filesystem");

    private static final Pattern PASSING = Pattern.compile(
            ".*listeners.*|log\\.dirs?|metadata\\.log\\.dir|controller\\.quorum\\..*|bootstrap\\.servers|.*\\.id|.*\\.location"
                    + "|.*password.*|.*jaas.*|broker set by Weir: .*|generator\\.flags");

    private static final Pattern OWN_FILE = Pattern.compile(
            "(?:^| )-(?:Djava\\.io\\.tmpdir|Dlog4j2\\.configurationFile|XX:ErrorFile|XX:HeapDumpPath|XX:SharedArchiveFile)=[^ ]*");

    private static final Set<String> HOW_OFTEN = Set.of("repeat", "seed", "cluster.kafka");

    private final List<Difference> found = new ArrayList<>();

    private RunDifferences() {}

    /**
     * The differences between runs; each list has one element per run.
     *
     * @param asked for each run its variants by the name that they share with those of the other runs
     */
    public static List<Difference> of(
            List<Machine> machines,
            List<String> weir,
            List<Map<String, RequestedExperiment.Variant>> asked,
            List<String> kafka) {
        RunDifferences differences = new RunDifferences();
        differences.facts(machines);
        if (!oneRelease(kafka)) {
            differences.add(Kind.KAFKA, "kafka", kafka);
        }
        differences.add(Kind.SOFTWARE, "weir", weir);
        for (String variant : asked.get(0).keySet()) {
            List<RequestedExperiment.Variant> same = asked.stream()
                    .map(variants -> variants.get(variant))
                    .filter(one -> one != null)
                    .toList();
            if (same.size() == machines.size()) {
                String prefix = asked.get(0).size() > 1 ? variant + " " : "";
                differences.settings(prefix, same);
                differences.properties(prefix, machines, same);
            }
        }
        return differences.found;
    }

    /** An existing cluster reports only the first two numbers of its release: 4.3 for 4.3.1. */
    private static boolean oneRelease(List<String> versions) {
        String longest =
                versions.stream().max(Comparator.comparingInt(String::length)).orElse("");
        return versions.stream().allMatch(version -> longest.equals(version) || longest.startsWith(version + "."));
    }

    public static List<Difference> ofMachines(Machine one, Machine other) {
        RunDifferences differences = new RunDifferences();
        differences.facts(List.of(one, other));
        return differences.found.stream()
                .filter(difference -> difference.kind() == Kind.MACHINE)
                .toList();
    }

    public static SortedMap<String, String> ofMachine(Map<String, String> facts) {
        SortedMap<String, String> own = new TreeMap<>(facts);
        own.keySet().retainAll(MACHINE);
        return own;
    }

    public static Map<String, String> lasting(Map<String, String> facts) {
        Map<String, String> lasting = new LinkedHashMap<>();
        facts.forEach((name, value) -> {
            if (lasting(name)) {
                lasting.put(name, OWN_FILE.matcher(value).replaceAll("").strip());
            }
        });
        return lasting;
    }

    public static boolean lasting(String name) {
        return !PASSING.matcher(name).matches();
    }

    static boolean otherMachine(List<Difference> differences) {
        return differences.stream().anyMatch(difference -> difference.kind() == Kind.MACHINE);
    }

    private void facts(List<Machine> machines) {
        each(machines.stream().map(machine -> lasting(machine.facts())).toList(), (name, values) -> {
            boolean known = values.stream().noneMatch(NumberFormat.MISSING::equals);
            if (known && !name.equals("kafka") && !nearly(name, values)) {
                add(MACHINE.contains(name) ? Kind.MACHINE : Kind.SOFTWARE, name, values);
            }
        });
    }

    private static boolean nearly(String name, List<String> values) {
        if (!name.equals("memory.mib") || !values.stream().allMatch(value -> value.matches("\\d{1,12}"))) {
            return false;
        }
        double least = values.stream().mapToDouble(Double::parseDouble).min().orElse(0);
        double most = values.stream().mapToDouble(Double::parseDouble).max().orElse(0);
        return most < 1.02 * least;
    }

    private void settings(String prefix, List<RequestedExperiment.Variant> variants) {
        each(variants.stream().map(RequestedExperiment.Variant::values).toList(), (path, values) -> {
            if (!HOW_OFTEN.contains(path)) {
                add(Kind.SETTING, prefix + path, values);
            }
        });
    }

    private void properties(String prefix, List<Machine> machines, List<RequestedExperiment.Variant> variants) {
        List<Map<String, String>> effective = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            Map<String, List<Property>> all = machines.get(i).properties();
            List<Property> own = all.getOrDefault(variants.get(i).name(), all.getOrDefault("", List.of()));
            if (own.isEmpty()) {
                return;
            }
            Map<String, String> values = new TreeMap<>();
            own.stream()
                    .filter(property -> lasting(property.name()))
                    .forEach(property -> values.put(property.of() + " " + property.name(), property.effective()));
            effective.add(values);
        }
        each(effective, (name, values) -> add(Kind.PROPERTY, prefix + name, values));
    }

    private interface Named {
        void take(String name, List<String> values);
    }

    private static void each(List<? extends Map<String, String>> sides, Named named) {
        Set<String> names = new TreeSet<>();
        sides.forEach(side -> names.addAll(side.keySet()));
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String name : names) {
            values.put(
                    name,
                    sides.stream()
                            .map(side -> side.getOrDefault(name, NumberFormat.MISSING))
                            .toList());
        }
        values.forEach(named::take);
    }

    private void add(Kind kind, String name, List<String> values) {
        if (values.stream().distinct().count() > 1) {
            found.add(new Difference(kind, name, values));
        }
    }
}
