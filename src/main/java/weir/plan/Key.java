package weir.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One key of the experiment file, as {@code keys.yaml} describes it; the root has an empty path. */
record Key(String path, Tree.Section facts, Map<String, Key> children) {
    /** What a name that is no key leads to: a property, a name below it, or a mistake. */
    static final Key UNKNOWN = new Key("?", Tree.Section.empty(Origin.unwritten("")), Map.of());

    boolean known() {
        return !path.equals(UNKNOWN.path);
    }

    Type type() {
        return facts.has("type") ? Type.named(text("type")) : Type.NONE;
    }

    boolean hasDefault() {
        return facts.has("default");
    }

    Tree fallback() {
        return facts.entries().getOrDefault("default", Tree.Section.empty(facts.origin()));
    }

    String meaning() {
        return text("meaning");
    }

    /** Whether only lists are taken. */
    boolean list() {
        return text("list").equals("true");
    }

    boolean maybeList() {
        return text("list").equals("maybe");
    }

    /** Whether users choose the names below it. */
    boolean names() {
        return facts.has("names");
    }

    /** Whether those names may be any text, and not only what topics and variants are called. */
    boolean texts() {
        return text("names").equals("text");
    }

    /** Whether names and values are free, such as properties. */
    boolean free() {
        return facts.has("of");
    }

    Type of() {
        return Type.named(text("of"));
    }

    Type by() {
        return facts.has("by") ? Type.named(text("by")) : Type.TEXT;
    }

    boolean choice() {
        return text("choice").equals("true");
    }

    boolean required() {
        return text("required").equals("true");
    }

    boolean template() {
        return text("template").equals("true");
    }

    long min() {
        return facts.has("min") ? Units.count(text("min")) : 1;
    }

    /** Whether it can hold a map. */
    boolean section() {
        return free() || names() || facts.has("same") || !children.isEmpty();
    }

    /** One example, in YAML on one line. */
    String example() {
        return facts.has("example")
                ? facts.entries().getOrDefault("example", fallback()).line()
                : fallback().line();
    }

    String text(String fact) {
        return facts.entries().get(fact) instanceof Tree.Text t ? t.text() : "";
    }

    List<String> texts(String fact) {
        List<String> texts = new ArrayList<>();
        if (facts.entries().get(fact) instanceof Tree.Items items) {
            items.items().forEach(item -> texts.add(item.line()));
        }
        return texts;
    }

    List<String> allowed() {
        return texts("allowed");
    }

    List<String> forms() {
        return texts("forms");
    }

    /** Which keys of {@code same} it has; empty for all. */
    List<String> only() {
        return texts("only");
    }

    String with() {
        return text("with");
    }

    String without() {
        return text("without");
    }
}
