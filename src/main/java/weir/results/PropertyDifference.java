package weir.results;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.plan.Setting;
import weir.plan.property.Property;
import weir.results.value.NumberFormat;

/**
 * A property that differs between variants. Properties that follow from the plan, such as ports, and properties that
 * topics inherit are skipped.
 *
 * @param of owner of the property; {@code broker} for all brokers together
 * @param values the effective values, in the order of the variants; {@link NumberFormat#MISSING} for none
 * @param declared true if the variants differ in a setting that explains the difference
 */
public record PropertyDifference(String of, String name, List<String> values, boolean declared) {
    /** A character that sorts before all characters of names, so that the differences of one owner stay together. */
    private static final char BEHIND_OWNER = 0;

    private static final Pattern PLACE =
            Pattern.compile("^((?:(?:cluster|load|bridge|during\\..+)\\.)?placed|kubernetes\\.nodes)\\..*");
    private static final Pattern SPREAD = Pattern.compile("^(load|during\\.[^.]+(?:\\.load)?)\\.(?:apart|beside)$");

    public PropertyDifference {
        values = List.copyOf(values);
    }

    /** The names with different values, each with all its values. */
    public static SortedMap<String, List<String>> differing(List<? extends Map<String, String>> sides) {
        SortedMap<String, List<String>> values = new TreeMap<>();
        sides.stream()
                .flatMap(side -> side.keySet().stream())
                .forEach(name -> values.computeIfAbsent(
                        name,
                        of -> sides.stream()
                                .map(side -> side.getOrDefault(of, NumberFormat.MISSING))
                                .toList()));
        values.values().removeIf(each -> each.stream().distinct().count() < 2);
        return values;
    }

    public static List<PropertyDifference> between(RequestedExperiment asked, Machine machine, List<String> variants) {
        Set<String> changed = changed(asked, variants);
        Set<String> given = machine.properties().values().stream()
                .flatMap(List::stream)
                .filter(property -> property.source() == Property.Source.YOURS)
                .map(PropertyDifference::key)
                .collect(Collectors.toSet());
        List<PropertyDifference> differences = new ArrayList<>();
        differing(variants.stream()
                        .map(variant -> values(machine.properties().getOrDefault(variant, List.of())))
                        .toList())
                .forEach((key, values) -> {
                    String of = key.substring(0, key.indexOf(BEHIND_OWNER));
                    String name = key.substring(of.length() + 1);
                    Set<String> known = new TreeSet<>(values);
                    known.remove(NumberFormat.MISSING);
                    boolean inherited = of.startsWith("topic ") && !given.contains(key);
                    if (known.size() > 1 && !inherited) {
                        differences.add(new PropertyDifference(of, name, values, declared(of, name, changed)));
                    }
                });
        return differences;
    }

    private static Map<String, String> values(List<Property> properties) {
        Map<String, Set<String>> values = new TreeMap<>();
        properties.stream()
                .filter(property -> property.source() != Property.Source.WEIR)
                .forEach(property -> values.computeIfAbsent(key(property), key -> new LinkedHashSet<>())
                        .add(property.effective()));
        Map<String, String> joined = new TreeMap<>();
        values.forEach((key, all) -> joined.put(key, String.join(" / ", all)));
        return joined;
    }

    private static String key(Property property) {
        return (property.of().startsWith("broker ") ? "broker" : property.of()) + BEHIND_OWNER + property.name();
    }

    /** The paths of settings that differ, including a missing disturbance and a different place to run. */
    public static Set<String> changed(RequestedExperiment asked, List<String> variants) {
        List<Map<String, String>> settings = asked.variants().stream()
                .filter(variant -> variants.contains(variant.name()))
                .map(variant -> variant.settings().stream()
                        .collect(Collectors.toMap(Setting::path, Setting::value, (a, b) -> a)))
                .toList();
        Set<String> paths = differing(settings).keySet();
        // An external cluster is the same for all variants.
        paths.removeIf(path -> path.startsWith(Setting.OF_OPERATOR + "."));
        return paths.stream().map(path -> whole(path, settings)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns "during.crash" for "during.crash.at" if some variant lacks that disturbance. */
    private static String whole(String path, List<Map<String, String>> settings) {
        String[] words = path.split("\\.", -1);
        if (!words[0].equals("during") || words.length < 3) {
            return place(path);
        }
        String disturbance = words[0] + "." + words[1];
        boolean everywhere = settings.stream()
                .allMatch(own -> own.keySet().stream().anyMatch(other -> other.startsWith(disturbance + ".")));
        return everywhere ? place(path) : disturbance;
    }

    private static String place(String path) {
        return SPREAD.matcher(PLACE.matcher(path).replaceFirst("$1")).replaceFirst("$1.placed");
    }

    private static boolean declared(String of, String name, Set<String> changed) {
        if (of.equals("broker")) {
            // Another release has other defaults, which are the subject of the comparison.
            return changed.stream()
                    .anyMatch(path -> path.equals("cluster.kafka")
                            || path.equals("cluster.broker." + name)
                            || path.startsWith("cluster.brokers"));
        }
        if (of.startsWith("topic ")) {
            String topic = "topics." + of.substring("topic ".length()) + ".";
            return changed.contains(topic + "config." + name) || changed.contains(topic + name);
        }
        return changed.contains("load." + of + "." + name)
                || changed.contains("load." + of + ".plugin." + name)
                || changed.contains("cluster.client." + name);
    }
}
