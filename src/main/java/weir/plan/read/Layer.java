package weir.plan.read;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/**
 * An overlay on a plan: a whole tree, or one value at a path. A value at a path does not change the values around it.
 * An empty path means that {@code value} is a whole tree.
 */
record Layer(List<String> path, Tree value) {
    private static final String VARIANTS = "variants";
    private static final Layer NOTHING = tree(Tree.Section.empty(Origin.unwritten("")));

    Layer {
        path = List.copyOf(path);
    }

    static Layer tree(Tree.Section tree) {
        return new Layer(List.of(), tree);
    }

    Tree.Section over(Tree.Section below) {
        return path.isEmpty() ? merge(below, section()) : put(below, path, value);
    }

    Layer only(List<String> keys) {
        if (path.isEmpty()) {
            return tree(section().only(keys));
        }
        return keys.contains(path.get(0)) ? this : NOTHING;
    }

    Layer variant(String name) {
        if (path.isEmpty()) {
            return tree(section().section(VARIANTS).section(name).without(VariantTrees.bases()));
        }
        if (!path.get(0).equals(VARIANTS) || path.size() < 3) {
            return path.get(0).equals(VARIANTS)
                    ? tree(over(Tree.Section.empty(value.origin()))).variant(name)
                    : NOTHING;
        }
        return path.get(1).equals(name) ? new Layer(path.subList(2, path.size()), value) : NOTHING;
    }

    /** The layer without the disturbances, topics and bridge that a variant has removed, so that they stay removed. */
    Layer withoutDropped(Tree.Section file, Tree.Section variant) {
        Layer kept = this;
        if (file.has("bridge") && !variant.has("bridge")) {
            boolean bridged = !path.isEmpty() && path.get(0).equals("bridge");
            kept = path.isEmpty() ? tree(section().without("bridge")) : bridged ? NOTHING : this;
        }
        for (String named : List.of("during", "topics")) {
            List<String> dropped = file.section(named).entries().keySet().stream()
                    .filter(name -> !variant.section(named).has(name))
                    .toList();
            if (path.isEmpty() && section().entries().get(named) instanceof Tree.Section entries) {
                kept = tree(kept.section().with(named, entries.without(dropped.toArray(String[]::new))));
            } else if (path.size() > 1 && path.get(0).equals(named) && dropped.contains(path.get(1))) {
                kept = NOTHING;
            }
        }
        return kept;
    }

    private Tree.Section section() {
        return value instanceof Tree.Section section ? section : Tree.Section.empty(value.origin());
    }

    boolean shortensTheRate() {
        boolean isShort = path.isEmpty() && value.origin().layer().equals(PlanReader.SHORT);
        return isShort && section().section("load").has("rate") && !section().has("measure");
    }

    /**
     * Merges the tree {@code above} into the tree {@code below}. Sections, property maps, topics and disturbances are
     * merged key by key; choices and lists are replaced. {@code null} removes the value below.
     */
    static Tree.Section merge(Tree.Section below, Tree.Section above) {
        return merge(Keys.ROOT, below, above);
    }

    private static Tree.Section merge(KeyDescription key, Tree.Section below, Tree.Section above) {
        Map<String, Tree> entries = new LinkedHashMap<>(below.entries());
        Map<String, Origin> places = new LinkedHashMap<>(below.places());
        above.entries().forEach((name, value) -> {
            KeyDescription child = Keys.below(key, name);
            if (value instanceof Tree.Text t && t.isNull()) {
                entries.remove(name);
                places.remove(name);
                return;
            }
            Tree lower = entries.get(name);
            if (value instanceof Tree.Section upper) {
                boolean merges = !child.choice();
                Tree.Section base = merges && lower instanceof Tree.Section s ? s : Tree.Section.empty(upper.origin());
                entries.put(name, merge(child, base, upper));
            } else {
                entries.put(name, value);
            }
            places.put(name, above.places().getOrDefault(name, value.origin()));
        });
        return new Tree.Section(entries, places, above.entries().isEmpty() ? below.origin() : above.origin());
    }

    private static Tree.Section put(Tree.Section below, List<String> path, Tree value) {
        return put(Keys.ROOT, below, path, value);
    }

    private static Tree.Section put(KeyDescription key, Tree.Section below, List<String> path, Tree value) {
        String name = path.get(0);
        if (path.size() == 1) {
            return merge(key, below, single(path, value));
        }
        return below.with(name, put(Keys.below(key, name), below.section(name), path.subList(1, path.size()), value));
    }

    static Tree.Section single(List<String> path, Tree value) {
        Tree tree = value;
        for (int i = path.size() - 1; i >= 0; i--) {
            tree = new Tree.Section(
                    Collections.singletonMap(path.get(i), tree),
                    Collections.singletonMap(path.get(i), value.origin()),
                    value.origin());
        }
        return (Tree.Section) tree;
    }
}
