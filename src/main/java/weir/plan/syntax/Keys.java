package weir.plan.syntax;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import weir.feature.Feature;
import weir.feature.Features;
import weir.io.Io;

/** The keys of the experiment file, with type, default and meaning, from {@code keys.yaml}. */
public final class Keys {
    public static final Tree.Section TABLE = table("keys.yaml");
    private static final Map<String, KeyDescription> BY_PATH = new HashMap<>();
    public static final KeyDescription ROOT = build("", Tree.Section.empty(TABLE.origin()));
    /** The keys that apply to all variants together. */
    public static final List<String> ONCE = ROOT.children().values().stream()
            .filter(key -> key.facts().has("once"))
            .map(KeyDescription::path)
            .toList();

    private static final Map<String, Map<String, KeyDescription>> BELOW =
            BY_PATH.values().stream().collect(Collectors.toMap(KeyDescription::path, Keys::resolved));

    public static final String ANY_NAME = "*";

    private Keys() {}

    public static Map<String, KeyDescription> below(KeyDescription key) {
        return BELOW.getOrDefault(key.path(), Map.of());
    }

    private static Map<String, KeyDescription> resolved(KeyDescription key) {
        if (!key.facts().has("same")) {
            return key.children();
        }
        Map<String, KeyDescription> children =
                new LinkedHashMap<>(at(key.text("same")).children());
        if (key.facts().has("only")) {
            children.keySet().retainAll(key.texts("only"));
        }
        children.putAll(key.children());
        return Collections.unmodifiableMap(children);
    }

    public static KeyDescription below(KeyDescription key, String name) {
        Map<String, KeyDescription> children = below(key);
        KeyDescription child = name.equals(ANY_NAME) ? null : children.get(name);
        if (child == null && key.names()) {
            child = children.get(ANY_NAME);
        }
        return child == null ? KeyDescription.UNKNOWN : child;
    }

    public static KeyDescription at(String path) {
        KeyDescription key = BY_PATH.get(path);
        if (key == null) {
            throw new IllegalArgumentException("there is no key " + path);
        }
        return key;
    }

    public static List<KeyDescription> all() {
        List<KeyDescription> all = new ArrayList<>();
        collect(ROOT, all);
        return all;
    }

    private static void collect(KeyDescription key, List<KeyDescription> all) {
        for (KeyDescription child : key.children().values()) {
            if (!child.template()) {
                all.add(child);
                collect(child, all);
            }
        }
    }

    /**
     * The rows of a resource of the plan, and of the features' resources with the same name. A feature's row comes
     * after the row in its {@code after}, or last. If the plan has a row with the same key, the feature's row adds to
     * its lists, such as {@code forms} and {@code requires}.
     */
    public static Tree.Section table(String resource) {
        Tree.Section own = rows(resource);
        Map<String, Tree> all = new HashMap<>(own.entries());
        List<String> order = new ArrayList<>(own.entries().keySet());
        for (Feature feature : Features.ALL) {
            String beside = "/" + feature.name().replace('.', '/') + "/" + resource;
            if (Keys.class.getResource(beside) != null) {
                rows(beside).entries().forEach((name, row) -> {
                    Tree before = all.put(name, row);
                    if (before != null) {
                        all.put(name, extended((Tree.Section) before, (Tree.Section) row));
                        return;
                    }
                    int place = order.indexOf(((Tree.Section) row).text("after"));
                    order.add(place < 0 ? order.size() : place + 1, name);
                });
            }
        }
        Map<String, Tree> ordered = new LinkedHashMap<>();
        order.forEach(name -> ordered.put(name, Objects.requireNonNull(all.get(name))));
        return new Tree.Section(ordered, Map.of(), own.origin());
    }

    private static Tree.Section extended(Tree.Section facts, Tree.Section more) {
        Tree.Section all = facts;
        for (Map.Entry<String, Tree> fact : more.entries().entrySet()) {
            Tree value = fact.getValue();
            Tree before = all.entries().get(fact.getKey());
            if (value instanceof Tree.Items added && before != null) {
                List<Tree> items = new ArrayList<>(before instanceof Tree.Items list ? list.items() : List.of(before));
                items.addAll(added.items());
                value = new Tree.Items(items, before.origin());
            }
            all = all.with(fact.getKey(), value);
        }
        return all;
    }

    /** The rows of one resource, in the plan's folder or at an absolute path. */
    public static Tree.Section rows(String resource) {
        String text = text(resource);
        Findings findings = new Findings();
        Optional<Tree> tree = YamlTree.parse(Origin.Source.of(resource, text), text, "default", findings);
        findings.throwAny();
        return (Tree.Section) tree.orElseThrow().moved(origin -> Origin.unwritten("default"));
    }

    /** The columns of each line of a resource, without comment lines that begin with a number sign. */
    public static List<List<String>> columns(String resource) {
        return text(resource)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
    }

    private static String text(String resource) {
        return Io.resource(resource.startsWith("/") ? resource : "/weir/plan/" + resource);
    }

    /** Builds a key. Names in {@code keys.yaml} have no dots, so a dot always separates names. */
    private static KeyDescription build(String path, Tree.Section facts) {
        Map<String, KeyDescription> children = new LinkedHashMap<>();
        String prefix = path.isEmpty() ? "" : path + ".";
        TABLE.entries().forEach((childPath, childFacts) -> {
            String name = childPath.startsWith(prefix) ? childPath.substring(prefix.length()) : "";
            if (!name.isEmpty() && name.indexOf('.') < 0) {
                children.put(name, build(childPath, (Tree.Section) childFacts));
            }
        });
        KeyDescription key = new KeyDescription(path, facts, Collections.unmodifiableMap(children));
        BY_PATH.put(path, key);
        return key;
    }
}
