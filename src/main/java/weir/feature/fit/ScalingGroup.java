package weir.feature.fit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.syntax.Units;

/** The variants that differ only in one setting; {@code counts} are the different values of this setting. */
public record ScalingGroup(List<Variant> variants, SortedSet<Double> counts) {
    public ScalingGroup {
        variants = List.copyOf(variants);
        counts = new TreeSet<>(counts);
    }

    public static List<ScalingGroup> of(String setting, List<Variant> variants) {
        Map<SortedMap<String, String>, List<Variant>> groups = new LinkedHashMap<>();
        for (Variant variant : variants) {
            SortedMap<String, String> others = variant.values();
            String value = others.remove(setting);
            if (value != null && Units.number(value) != null) {
                groups.computeIfAbsent(others, group -> new ArrayList<>()).add(variant);
            }
        }
        return groups.values().stream().map(group -> of(group, setting)).toList();
    }

    private static ScalingGroup of(List<Variant> group, String setting) {
        SortedSet<Double> counts = new TreeSet<>();
        for (Variant variant : group) {
            Setting value = variant.settings().get(setting);
            Double number = value == null ? null : Units.number(value.value());
            if (number != null) {
                counts.add(number);
            }
        }
        return new ScalingGroup(group, counts);
    }

    public boolean scales() {
        return counts.size() > 1;
    }
}
