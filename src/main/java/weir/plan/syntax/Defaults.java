package weir.plan.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The defaults of absent keys. */
public final class Defaults {
    private static final Map<String, Tree> FALLBACKS = new ConcurrentHashMap<>();

    private Defaults() {}

    /** A copy of the tree with the defaults of absent keys; {@code keys} are the top-level keys to fill in. */
    public static Tree.Section fill(Tree.Section tree, List<String> keys) {
        return (Tree.Section) fill(Keys.ROOT, tree, keys);
    }

    private static Tree fill(KeyDescription key, Tree tree, List<String> keys) {
        if (!(tree instanceof Tree.Section section)) {
            return tree.parts((none, item) -> fill(key, item, List.of()));
        }
        Map<String, Tree> filled = new LinkedHashMap<>(section.entries());
        filled.replaceAll((name, value) -> fill(Keys.below(key, name), value, List.of()));
        Map<String, Origin> places = new LinkedHashMap<>(section.places());
        for (Map.Entry<String, KeyDescription> child : Keys.below(key).entrySet()) {
            boolean asked = keys.isEmpty() || keys.contains(child.getKey());
            if (asked && missing(child.getKey(), child.getValue(), section)) {
                filled.put(child.getKey(), fallback(child.getValue()));
            }
        }
        filled.forEach((name, value) -> places.putIfAbsent(name, value.origin()));
        return new Tree.Section(filled, places, section.origin());
    }

    private static Tree fallback(KeyDescription key) {
        Tree known = FALLBACKS.get(key.path());
        if (known == null) {
            known = fill(key, key.fallback(), List.of());
            FALLBACKS.put(key.path(), known);
        }
        return known;
    }

    private static boolean missing(String name, KeyDescription key, Tree.Section section) {
        return key.hasDefault()
                && !section.has(name)
                && (key.with().isEmpty() || section.has(key.with()))
                && key.without().stream().noneMatch(section::has)
                && !(key.path().equals("measure") && ownLength(section));
    }

    public static boolean ownLength(Tree.Section variant) {
        Tree rate = variant.section("load").entries().get("rate");
        if (rate instanceof Tree.Section s) {
            return s.has("steps") || s.has("replay");
        }
        return rate instanceof Tree.Text t && !PaceSyntax.pace(t.text()).steps().isEmpty();
    }
}
