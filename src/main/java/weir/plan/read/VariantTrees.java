package weir.plan.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.plan.NearestWord;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.check.ExperimentBounds;
import weir.plan.check.LayeredExperiment;
import weir.plan.property.Bootstrap;
import weir.plan.property.Redact;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.Findings;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantOverlay;
import weir.plan.syntax.VariantRule;

/**
 * The variants of one file as trees. A variant overrides values of the variant that its key {@code like} names. The
 * short form and the command line override values of every variant.
 */
final class VariantTrees {
    private static final List<VariantOverlay> OVERLAYS = Features.each(VariantOverlay.class);
    private static final List<VariantRule> RULES = Features.each(VariantRule.class);
    private static final List<String> KEYS = keys();

    private static final String TOO_LONG = "must be a chain of at most " + ExperimentBounds.LONGEST_CHAIN
            + " variants; let some variants start from an earlier variant";

    private final Tree.Section file;
    private final List<Layer> above;
    private final boolean brief;
    private final Findings findings;
    private final Tree.Section named;
    private final List<String> called = new ArrayList<>();
    private final List<LayeredExperiment.LayeredVariant> layeredVariants = new ArrayList<>();
    private final Map<String, Made> made = new HashMap<>();
    private final Tree.Section common;

    private boolean circle;
    private long values;

    private VariantTrees(Tree.Section file, List<Layer> above, boolean brief, Findings findings) {
        this.file = file;
        this.above = above;
        this.brief = brief;
        this.findings = findings;
        this.common = Layer.merge(Tree.Section.empty(file.origin()), file.only(KEYS));
        Tree.Section all = file;
        for (Layer layer : above) {
            if (layer.depth() == 0) {
                removed(layer.tree().section("variants"), file.section("variants"), "variants");
            }
            all = layer.only(List.of("variants")).over(all);
        }
        Tree.Section variants = all.section("variants");
        List<String> dropped = variants.entries().keySet().stream()
                .filter(name -> variants.entries().get(name) instanceof Tree.Text)
                .toList();
        this.named = variants.without(dropped.toArray(String[]::new));
    }

    /**
     * Applies layers to a checked file and makes its variants.
     *
     * @param above checked layers over every variant; later layers win
     * @param brief true if the short form limits lengths and amounts
     */
    static LayeredExperiment apply(Tree.Section file, List<Layer> above, boolean brief, Findings findings) {
        VariantTrees laying = new VariantTrees(file, above, brief, findings);
        laying.variants();
        Tree.Section top = Layer.merge(Tree.Section.empty(file.origin()), file.only(Keys.ONCE));
        for (Layer layer : above) {
            top = layer.only(Keys.ONCE).over(top);
        }
        return new LayeredExperiment(top, laying.called, laying.layeredVariants);
    }

