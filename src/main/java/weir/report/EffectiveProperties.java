package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import weir.plan.RecordKeys;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.PropertyDifference;

/** The effective properties as rows, for a page and for a terminal. */
final class EffectiveProperties {
    private static final int MOST = 4;

    private static final int MOST_VARIANTS = 4;
    private static final int LONGEST = 20;
    private static final int FEW = 3;

    private EffectiveProperties() {}

    static List<Property> merged(List<Property> properties) {
        Map<Property, Integer> times = new LinkedHashMap<>();
        for (Property property : properties) {
            times.merge(of(property, "brokers"), 1, Integer::sum);
        }
        long brokers = properties.stream()
                .map(Property::of)
                .filter(of -> of.startsWith("broker "))
                .distinct()
                .count();
        Set<Property> merged = new LinkedHashSet<>();
        for (Property property : properties) {
            Property any = of(property, "brokers");
            boolean all = property.of().startsWith("broker ") && times.getOrDefault(any, 0) == brokers && brokers > 1;
            merged.add(all ? any : property);
        }
        return List.copyOf(merged);
    }

    private static Property of(Property property, String of) {
        return property.of().startsWith("broker ") ? RecordKeys.with(property, Map.of("of", of)) : property;
    }

    static List<Property> set(List<Property> merged) {
        return merged.stream()
                .filter(property -> property.source() != Source.DEFAULT)
                .sorted(Comparator.comparing(Property::source).reversed())
                .toList();
    }

    static List<PropertyDifference> differences(RunView run) {
        return PropertyDifference.between(run.asked(), run.machine(), run.variants()).stream()
                .sorted(Comparator.comparing(PropertyDifference::declared))
                .toList();
    }

    static List<Block> brief(RunView run) {
        Table table = run.variants().size() > 1 ? briefDifferences(run) : briefSet(run);
        return table.empty() ? List.of() : List.of(Block.GAP, table.most(MOST));
    }

    private static Table briefDifferences(RunView run) {
        List<String> variants = run.variants();
        boolean columns = variants.size() <= MOST_VARIANTS;
        return Table.of(1, differences(run))
                .column("differs", difference -> difference.of() + " " + difference.name())
                .columns(columns ? variants : List.of(""), difference -> {
                    List<String> values = TextLines.apart(difference.values(), LONGEST);
                    return columns ? values : List.of(grouped(values, variants));
                })
                .column("set explicitly", difference -> difference.declared() ? "yes" : "no")
                .table();
    }

    /** Lists each value with its variants if a column for each variant would not fit: 0 (a, b), 5 (4 variants). */
    static String grouped(List<String> values, List<String> variants) {
        Map<String, List<String>> having = new LinkedHashMap<>();
        for (int i = 0; i < variants.size(); i++) {
            having.computeIfAbsent(values.get(i), value -> new ArrayList<>()).add(variants.get(i));
        }
        List<String> groups = having.entrySet().stream()
                .limit(MOST_VARIANTS)
                .map(each -> each.getKey() + " ("
                        + (each.getValue().size() > FEW
                                ? each.getValue().size() + " variants"
                                : String.join(", ", each.getValue()))
                        + ")")
                .toList();
        int more = having.size() - groups.size();
        return String.join(", ", groups) + (more > 0 ? " and " + more + " more values" : "");
    }

    private static Table briefSet(RunView run) {
        List<Property> asked = run.variants().stream()
                .flatMap(variant -> set(merged(run.machine().properties().getOrDefault(variant, List.of()))).stream())
                .filter(property -> property.source() == Source.YOURS || property.source() == Source.OVERRIDDEN)
                .toList();
        return Table.of(1, asked)
                .column("property", property -> property.of() + " " + property.name())
                .column("effective", property -> brief(property.effective()))
                .column("default", property -> brief(property.byDefault()))
                .column("set by", property -> property.source().name().toLowerCase(Locale.ROOT))
                .table();
    }

    private static String brief(String value) {
        return value.length() > LONGEST ? value.substring(0, LONGEST - 1) + "…" : value;
    }
}
