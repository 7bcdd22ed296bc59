package weir.plan.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One key of the experiment file with its description in {@code keys.yaml}. The root has an empty path. */
public record KeyDescription(String path, Tree.Section facts, Map<String, KeyDescription> children) {
    /** The description of a name that is not a key: a property, a name below a property, or a mistake. */
    static final KeyDescription UNKNOWN = new KeyDescription("?", Tree.Section.empty(Origin.unwritten("")), Map.of());

    private static final String MOST = "10000";

    public boolean known() {
        return !path.equals(UNKNOWN.path);
    }

    public ScalarType type() {
        return facts.has("type") ? ScalarType.named(text("type")) : ScalarType.NONE;
    }

    public boolean hasDefault() {
        return facts.has("default");
    }

    public Tree fallback() {
        return facts.entries().getOrDefault("default", Tree.Section.empty(facts.origin()));
    }

    public String meaning() {
        return text("meaning");
    }

    public boolean list() {
        return text("list").equals("true");
    }

    public boolean maybeList() {
        return text("list").equals("maybe");
    }

    public boolean names() {
        return facts.has("names");
    }

    /** True if the user's names may be any text, and not only valid names of topics and variants. */
    public boolean texts() {
        return text("names").equals("text");
    }

    /** True if the user's names are dotted paths to values of a variant. */
    public boolean paths() {
        return text("names").endsWith("paths");
    }

    /** True if names and values below this key are free, as for properties. */
    public boolean free() {
        return facts.has("of");
    }

    public ScalarType of() {
        return ScalarType.named(text("of"));
    }

    public ScalarType by() {
        return facts.has("by") ? ScalarType.named(text("by")) : ScalarType.TEXT;
    }

    public boolean choice() {
        return text("choice").equals("true");
    }

    public boolean required() {
        return text("required").equals("true");
    }

    public boolean template() {
        return text("template").equals("true");
    }

    /** The limits of the key's values by their words, such as {@code at least} for 1ms. */
    public Map<String, String> bounds() {
        boolean count = type() == ScalarType.COUNT;
        Map<String, String> bounds = new LinkedHashMap<>();
        bounds.put("at least", facts.has("min") ? text("min") : count ? "1" : "");
        bounds.put("above", text("above"));
        bounds.put("at most", facts.has("max") ? text("max") : count ? MOST : "");
        bounds.values().removeIf(String::isEmpty);
        return bounds;
    }

    public boolean countable(String text) {
        long count = Units.count(text);
        return count >= Units.count(bounds().getOrDefault("at least", "1")) && count <= Units.count(MOST);
    }

    public String beyond(String text) {
        double amount = type().amount(text);
        for (Map.Entry<String, String> bound : bounds().entrySet()) {
            double end = type().amount(bound.getValue());
            boolean beyond = switch (bound.getKey()) {
                case "at least" -> amount < end;
                case "above" -> amount <= end;
                default -> amount > end;
            };
            if (beyond) {
                return "must be " + bound.getKey() + " " + bound.getValue() + ", found '" + text + "'";
            }
        }
        return "";
    }

    public boolean section() {
        return free() || names() || facts.has("same") || !children.isEmpty();
    }

    public String example() {
        return facts.has("example")
                ? facts.entries().getOrDefault("example", fallback()).line()
                : fallback().line();
    }

    public String text(String fact) {
        return facts.text(fact);
    }

    public List<String> texts(String fact) {
        return facts.items(fact).stream().map(Tree::line).toList();
    }

    public List<String> allowed() {
        return texts("allowed");
    }

    public List<String> forms() {
        return texts("forms");
    }

    public String with() {
        return text("with");
    }

    /** The keys that a file may not have beside this key. */
    public List<String> without() {
        return facts.texts("without");
    }

    public List<Requirement> requires() {
        List<Tree> rows = facts.isSection("requires") ? List.of(facts.section("requires")) : facts.items("requires");
        return rows.stream().map(row -> Requirement.of((Tree.Section) row)).toList();
    }
}
