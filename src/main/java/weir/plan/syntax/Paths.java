package weir.plan.syntax;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import weir.plan.NearestWord;

/** Dotted paths in the notation of {@code --set} and {@code grid}. */
public final class Paths {
    public static final String PLUGIN = "plugin";

    public static final String SECRET_WORDS = "jaas|password|passwd|passphrase|secret|token|credential|user\\.?info"
            + "|api[._-]?key|access[._-]?key|account[._-]?key|private[._-]?key|authorization";

    private static final int LONGEST = 300;

    private Paths() {}

    /**
     * Splits a dotted path into names; empty if it does not end at a key. Dots in property names and in user-chosen
     * names of the tree are kept.
     */
    public static List<String> split(String dotted, Tree.Section tree) {
        if (dotted.length() > LONGEST) {
            return List.of();
        }
        return split(Keys.ROOT, Arrays.asList(dotted.split("\\.", -1)), tree);
    }

    private static List<String> split(KeyDescription key, List<String> words, Tree.Section tree) {
        if (key.free() && !Keys.below(key, words.get(0)).known()) {
            return property(key, words);
        }
        List<String> found = List.of();
        int longest = key.names() ? words.size() : 1;
        for (int length = 1; length <= longest; length++) {
            String name = String.join(".", words.subList(0, length));
            List<String> path = below(key, name, words.subList(length, words.size()), tree);
            if (!path.isEmpty() && (found.isEmpty() || tree.has(name))) {
                found = path;
            }
        }
        return found;
    }

    private static List<String> below(KeyDescription key, String name, List<String> rest, Tree.Section tree) {
        KeyDescription child = Keys.below(key, name);
        if (name.isEmpty() || !child.known()) {
            return List.of();
        }
        List<String> path = new ArrayList<>(List.of(name));
        if (!rest.isEmpty()) {
            List<String> more = split(child, rest, tree.section(name));
            if (more.isEmpty()) {
                return List.of();
            }
            path.addAll(more);
        }
        return path;
    }

    private static List<String> property(KeyDescription key, List<String> words) {
        boolean unchecked = key.of() == ScalarType.PROPERTY
                && words.size() > 1
                && words.get(0).equals(PLUGIN);
        if (unchecked) {
            return List.of(PLUGIN, String.join(".", words.subList(1, words.size())));
        }
        return List.of(String.join(".", words));
    }

    public static String unknownName(List<String> path, Tree.Section file) {
        KeyDescription key = Keys.ROOT;
        for (String name : path) {
            if (key.names() && !key.paths()) {
                Set<String> known = chosen(key.path(), file);
                if (!known.contains(name)) {
                    return "there is no '" + name + "' in " + key.path() + NearestWord.hint(name, known);
                }
            }
            KeyDescription child = Keys.below(key, name);
            if (!child.known()) {
                return "";
            }
            key = child;
        }
        return "";
    }

    private static Set<String> chosen(String path, Tree.Section file) {
        Set<String> names = new TreeSet<>(file.section(path).entries().keySet());
        Tree.Section variants = file.section("variants");
        variants.entries()
                .keySet()
                .forEach(name -> names.addAll(
                        variants.section(name).section(path).entries().keySet()));
        if (file.has("short")) {
            names.addAll(chosen(path, file.section("short")));
        }
        if (names.isEmpty() && Keys.at(path).fallback() instanceof Tree.Section fallback) {
            names.addAll(fallback.entries().keySet());
        }
        return names;
    }

    public static KeyDescription key(List<String> path) {
        KeyDescription key = Keys.ROOT;
        for (String name : path) {
            KeyDescription child = Keys.below(key, name);
            if (!child.known()) {
                return key;
            }
            key = child;
        }
        return key;
    }

    public static List<String> known() {
        return Keys.all().stream().map(KeyDescription::path).toList();
    }

    public static void leaves(String path, Tree tree, Map<String, Tree> leaves) {
        if (tree instanceof Tree.Section section) {
            section.entries()
                    .forEach((name, value) -> leaves(path.isEmpty() ? name : path + "." + name, value, leaves));
        } else {
            leaves.put(path, tree);
        }
    }
}
