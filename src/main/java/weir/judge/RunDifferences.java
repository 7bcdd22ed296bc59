package weir.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import weir.plan.property.Property;
import weir.results.Machine;
import weir.results.PropertyDifference;
import weir.results.RequestedExperiment;
import weir.results.RunComparison.Difference;
import weir.results.RunComparison.Difference.Kind;
import weir.results.value.NumberFormat;

public final class RunDifferences {
    static final Set<String> LIMITS = Set.of("cgroup.cpu.limit.cores", "cgroup.memory.limit.mib");

    static final Set<String> MACHINE = Set.of(
            "cpu.model",
            "cpu.cores",
            "cpu.virtualised",
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

    /** The release of an imported run. */
    static final String UNKNOWN = "unknown";

    private static final Set<String> HOW_OFTEN = Set.of("repeat", "seed", "cluster.kafka");

    private final List<Difference> found = new ArrayList<>();

    private RunDifferences() {}

    public record ComparedRun(
            Machine machine, String weir, String kafka, Map<String, RequestedExperiment.Variant> variants) {}

    public static List<Difference> of(List<ComparedRun> runs) {
        RunDifferences differences = new RunDifferences();
        differences.facts(runs.stream().map(ComparedRun::machine).toList());
        List<String> kafka = runs.stream().map(ComparedRun::kafka).toList();
        if (!oneRelease(kafka)) {
            differences.found.add(new Difference(Kind.KAFKA, "kafka", kafka));
        }
        List<String> tools =
                runs.stream().map(run -> run.machine().measuredBy()).toList();
        if (imported(runs) && tools.contains(Machine.WEIR)) {
            differences.found.add(new Difference(Kind.SOFTWARE, Machine.TOOL, tools));
        }
        List<String> weir = runs.stream().map(ComparedRun::weir).toList();
        if (weir.stream().distinct().count() > 1 && !imported(runs)) {
            differences.found.add(new Difference(Kind.SOFTWARE, "weir", weir));
        }
        Set<String> variants = runs.get(0).variants().keySet();
        for (String variant : variants) {
            if (runs.stream().allMatch(run -> run.variants().containsKey(variant))) {
                differences.settings(variants.size() > 1 ? variant + " " : "", variant, runs);
            }
        }
        return differences.found;
    }

    private static boolean imported(List<ComparedRun> runs) {
        return runs.stream().anyMatch(run -> !run.machine().tool().isEmpty());
    }

    /** An existing cluster reports only the first two numbers of its release: 4.3 for 4.3.1. */
    private static boolean oneRelease(List<String> versions) {
        List<String> known =
                versions.stream().filter(version -> !version.equals(UNKNOWN)).toList();
        String longest =
                known.stream().max(Comparator.comparingInt(String::length)).orElse("");
        return known.stream().allMatch(version -> longest.equals(version) || longest.startsWith(version + "."));
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

    private void facts(List<Machine> machines) {
        PropertyDifference.differing(machines.stream()
                        .map(machine -> lasting(machine.facts()))
                        .toList())
                .forEach((name, values) -> {
                    boolean known = values.stream().noneMatch(NumberFormat.MISSING::equals);
                    boolean same = values.stream().allMatch(value -> ComparisonKey.same(name, value, values.get(0)));
                    if (known && !name.equals("kafka") && !same) {
                        Kind kind = MACHINE.contains(name) ? Kind.MACHINE : Kind.SOFTWARE;
                        found.add(new Difference(kind, name, values));
                    }
                });
    }

    private void settings(String prefix, String name, List<ComparedRun> runs) {
        List<Map<String, String>> settings = new ArrayList<>();
        List<Map<String, String>> properties = new ArrayList<>();
        for (ComparedRun run : runs) {
            RequestedExperiment.Variant variant =
                    Objects.requireNonNull(run.variants().get(name));
            settings.add(variant.values());
            Map<String, List<Property>> all = run.machine().properties();
            Map<String, String> effective = new TreeMap<>();
            all.getOrDefault(variant.name(), all.getOrDefault("", List.of())).stream()
                    .filter(property -> lasting(property.name()))
                    .forEach(property -> effective.put(property.of() + " " + property.name(), property.effective()));
            properties.add(effective);
        }
        settings.forEach(own -> own.keySet().removeAll(HOW_OFTEN));
        PropertyDifference.differing(settings).forEach((path, values) -> {
            // An imported run lacks most settings, which are unknown.
            if (!imported(runs) || values.stream().noneMatch(NumberFormat.MISSING::equals)) {
                found.add(new Difference(Kind.SETTING, prefix + path, values));
            }
        });
        if (properties.stream().noneMatch(Map::isEmpty)) {
            PropertyDifference.differing(properties)
                    .forEach((path, values) -> found.add(new Difference(Kind.PROPERTY, prefix + path, values)));
        }
    }
}
