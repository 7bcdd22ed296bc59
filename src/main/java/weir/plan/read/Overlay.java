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
 * Lays one tree over another: sections, property maps, topics and disturbances merge by key; choices and lists are
 * replaced. {@code null} removes the value below.
 */
final class Overlay {
    private Overlay() {}

    static Tree.Section lay(Tree.Section below, Tree.Section above) {
        return lay(Keys.ROOT, below, above);
    }

    private static Tree.Section lay(KeyDescription key, Tree.Section below, Tree.Section above) {
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
                entries.put(name, lay(child, base, upper));
            } else {
                entries.put(name, value);
            }
            places.put(name, above.places().getOrDefault(name, value.origin()));
        });
        return new Tree.Section(entries, places, above.entries().isEmpty() ? below.origin() : above.origin());
    }

    /** Sets one value at a path and keeps everything beside the path, even within choices. */
    static Tree.Section put(Tree.Section below, List<String> path, Tree value) {
        return put(Keys.ROOT, below, path, value);
    }

    private static Tree.Section put(KeyDescription key, Tree.Section below, List<String> path, Tree value) {
        String name = path.get(0);
        if (path.size() == 1) {
            return lay(key, below, single(path, value));
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