    private record Made(Tree.Section tree, int depth) {}

    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("seed"));
        keys.addAll(Keys.below(Keys.at("variants.*")).keySet());
        keys.removeAll(List.of(bases()));
        return keys;
    }

    static String[] bases() {
        return Stream.concat(Stream.of("like"), OVERLAYS.stream().map(VariantOverlay::key))
                .toArray(String[]::new);
    }

    private void variants() {
        Collection<String> names = named.entries().isEmpty()
                ? List.of(Variant.ONLY)
                : named.entries().keySet();
        if (names.size() > ExperimentBounds.MOST_VARIANTS) {
            names.stream().skip(ExperimentBounds.MOST_VARIANTS).limit(1).forEach(this::tooMany);
            return;
        }
        for (String name : names) {
            if (called.size() > ExperimentBounds.MOST_VARIANTS || values > ExperimentBounds.MOST_VALUES) {
                tooMany(name);
                return;
            }
            circle = false;
            Tree.Section own = layered(name, new LinkedHashSet<>()).tree();
            Tree.Section full = withAbove(name, own);
            for (Grid.Point point : new Grid(findings, full, Grid.GRID).points(full.section("grid"))) {
                String prefix = named.entries().isEmpty() || point.name().isEmpty() ? "" : name + "/";
                String called = point.name().isEmpty() ? name : prefix + point.name();
                Tree.Section tree = own;
                for (Layer layer : point.layers()) {
                    tree = layer.over(tree);
                }
                bind(called, point, withAbove(name, tree).without("grid"), brokerProperties(own, true));
            }
        }
    }

    private void tooMany(String name) {
        findings.add(
                named.place(name),
                "variants." + name,
                values > ExperimentBounds.MOST_VALUES
                        ? "must be at most " + ExperimentBounds.MOST_VALUES + " values in an experiment; this variant"
                                + " exceeds the limit"
                        : "must be at most " + ExperimentBounds.MOST_VARIANTS + " variants in an experiment; this"
                                + " variant exceeds the limit");
    }

    private void bind(String name, Grid.Point point, Tree.Section layered, Tree.Section ofBrokers) {
        called.add(name);
        Tree.Section settled = Bootstrap.settle(layered, findings);
        boolean given = Bootstrap.given(settled);
        Tree.Section tree = given ? withoutPresetBrokers(settled) : settled;
        if (values <= ExperimentBounds.MOST_VALUES && new VariantForm(findings).check(tree)) {
            Tree.Section filled = Defaults.fill(tree, KEYS);
            Tree.Section complete = brief ? ShortForm.bounded(filled) : filled;
            values += complete.values();
            Tree.Section ruled = complete;
            for (VariantRule rule : RULES) {
                ruled = rule.apply(ruled);
            }
            SortedMap<String, Setting> settings =
                    settings(ruled, given ? ofBrokers : Tree.Section.empty(file.origin()));
            Map<String, ?> known = Map.of("name", name, "gridPoint", point.values(), "settings", settings);
            layeredVariants.add(new LayeredExperiment.LayeredVariant(new Binder(ruled).variant(known), complete));
        }
    }

    private static SortedMap<String, Setting> settings(Tree.Section tree, Tree.Section ofBrokers) {
        Map<String, Tree> leaves = new LinkedHashMap<>();
        Paths.leaves("", tree, leaves);
        Paths.leaves(Setting.OF_OPERATOR, ofBrokers, leaves);
        SortedMap<String, Setting> settings = new TreeMap<>();
        leaves.forEach((path, value) -> settings.put(
                path,
                new Setting(
                        path, Redact.atPath(path, value.line()), value.origin().text())));
        return settings;
    }

    /** The broker properties of a variant that presets set, or the other broker properties. */
    private static Tree.Section brokerProperties(Tree.Section variant, boolean preset) {
        Tree.Section broker = variant.section("cluster").section("broker");
        return broker.only(broker.entries().keySet().stream()
                .filter(name ->
                        broker.entries().getOrDefault(name, broker).origin().preset() == preset)
                .toList());
    }

    private static Tree.Section withoutPresetBrokers(Tree.Section variant) {
        Tree.Section cluster = variant.section("cluster").without("broker");
        Tree.Section kept = brokerProperties(variant, false);
        return variant.with("cluster", kept.entries().isEmpty() ? cluster : cluster.with("broker", kept));
    }

    private Made layered(String name, Set<String> seen) {
        Made before = made.get(name);
        if (before != null) {
            return before;
        }
        Tree.Section original = file.section("variants").section(name);
        Tree.Section own = named.has(name) ? named.section(name) : original;
        Tree.Section base = common;
        int depth = 0;
        if (own.entries().get("like") instanceof Tree.Text like) {
            boolean known = named.has(like.text()) || file.section("variants").has(like.text());
            seen.add(name);
            if (!known) {
                String hint = NearestWord.hint(like.text(), named.entries().keySet());
                wrong(name, like, "there is no variant '" + like.text() + "'" + hint);
            } else if (seen.contains(like.text())) {
                circle = true;
                wrong(name, like, "must not form a circle of variants, found " + String.join(", ", seen));
            } else if (seen.size() > ExperimentBounds.LONGEST_CHAIN) {
                wrong(name, like, TOO_LONG);
            } else {
                Made lower = layered(like.text(), seen);
                base = lower.tree();
                depth = lower.depth() + 1;
                if (depth == ExperimentBounds.LONGEST_CHAIN + 1) {
                    wrong(name, like, TOO_LONG);
                }
            }
        }
        for (VariantOverlay overlay : OVERLAYS) {
            if (own.entries().get(overlay.key()) instanceof Tree.Text word && !word.isNull()) {
                base = Layer.merge(base, overlay.overlay(word, madeTopics(base, own)));
            }
        }
        for (String section : List.of("during", "topics")) {
            removed(own.section(section), base.section(section), "variants." + name + "." + section);
        }
        Tree moved =
                own.without(bases()).moved(origin -> origin.layer().isEmpty() ? origin.in("variant " + name) : origin);
        Made laid = new Made(Layer.merge(base, (Tree.Section) moved), depth);
        if (!circle) {
            made.put(name, laid);
        }
        return laid;
    }

    /** The topics that Weir creates for a variant. Overlays must not change existing topics. */
    private static Set<String> madeTopics(Tree.Section base, Tree.Section own) {
        Tree.Section topics = Layer.merge(
                Tree.Section.empty(base.origin()).with("topics", base.section("topics")),
                Tree.Section.empty(own.origin()).with("topics", own.section("topics")));
        Tree.Section named = topics.section("topics");
        if (named.entries().isEmpty() && Keys.at("topics").fallback() instanceof Tree.Section fallback) {
            return fallback.entries().keySet();
        }
        return named.entries().keySet().stream()
                .filter(topic -> !named.section(topic).text("existing").equals("true"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void wrong(String name, Tree.Text like, String message) {
        findings.add(like.origin(), "variants." + name + ".like", message);
    }

    private Tree.Section withAbove(String name, Tree.Section tree) {
        Tree.Section laid = tree;
        for (Layer layer : above) {
            laid = layer.only(KEYS).withoutDropped(file, laid).over(laid);
            laid = layer.variant(name).over(laid);
            // A layer's rate with its own length replaces the measured length of the variants.
            if (layer.shortensTheRate() && Defaults.ownLength(laid)) {
                laid = laid.without("measure");
            }
        }
        return laid;
    }

    /** Reports the names that a section removes, but that the section below does not have. */
    private void removed(Tree.Section section, Tree.Section below, String path) {
        section.entries().forEach((name, value) -> {
            if (value.isNull() && !below.has(name)) {
                String hint = NearestWord.hint(name, below.entries().keySet());
                findings.add(section.place(name), path, "there is no '" + name + "' to remove" + hint);
            }
        });
    }

    static final class VariantForm {
        private final Findings findings;
        private boolean whole = true;

        VariantForm(Findings findings) {
            this.findings = findings;
        }

        /** Adds findings of an inconsistent tree, without consequences of earlier findings; returns false then. */
        boolean check(Tree.Section tree) {
            check(Keys.ROOT, "", tree);
            return whole;
        }

        private void check(KeyDescription key, String path, Tree tree) {
            if (tree instanceof Tree.Items items) {
                items.items().stream().filter(Tree.Section.class::isInstance).forEach(item -> check(key, path, item));
            }
            if (!(tree instanceof Tree.Section section)) {
                return;
            }
            forms(key, path, section);
            for (Map.Entry<String, KeyDescription> child : Keys.below(key).entrySet()) {
                beside(child.getKey(), child.getValue(), path, section);
            }
            section.entries()
                    .forEach((name, value) ->
                            check(Keys.below(key, name), path.isEmpty() ? name : path + "." + name, value));
        }

        private void forms(KeyDescription key, String path, Tree.Section section) {
            List<String> forms = key.forms();
            List<String> present = forms.stream().filter(section::has).toList();
            if (!forms.isEmpty() && present.isEmpty()) {
                wrong(
                        section.origin(),
                        path,
                        forms.size() == 1
                                ? "needs '" + forms.get(0) + "'"
                                : "needs one of: " + String.join(", ", forms));
            }
            if (present.size() > 1) {
                wrong(
                        section.place(present.get(1)),
                        path,
                        "'" + present.get(0) + "' and '" + present.get(1) + "' exclude each other");
            }
        }

        private void beside(String name, KeyDescription key, String path, Tree.Section section) {
            if (section.has(name)) {
                if (!key.with().isEmpty() && !section.has(key.with())) {
                    wrong(section.place(name), path, "'" + name + "' requires '" + key.with() + "'");
                }
                key.without().stream()
                        .filter(section::has)
                        .findFirst()
                        .ifPresent(other ->
                                wrong(section.place(name), path, "'" + name + "' cannot be used with '" + other + "'"));
            } else if (key.required()) {
                wrong(section.origin(), path, "needs '" + name + "', such as " + name + ": " + key.example());
            }
        }

        private void wrong(Origin origin, String path, String message) {
            whole = false;
            if (!findings.doubted(path)) {
                findings.add(origin, path, message);
            }
        }
    }
}
