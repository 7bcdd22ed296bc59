package weir.feature.fit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.plan.Metric;
import weir.plan.NearestWord;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Glossary;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;

/** The checks that a fit is possible: each of its settings is a number with enough different values. */
public record FitChecks(Findings findings, Tree.Section fit) {
    /** The fewest different numbers for the Universal Scalability Law: three for the fit and one for its error. */
    private static final int FEWEST_TO_SCALE = 4;

    /** Checks the fit. A {@code whole} experiment, which is not shortened, must have enough variants. */
    public void check(List<LayeredExperiment.LayeredVariant> all, boolean whole) {
        if (fit.has("scaling")) {
            scaling(all, whole);
        } else {
            cost(all, whole);
        }
    }

    private void scaling(List<LayeredExperiment.LayeredVariant> all, boolean whole) {
        for (String other : List.of("by", "of", "overhead")) {
            if (fit.has(other)) {
                findings.add(
                        fit.place(other),
                        "fit." + other,
                        "'" + other + "' is for the cost of a transaction, not for 'scaling'; remove one of the two");
                return;
            }
        }
        String path = fit.text("scaling");
        boolean chosen = fit.has("variants");
        List<Variant> variants = taking(all);
        if (variants.isEmpty() || !findings.sound("grid") || !findings.sound(path.replaceFirst("\\..*", ""))) {
            return;
        }
        List<ScalingGroup> groups = ScalingGroup.of(path, variants);
        if (groups.isEmpty()) {
            Setting setting = variants.stream()
                    .flatMap(variant -> variant.settings().values().stream())
                    .filter(one -> one.path().equals(path))
                    .findFirst()
                    .orElse(null);
            toScale(
                    setting == null
                            ? "'" + path + "' is not set in any variant" + NearestWord.hint(path, paths(variants))
                            : "'" + path + "' must be a number, found '" + setting.value()
                                    + "'; write a setting such as load.producers");
            return;
        }
        for (ScalingGroup group : groups) {
            Variant first = group.variants().get(0);
            if (group.scales() && group.counts().first() < 1) {
                toScale("'" + path + "' must be at least 1, found '"
                        + number(group.counts().first()) + "' in variant '" + first.name() + "'");
                return;
            }
            if (whole && (group.scales() || chosen) && group.counts().size() < FEWEST_TO_SCALE) {
                toScale("a scaling law needs at least " + FEWEST_TO_SCALE + " different numbers of '" + path
                        + "'; '" + first.name() + "' and the variants that differ only in this number have only "
                        + (group.counts().size() == 1 ? "one: " : "")
                        + String.join(
                                ", ",
                                group.counts().stream().map(FitChecks::number).toList()));
                return;
            }
        }
        if (whole && groups.stream().noneMatch(ScalingGroup::scales)) {
            toScale("'" + path + "' must differ between variants that are otherwise alike; write grid: { " + path
                    + ": [1, 2, 4, 8] }");
        }
    }

    private static List<String> paths(List<Variant> variants) {
        return variants.stream()
                .flatMap(variant -> variant.settings().keySet().stream())
                .distinct()
                .toList();
    }

    private static String number(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    private void toScale(String message) {
        findings.add(fit.place("scaling"), "fit.scaling", message);
    }

    private List<Variant> taking(List<LayeredExperiment.LayeredVariant> all) {
        return all.stream()
                .map(LayeredExperiment.LayeredVariant::variant)
                .filter(variant -> takesPart(variant.name()))
                .toList();
    }

    private void cost(List<LayeredExperiment.LayeredVariant> all, boolean whole) {
        if (!(fit.entries().get("by") instanceof Tree.Items by)) {
            if (!fit.entries().isEmpty() && findings.sound("fit")) {
                findings.add(
                        fit.origin(),
                        "fit",
                        "must have by or scaling; write by: [load.transaction.records], or scaling: load.producers");
            }
            return;
        }
        List<Variant> variants = taking(all);
        if (by.items().isEmpty()) {
            wrong(by, "must name at least one setting; write [load.transaction.records]");
        }
        String part = fit.has("of") ? fit.text("of") : "transaction";
        Metric metric = Glossary.metrics().get(part);
        for (Variant variant : variants) {
            String lacks = metric == null ? "" : metric.lacking(variant);
            if (!lacks.isEmpty()) {
                findings.add(
                        fit.origin(),
                        "fit",
                        "variant '" + variant.name() + "' has no " + part + ": " + lacks
                                + "; list the other variants in fit.variants");
                return;
            }
        }
        Set<String> cells = new TreeSet<>();
        variants.forEach(variant -> cells.add(by.items().stream()
                .map(path -> String.valueOf(number(variant, path.line())))
                .toList()
                .toString()));
        boolean known = true;
        for (Tree path : by.items()) {
            known &= path(path, variants, whole);
        }
        int terms = by.items().size() + 1;
        if (known && whole && cells.size() <= terms) {
            wrong(
                    by,
                    "a model with " + terms + " costs needs more than " + terms + " different variants, found "
                            + cells.size());
        }
    }

    private boolean path(Tree path, List<Variant> variants, boolean whole) {
        Set<Double> values = new TreeSet<>();
        for (Variant variant : variants) {
            Double value = number(variant, path.line());
            if (value == null) {
                Setting setting = variant.settings().get(path.line());
                wrong(
                        path,
                        setting == null
                                ? "'" + path.line() + "' is not set in variant '" + variant.name() + "'"
                                        + NearestWord.hint(
                                                path.line(), variant.settings().keySet())
                                        + "; or list the other variants in fit.variants"
                                : "'" + path.line() + "' must be a number, found '" + setting.value() + "' in variant '"
                                        + variant.name() + "'");
                return false;
            }
            values.add(value);
        }
        if (whole && values.size() < 2) {
            wrong(path, "'" + path.line() + "' must have different values in the variants, because its cost is fitted");
            return false;
        }
        return true;
    }

    private boolean takesPart(String variant) {
        if (!(fit.entries().get("variants") instanceof Tree.Items some)) {
            return true;
        }
        return some.items().stream()
                .anyMatch(name -> variant.equals(name.line()) || variant.startsWith(name.line() + "/"));
    }

    private static @Nullable Double number(Variant variant, String path) {
        Setting setting = variant.settings().get(path);
        return setting == null ? null : Units.number(setting.value());
    }

    private void wrong(Tree at, String message) {
        findings.add(at.origin(), "fit.by", message);
    }

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
                others.remove(setting);
                if (number(variant, setting) != null) {
                    groups.computeIfAbsent(others, group -> new ArrayList<>()).add(variant);
                }
            }
            return groups.values().stream()
                    .map(group -> new ScalingGroup(
                            group,
                            group.stream()
                                    .map(variant -> number(variant, setting))
                                    .collect(Collectors.toCollection(TreeSet::new))))
                    .toList();
        }

        public boolean scales() {
            return counts.size() > 1;
        }
    }
}
