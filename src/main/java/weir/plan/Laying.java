package weir.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Makes the variants of one file: each laid over what it starts from, and what is laid over everything over them. */
final class Laying {
    private final Tree.Section file;
    private final List<Layer> above;
    private final Findings findings;
    private final Tree.Section named;
    private final List<String> called = new ArrayList<>();
    private final List<String> keys = new ArrayList<>(BindVariant.keys());

    Laying(Tree.Section file, List<Layer> above, Findings findings) {
        this.file = file;
        this.above = above;
        this.findings = findings;
        keys.add("grid");
        Tree.Section all = file;
        for (Layer layer : above) {
            undropped(layer);
            all = layer.only(List.of("variants")).over(all);
        }
        Tree.Section variants = all.section("variants");
        List<String> dropped = variants.entries().keySet().stream()
                .filter(name -> variants.entries().get(name) instanceof Tree.Text)
                .toList();
        this.named = variants.without(dropped.toArray(String[]::new));
    }

    List<Draft.Laid> variants() {
        List<Draft.Laid> variants = new ArrayList<>();
        Collection<String> names = named.entries().isEmpty()
                ? List.of(Draft.ONLY)
                : named.entries().keySet();
        for (String name : names) {
            Tree.Section laid = laid(name, new LinkedHashSet<>());
            Tree.Section full = withAbove(name, laid);
            for (Grid.Point point : new Grid(findings, full).points(full.section("grid"))) {
                String prefix = named.entries().isEmpty() || point.name().isEmpty() ? "" : name + "/";
                String called = point.name().isEmpty() ? name : prefix + point.name();
                Tree.Section tree = laid;
                for (Layer layer : point.layers()) {
                    tree = layer.over(tree);
                }
                bind(called, point, withAbove(name, tree).without("grid"), variants);
            }
        }
        return variants;
    }

    private void bind(String name, Grid.Point point, Tree.Section tree, List<Draft.Laid> variants) {
        called.add(name);
        if (new Forms(findings).check(tree)) {
            Tree.Section complete = Defaults.fill(tree, BindVariant.keys());
            variants.add(new Draft.Laid(BindVariant.variant(name, point.values(), complete), complete));
        }
    }

    /** A variant laid over what it starts from. */
    private Tree.Section laid(String name, Set<String> seen) {
        Tree.Section original = file.section("variants").section(name);
        Tree.Section own = named.has(name) ? named.section(name) : original;
        Tree.Section base = Overlay.lay(Tree.Section.empty(file.origin()), file.only(keys));
        if (own.entries().get("like") instanceof Tree.Text like) {
            boolean known = named.has(like.text()) || file.section("variants").has(like.text());
            seen.add(name);
            if (!known) {
                findings.add(
                        like.origin(),
                        "variants." + name + ".like",
                        "there is no variant '" + like.text() + "'"
                                + Nearest.hint(like.text(), named.entries().keySet()));
            } else if (seen.contains(like.text())) {
                findings.add(
                        like.origin(), "variants." + name + ".like", "goes in a circle: " + String.join(", ", seen));
            } else {
                base = laid(like.text(), seen);
            }
        }
        if (own.entries().get("preset") instanceof Tree.Text preset) {
            Tree layer =
                    Draft.PRESETS.section(preset.text()).moved(origin -> Origin.unwritten("preset " + preset.text()));
            base = Overlay.lay(base, (Tree.Section) layer);
        }
        dropped(name, base, own);
        Tree moved = own.without("like", "preset")
                .moved(origin -> origin.layer().isEmpty() ? origin.in("variant " + name) : origin);
        return Overlay.lay(base, (Tree.Section) moved);
    }

    private Tree.Section withAbove(String name, Tree.Section tree) {
        Tree.Section laid = tree;
        for (Layer layer : above) {
            laid = layer.only(keys).withoutDropped(file, laid).over(laid);
            laid = layer.variant(name).over(laid);
            // A rate with a length of its own, laid over all variants, stands in for what they said of the length.
            if (layer.shortensTheRate() && Defaults.ownLength(laid)) {
                laid = laid.without("measure");
            }
        }
        return laid;
    }

    /** Of all variants, in order, also those that could not be made. */
    List<String> names() {
        return called;
    }

    /** A variant that is dropped must be there. */
    private void undropped(Layer layer) {
        if (layer.path().isEmpty() && layer.value() instanceof Tree.Section tree) {
            Tree.Section variants = file.section("variants");
            tree.section("variants").entries().forEach((name, value) -> {
                if (value instanceof Tree.Text text && text.isNull() && !variants.has(name)) {
                    String hint = Nearest.hint(name, variants.entries().keySet());
                    findings.add(value.origin(), "variants", "there is no '" + name + "' to drop" + hint);
                }
            });
        }
    }

    /** A disturbance or a topic that is dropped must be there. */
    private void dropped(String variant, Tree.Section base, Tree.Section own) {
        for (String section : List.of("during", "topics")) {
            own.section(section).entries().forEach((name, value) -> {
                boolean drops = value instanceof Tree.Text text && text.isNull();
                if (drops && !base.section(section).has(name)) {
                    Origin place = own.section(section).places().getOrDefault(name, value.origin());
                    String hint =
                            Nearest.hint(name, base.section(section).entries().keySet());
                    findings.add(
                            place, "variants." + variant + "." + section, "there is no '" + name + "' to drop" + hint);
                }
            });
        }
    }
}
