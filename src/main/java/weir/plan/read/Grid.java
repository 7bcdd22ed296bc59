package weir.plan.read;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.NearestWord;
import weir.plan.syntax.Findings;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Tree;

/**
 * The combinations of the values in the section {@code grid}. Each key of the section is an axis with a list of values.
 * A point of the grid has one value of each axis.
 */
record Grid(Findings findings, Tree.Section names, String section) {
    static final String GRID = "grid";

    private static final String EXCEPT = "except";
    private static final List<String> CLIENTS = List.of("producer", "consumer");

    private static final int MOST_POINTS = 1_000;

    private static final int LONGEST_LABEL = 40;

    record Point(String name, SortedMap<String, String> values, List<Layer> layers) {
        static final Point NONE = new Point("", new TreeMap<>(), List.of());
    }

    Map<String, Tree> axis(String dotted, Origin place, Tree tree, ShapeCheck check) {
        if (tree.isNull()) {
            return Map.of(dotted, tree);
        }
        if (!(tree instanceof Tree.Items items) || items.items().isEmpty()) {
            return wrong(tree.origin(), dotted, "takes a list of values; write [" + tree.line() + "]");
        }
        if (dotted.equals(EXCEPT) && section.equals(GRID)) {
            return Map.of(EXCEPT, new Tree.Items(exceptions(items), items.origin()));
        }
        List<String> path = Paths.split(dotted, names);
        if (Keys.at(section).text("names").equals("client paths")
                && !(path.size() == 3 && path.get(0).equals("load") && CLIENTS.contains(path.get(1)))) {
            return wrong(
                    place, dotted, "is not a client property; write load.producer.PROPERTY or load.consumer.PROPERTY");
        }
        if (path.isEmpty()
                || !Keys.below(Keys.at("variants.*")).containsKey(path.get(0))
                || path.get(0).equals("grid")) {
            String hint = NearestWord.hint(dotted, Paths.known());
            return wrong(place, dotted, "is not a path to a value of a variant" + hint);
        }
        String unknown = Paths.unknownName(path, names);
        if (!unknown.isEmpty()) {
            return wrong(place, dotted, unknown);
        }
        KeyDescription key = Paths.key(path);
        KeyDescription parent = Paths.key(path.subList(0, path.size() - 1));
        boolean property =
                parent.free() && !Keys.below(parent, path.get(path.size() - 1)).known();
        String above = section + "." + String.join(".", path.subList(0, path.size() - 1));
        List<Tree> kept = new ArrayList<>();
        for (Tree item : items.items()) {
            Tree whole = property ? Layer.single(List.of(path.get(path.size() - 1)), item) : item;
            check.value(property ? parent : key, property ? above : section + "." + dotted, whole)
                    .filter(checked -> !checked.isNull())
                    .ifPresent(checked -> kept.add(property ? item : checked));
        }
        return Map.of(dotted, new Tree.Items(kept, items.origin()));
    }

    private Map<String, Tree> wrong(Origin origin, String dotted, String message) {
        findings.add(origin, section + "." + dotted, message);
        return Map.of();
    }

    private List<Tree> exceptions(Tree.Items items) {
        List<Tree> kept = new ArrayList<>();
        for (Tree item : items.items()) {
            if (item instanceof Tree.Section) {
                kept.add(item);
            } else {
                findings.add(
                        item.origin(),
                        "grid.except",
                        "must have combinations such as { load.producers: 4 }, found '" + item.line() + "'");
            }
        }
        return kept;
    }

    /** The points in order; the last axis changes fastest. Without a grid, a single point without a name. */
    List<Point> points(Tree.Section grid) {
        List<Map<String, Tree>> points = new ArrayList<>();
        points.add(new LinkedHashMap<>());
        Tree.Section axes = grid.without(EXCEPT);
        for (Map.Entry<String, Tree> axis : axes.entries().entrySet()) {
            List<Tree> values = ((Tree.Items) axis.getValue()).items();
            if ((long) points.size() * values.size() > MOST_POINTS) {
                findings.add(grid.origin(), "grid", "must be at most " + MOST_POINTS + " combinations");
                return List.of();
            }
            if (values.stream().map(Tree::line).distinct().count() < values.size()) {
                findings.add(axis.getValue().origin(), "grid." + axis.getKey(), "has the same value twice; remove one");
                return List.of();
            }
            List<Map<String, Tree>> more = new ArrayList<>();
            for (Map<String, Tree> point : points) {
                for (Tree value : values) {
                    Map<String, Tree> next = new LinkedHashMap<>(point);
                    next.put(axis.getKey(), value);
                    more.add(next);
                }
            }
            points = more;
        }
        List<Point> named = new ArrayList<>();
        for (Map<String, Tree> point : points) {
            if (!excepted(grid, point)) {
                named.add(point(axes, point));
            }
        }
        if (named.isEmpty()) {
            findings.add(grid.origin(), "grid.except", "excludes every combination; remove an entry");
        }
        return named;
    }

    private boolean excepted(Tree.Section grid, Map<String, Tree> point) {
        boolean excepted = false;
        for (Tree item : grid.items(EXCEPT)) {
            boolean all = true;
            for (Map.Entry<String, Tree> entry : ((Tree.Section) item).entries().entrySet()) {
                Tree value = point.get(entry.getKey());
                if (value == null) {
                    findings.add(
                            entry.getValue().origin(),
                            "grid.except",
                            "'" + entry.getKey() + "' is not an axis of this grid"
                                    + NearestWord.hint(entry.getKey(), point.keySet()));
                }
                all &= value != null && value.line().equals(entry.getValue().line());
            }
            excepted |= all;
        }
        return excepted;
    }

    private Point point(Tree.Section axes, Map<String, Tree> values) {
        Set<String> shortNames = new HashSet<>();
        boolean distinct = values.keySet().stream().allMatch(path -> shortNames.add(last(path)));
        List<String> labels = new ArrayList<>();
        SortedMap<String, String> point = new TreeMap<>();
        List<Layer> layers = new ArrayList<>();
        values.forEach((dotted, value) -> {
            labels.add((distinct ? last(dotted) : dotted) + "=" + label(axes, dotted, value));
            point.put(dotted, value.line());
            layers.add(new Layer(Paths.split(dotted, names), value.moved(origin -> origin.in("grid"))));
        });
        return new Point(String.join(",", labels), point, layers);
    }

    private static String label(Tree.Section axes, String dotted, Tree value) {
        if (value instanceof Tree.Text && value.line().length() <= LONGEST_LABEL) {
            return value.line().replaceAll("\\s+", "_");
        }
        if (!(axes.entries().getOrDefault(dotted, value) instanceof Tree.Items axis)) {
            return "#1";
        }
        Set<String> keys = new HashSet<>();
        boolean own = axis.items().stream().allMatch(item -> keys.add(firstKey(item)));
        return own && value instanceof Tree.Section
                ? firstKey(value)
                : "#" + (axis.items().indexOf(value) + 1);
    }

    private static String firstKey(Tree value) {
        return value instanceof Tree.Section section && !section.entries().isEmpty()
                ? section.entries().keySet().iterator().next()
                : "";
    }

    private String last(String dotted) {
        List<String> path = Paths.split(dotted, names);
        return path.get(path.size() - 1);
    }
}
