package weir.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An experiment with everything laid over it: what is said once at the top, and each variant.
 *
 * @param names of all variants, also those that could not be made
 */
record Draft(Tree.Section top, List<String> names, List<Laid> laid) {
    /** A variant and the complete tree that it was made of. */
    record Laid(Variant variant, Tree.Section tree) {}

    /** What an experiment without variants calls its only one. */
    static final String ONLY = "base";

    private static final Tree.Section PRESETS = Keys.table("presets.yaml");
    private static final List<String> LIKE_AND_PRESET = List.of("like", "preset");

    /**
     * Lays trees over a checked file and makes its variants.
     *
     * @param above what is laid over everything, the last one highest; checked
     */
    static Draft of(Tree.Section file, List<Tree.Section> above, Findings findings) {
        Laying laying = new Laying(file, above, findings);
        List<Laid> laid = laying.variants();
        Tree.Section top = file;
        for (Tree.Section layer : above) {
            top = Overlay.lay(top, layer.without("variants", "short"));
        }
        return new Draft(top.without("variants", "short"), laying.called, laid);
    }

    /** Makes the variants of one file. */
    private static final class Laying {
        private final Tree.Section file;
        private final List<Tree.Section> above;
        private final Findings findings;
        private final Tree.Section named;
        private final List<String> called = new ArrayList<>();
        private final List<String> keys = new ArrayList<>(BindVariant.keys());

        Laying(Tree.Section file, List<Tree.Section> above, Findings findings) {
            this.file = file;
            this.above = above;
            this.findings = findings;
            keys.add("grid");
            Tree.Section all = file;
            for (Tree.Section layer : above) {
                all = Overlay.lay(all, layer.only(List.of("variants")));
            }
            this.named = all.section("variants");
        }

        List<Laid> variants() {
            List<Laid> variants = new ArrayList<>();
            Collection<String> names =
                    named.entries().isEmpty() ? List.of(ONLY) : named.entries().keySet();
            for (String name : names) {
                Tree.Section laid = laid(name, new LinkedHashSet<>());
                Tree.Section full = withAbove(name, laid);
                for (Grid.Point point : new Grid(findings, full).points(full.section("grid"))) {
                    String prefix = named.entries().isEmpty() || point.name().isEmpty() ? "" : name + "/";
                    String called = point.name().isEmpty() ? name : prefix + point.name();
                    Tree.Section tree = laid;
                    for (Tree.Section layer : point.layers()) {
                        tree = Overlay.lay(tree, layer);
                    }
                    bind(called, point, withAbove(name, tree).without("grid"), variants);
                }
            }
            return variants;
        }

        private void bind(String name, Grid.Point point, Tree.Section tree, List<Laid> variants) {
            called.add(name);
            if (new Forms(findings).check(tree)) {
                Tree.Section complete = Defaults.fill(tree, BindVariant.keys());
                variants.add(new Laid(BindVariant.variant(name, point.values(), complete), complete));
            }
        }

        /** A variant laid over what it starts from. */
        private Tree.Section laid(String name, Set<String> seen) {
            Tree.Section original = file.section("variants").section(name);
            Tree.Section own = named.has(name) ? named.section(name) : original;
            Tree.Section base = Overlay.lay(Tree.Section.empty(file.origin()), file.only(keys));
            if (own.entries().get("like") instanceof Tree.Text like) {
                boolean known =
                        named.has(like.text()) || file.section("variants").has(like.text());
                seen.add(name);
                if (!known) {
                    findings.add(
                            like.origin(),
                            "variants." + name + ".like",
                            "there is no variant '" + like.text() + "'"
                                    + Nearest.hint(like.text(), named.entries().keySet()));
                } else if (seen.contains(like.text())) {
                    findings.add(
                            like.origin(),
                            "variants." + name + ".like",
                            "goes in a circle: " + String.join(", ", seen));
                } else {
                    base = laid(like.text(), seen);
                }
            }
            if (own.entries().get("preset") instanceof Tree.Text preset) {
                Tree layer =
                        PRESETS.section(preset.text()).moved(origin -> Origin.unwritten("preset " + preset.text()));
                base = Overlay.lay(base, (Tree.Section) layer);
            }
            Tree moved = without(own).moved(origin -> origin.layer().isEmpty() ? origin.in("variant " + name) : origin);
            return Overlay.lay(base, (Tree.Section) moved);
        }

        private Tree.Section withAbove(String name, Tree.Section tree) {
            Tree.Section laid = tree;
            for (Tree.Section layer : above) {
                boolean shortens = layer.section("load").has("rate") && !layer.has("measure");
                laid = Overlay.lay(laid, withoutDropped(layer.only(keys), laid));
                laid = Overlay.lay(laid, without(layer.section("variants").section(name)));
                // A rate with a length of its own, laid over all variants, stands in for what they said of the length.
                if (shortens && Defaults.ownLength(laid) && isShort(layer)) {
                    laid = laid.without("measure");
                }
            }
            return laid;
        }

        /** What a variant has dropped by name stays dropped, whatever is laid over all variants. */
        private Tree.Section withoutDropped(Tree.Section layer, Tree.Section variant) {
            Tree.Section kept = layer;
            for (String named : List.of("during", "topics")) {
                if (layer.entries().get(named) instanceof Tree.Section entries) {
                    List<String> dropped = file.section(named).entries().keySet().stream()
                            .filter(name -> !variant.section(named).has(name))
                            .toList();
                    kept = kept.with(named, entries.without(dropped.toArray(String[]::new)));
                }
            }
            return kept;
        }

        private static boolean isShort(Tree.Section layer) {
            return layer.origin().layer().equals(PlanReader.SHORT);
        }

        private static Tree.Section without(Tree.Section variant) {
            return variant.without(LIKE_AND_PRESET.toArray(String[]::new));
        }
    }

    /** The variants that a name stands for: itself, or every grid point of it. */
    static List<String> points(String name, Collection<String> variants) {
        if (variants.contains(name)) {
            return List.of(name);
        }
        return variants.stream()
                .filter(variant -> variant.startsWith(name + "/"))
                .toList();
    }

    boolean whole() {
        return laid.size() == names.size();
    }

    List<Variant> variants() {
        return laid.stream().map(Laid::variant).toList();
    }

    static Map<String, Tree> presets() {
        return PRESETS.entries();
    }
}
