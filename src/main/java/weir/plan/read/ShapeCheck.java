package weir.plan.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import weir.plan.NearestWord;
import weir.plan.Problem;
import weir.plan.check.ExperimentBounds;
import weir.plan.property.Properties;
import weir.plan.syntax.Findings;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Synonyms;
import weir.plan.syntax.Tree;
import weir.plan.syntax.ValueSyntax;

/**
 * The check that every key of a tree is known and every value is readable. It reports and removes incorrect parts.
 *
 * @param names the tree with the names that the user chose, such as the names of topics
 */
record ShapeCheck(Findings findings, Tree.Section names) {
    private static final Pattern CHOSEN_NAME = Pattern.compile("[A-Za-z0-9._][A-Za-z0-9._-]{0,199}");

    private static final Pattern TOPIC_NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");

    private static final int LONGEST_TEXT = 200;

    private static final Set<String> COUNTED = Set.of("topics", "variants");

    static Tree.Section check(Tree.Section tree, Tree.Section names, Findings findings) {
        return new ShapeCheck(findings, names).section(Keys.ROOT, "", tree);
    }

    Optional<Tree> value(KeyDescription key, String path, Tree tree) {
        if (tree instanceof Tree.Text text) {
            return text(key, path, text);
        }
        if (tree instanceof Tree.Items items) {
            return items(key, path, items);
        }
        if (tree instanceof Tree.Section section) {
            boolean lists = key.list() || key.maybeList();
            if (lists && key.section()) {
                String either = key.list() ? "a list" : taken(key) + " or a list";
                return wrong(tree, path, "takes " + either + "; write [" + Problem.beginning(tree.line()) + "]");
            }
            return key.section()
                    ? Optional.of(section(key, path, section))
                    : wrong(tree, path, "takes " + taken(key) + ", not keys below it");
        }
        throw new AssertionError(tree);
    }

    private Optional<Tree> text(KeyDescription key, String path, Tree.Text text) {
        if (text.isNull()) {
            boolean word = key.allowed().contains(text.text());
            return Optional.of(word ? new Tree.Text(text.text(), true, text.origin()) : text);
        }
        if (text.text().isEmpty() && !text.quoted()) {
            return wrong(
                    text,
                    path,
                    "has no value; write null to remove it" + (key.section() ? ", or {} for its defaults" : ""));
        }
        if (key.list()) {
            boolean parts = key.type() == ScalarType.NONE;
            return wrong(text, path, "takes a list; write " + (parts ? key.example() : "[" + text.text() + "]"));
        }
        return item(key, path, text);
    }

    private Optional<Tree> item(KeyDescription key, String path, Tree.Text text) {
        if (text.isSwitch()) {
            return wrong(text, path, text.switchProblem());
        }
        if (key.type() == ScalarType.NONE) {
            String keys = String.join(", ", Keys.below(key).keySet()).replace(Keys.ANY_NAME, "a name of yours");
            return wrong(
                    text,
                    path,
                    "is a section with keys, found the value '" + text.text() + "'"
                            + (keys.isEmpty() ? "" : "; known: " + keys));
        }
        List<String> allowed = key.allowed();
        String longer = allowed.contains(text.text()) ? "" : longer(key, path, text.text());
        if (!longer.isEmpty() && key.type() != ScalarType.TEXT && key.type() != ScalarType.PATH) {
            return wrong(text, path, longer);
        }
        if (!allowed.isEmpty() && !allowed.contains(text.text())) {
            return wrong(
                    text, path, "'" + text.text() + "' is not a valid value" + NearestWord.hint(text.text(), allowed));
        }
        try {
            key.type().check(text.text());
        } catch (IllegalArgumentException e) {
            return wrong(text, path, String.valueOf(e.getMessage()));
        }
        String beyond = allowed.isEmpty() ? key.beyond(text.text()) : "";
        if (beyond.isEmpty()) {
            return Optional.of(text);
        }
        // A count that would fill the memory is removed. Later checks report other incorrect counts.
        if (key.type() == ScalarType.COUNT && !key.countable(text.text())) {
            return wrong(text, path, beyond);
        }
        findings.addBound(text.origin(), path, beyond);
        return Optional.of(text);
    }

    private Optional<Tree> items(KeyDescription key, String path, Tree.Items items) {
        if (!key.list() && !key.maybeList()) {
            return wrong(items, path, "takes " + taken(key) + ", not a list");
        }
        if (items.items().size() > ExperimentBounds.MOST_ENTRIES) {
            return wrong(items.items().get(ExperimentBounds.MOST_ENTRIES), path, ExperimentBounds.entries("entries"));
        }
        if (items.items().isEmpty() && (key.maybeList() || key.type() == ScalarType.STEP)) {
            return wrong(items, path, "is an empty list; write at least one element, such as " + key.example());
        }
        List<Tree> kept = new ArrayList<>();
        for (Tree item : items.items()) {
            if (item instanceof Tree.Section section && !Keys.below(key).isEmpty()) {
                kept.add(section(key, path, section));
            } else if (item instanceof Tree.Text text
                    && !text.isNull()
                    && !text.text().isEmpty()) {
                item(key, path, text).ifPresent(kept::add);
            } else if (key.type() == ScalarType.ANY) {
                kept.add(item);
            } else {
                findings.add(item.origin(), path, "'" + item.line() + "' is not allowed in this list");
            }
        }
        boolean nothing = kept.isEmpty() && !items.items().isEmpty();
        return nothing ? Optional.empty() : Optional.of(new Tree.Items(kept, items.origin()));
    }

