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
 *
 * @param depth the length of the path, the only one in the tree; 0 for a whole tree
 */
record Layer(Tree.Section tree, int depth) {
    Layer(Tree.Section tree) {
        this(tree, 0);
    }

    Layer(List<String> path, Tree value) {
        this(single(path, value), path.size());
    }

    Tree.Section over(Tree.Section below) {
        return merge(Keys.ROOT, below, tree, depth);
    }

    Layer only(List<String> keys) {
        return new Layer(tree.only(keys), depth);
    }

    Layer variant(String name) {
        Tree.Section variant = tree.section("variants").section(name).without(VariantTrees.bases());
        return new Layer(variant, Math.max(0, depth - 2));
    }

    /** The layer without the disturbances, topics and bridge that a variant has removed, so that they stay removed. */
    Layer withoutDropped(Tree.Section file, Tree.Section variant) {
        Tree.Section kept = file.has("bridge") && !variant.has("bridge") ? tree.without("bridge") : tree;
        for (String named : List.of("during", "topics")) {
            if (kept.entries().get(named) instanceof Tree.Section entries) {
                String[] dropped = file.section(named).entries().keySet().stream()
                        .filter(name -> !variant.section(named).has(name))
                        .toArray(String[]::new);
                Tree.Section left = entries.without(dropped);
                kept = left.entries().isEmpty() ? kept.without(named) : kept.with(named, left);
            }
        }
        return new Layer(kept, depth);
    }

    boolean shortensTheRate() {
        boolean isShort = depth == 0 && tree.origin().layer().equals(PlanReader.SHORT);
        return isShort && tree.section("load").has("rate") && !tree.has("measure");
    }

    /**
     * Merges the tree {@code above} into the tree {@code below}. Sections, property maps, topics and disturbances are
     * merged key by key; choices and lists are replaced. {@code null} removes the value below.
     */
    static Tree.Section merge(Tree.Section below, Tree.Section above) {
        return merge(Keys.ROOT, below, above, 0);
    }

    private static Tree.Section merge(KeyDescription key, Tree.Section below, Tree.Section above, int depth) {
        if (depth > 1) {
            Tree.Section merged = below;
            for (String name : above.entries().keySet()) {
                KeyDescription child = Keys.below(key, name);
                merged = merged.with(name, merge(child, below.section(name), above.section(name), depth - 1));
            }
            return merged;
        }
        Map<String, Tree> entries = new LinkedHashMap<>(below.entries());
        Map<String, Origin> places = new LinkedHashMap<>(below.places());
        above.entries().forEach((name, value) -> {
            KeyDescription child = Keys.below(key, name);
            if (value.isNull()) {
                entries.remove(name);
                places.remove(name);
                return;
            }
            Tree lower = entries.get(name);
            if (value instanceof Tree.Section upper) {
                boolean merges = !child.choice();
                Tree.Section base = merges && lower instanceof Tree.Section s ? s : Tree.Section.empty(upper.origin());
                entries.put(name, merge(child, base, upper, 0));
            } else {
                entries.put(name, value);
            }
            places.put(name, above.places().getOrDefault(name, value.origin()));
        });
        return new Tree.Section(entries, places, above.entries().isEmpty() ? below.origin() : above.origin());
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