    private Tree.Section section(KeyDescription key, String path, Tree.Section section) {
        Map<String, Tree> kept = new LinkedHashMap<>();
        if (section.entries().size() > ExperimentBounds.MOST_ENTRIES && !COUNTED.contains(key.path())) {
            String first = new ArrayList<>(section.entries().keySet()).get(ExperimentBounds.MOST_ENTRIES);
            findings.add(section.place(first), path, ExperimentBounds.entries("keys"));
            return Tree.Section.empty(section.origin());
        }
        section.entries().forEach((name, value) -> {
            Origin place = section.places().getOrDefault(name, value.origin());
            String below = path.isEmpty() ? name : path + "." + name;
            KeyDescription child = Keys.below(key, name);
            if (key.paths()) {
                kept.putAll(new Grid(findings, names, key.path()).axis(name, place, value, this));
            } else if (key.free() && !child.known()) {
                property(key, below, name, place, value).ifPresent(tree -> kept.put(name, tree));
            } else if (!child.known()) {
                findings.add(place, below, "is not a key here" + hint(key, name));
            } else if (key.texts() && (name.isBlank() || name.length() > LONGEST_TEXT)) {
                findings.add(place, path, "must be a name of 1 to " + LONGEST_TEXT + " characters");
            } else if (key.path().equals("topics") && !TOPIC_NAME.matcher(name).matches()) {
                findings.add(
                        place,
                        path,
                        "'" + name + "' is not a topic name; use up to 249 letters, digits, '.', '_' and '-'");
            } else if (key.names()
                    && !key.texts()
                    && !key.path().equals("topics")
                    && !CHOSEN_NAME.matcher(name).matches()) {
                findings.add(
                        place, path, "'" + name + "' is not a name; use up to 200 letters, digits, '.', '_' and '-'");
            } else {
                value(child, below, value).ifPresent(tree -> kept.put(name, tree));
            }
        });
        if (key.path().equals("load.value.size")) {
            mix(path, section, kept);
        }
        return new Tree.Section(kept, section.places(), section.origin());
    }

    private static String hint(KeyDescription key, String name) {
        Set<String> known = Keys.below(key).keySet();
        if (!NearestWord.to(name, known).isEmpty()) {
            return NearestWord.hint(name, known);
        }
        Properties.Known property = Properties.known().get(name);
        if (property != null) {
            String map = property.clients().contains("producer") ? "load.producer" : "load.consumer";
            return "; it is a Kafka client property and goes under " + map;
        }
        String synonym = Synonyms.ofKey(name);
        return synonym.isEmpty() ? NearestWord.hint(name, known) : synonym;
    }

    private static String longer(KeyDescription key, String path, String word) {
        KeyDescription child = Keys.below(key, word);
        if (!child.known() || key.names()) {
            return "";
        }
        String inner = child.example();
        if (inner.isEmpty() || inner.equals("{}")) {
            List<String> parts = new ArrayList<>();
            Keys.below(child).forEach((name, below) -> parts.add(name + ": " + below.example()));
            inner = "{ " + String.join(", ", parts) + " }";
        }
        String name = path.substring(path.lastIndexOf('.') + 1);
        return "'" + word + "' is incomplete; write " + name + ": { " + word + ": " + inner + " }";
    }

    private Optional<Tree> property(KeyDescription key, String path, String name, Origin place, Tree value) {
        if (value instanceof Tree.Section unchecked && key.of() == ScalarType.PROPERTY && name.equals(Paths.PLUGIN)) {
            return Optional.of(plugin(path, unchecked));
        }
        if (!(value instanceof Tree.Text text)) {
            return wrong(value, path, "takes one value, not a list or a map");
        }
        if (text.isSwitch()) {
            return wrong(text, path, text.switchProblem());
        }
        try {
            key.by().check(name);
            if (!text.isNull()) {
                key.of().check(text.text());
            }
            if (key.of() == ScalarType.PROPERTY) {
                Properties.check(key.path(), name, text);
            }
        } catch (IllegalArgumentException e) {
            findings.add(place, path, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        return Optional.of(text);
    }

    private Tree plugin(String path, Tree.Section section) {
        Map<String, Tree> kept = new LinkedHashMap<>();
        section.entries().forEach((name, value) -> {
            if (!(value instanceof Tree.Text text)) {
                findings.add(value.origin().silent(), path + "." + name, "takes one value, not a list or a map");
                return;
            }
            try {
                Properties.checkSecret(name, text.text());
                kept.put(name, value);
            } catch (IllegalArgumentException e) {
                findings.add(value.origin().silent(), path + "." + name, String.valueOf(e.getMessage()));
            }
        });
        return new Tree.Section(kept, section.places(), section.origin());
    }

    private void mix(String path, Tree.Section section, Map<String, Tree> kept) {
        try {
            ValueSyntax.mix(kept);
        } catch (IllegalArgumentException e) {
            findings.add(section.origin(), path, String.valueOf(e.getMessage()));
            kept.clear();
            kept.put("1KiB", new Tree.Text("100%", true, section.origin()));
        }
    }

    private Optional<Tree> wrong(Tree tree, String path, String message) {
        findings.add(tree.origin(), path, message);
        return Optional.empty();
    }

    private static String taken(KeyDescription key) {
        if (key.type() == ScalarType.NONE) {
            return "keys below it";
        }
        if (key.type() == ScalarType.WORD) {
            List<String> forms = key.texts("write").isEmpty() ? key.allowed() : key.texts("write");
            return String.join(" or ", forms);
        }
        return "one value such as "
                + (key.example().isEmpty() ? "a " + key.type().called() : key.example());
    }
}
