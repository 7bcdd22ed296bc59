package weir.plan.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import weir.plan.Releases;

/**
 * A row of {@code requires:} in {@code keys.yaml}: a value has no effect unless other values of the variant match.
 *
 * @param when the values that have the requirement; empty for every value but the default
 * @param given further conditions; if one of them is false, the row does not apply
 * @param of the property below the key that has the requirement; empty for the key itself
 * @param except the only key of the section without the requirement; empty if the row is about the whole section
 * @param because the reason, as a clause
 */
public record Requirement(
        Words when,
        Map<String, Words> given,
        Map<String, Words> conditions,
        String of,
        String except,
        String because,
        String action) {
    /** The word in {@code when} for any value in the file, even if it equals the default. */
    private static final String WRITTEN = "written";

    public static final String NONE = "none";

    private static final List<String> OWN = List.of("when", "if", "of", "except", "because", "do");

    /** A condition on a value: {@code a or b}, {@code not a or b}, or {@code from 3.3.0} for releases. */
    public record Words(List<String> words, boolean negated) {
        public Words {
            words = List.copyOf(words);
        }

        static Words of(String text) {
            boolean negated = text.startsWith("not ");
            String words = negated ? text.substring("not ".length()) : text;
            return new Words(words.isEmpty() ? List.of() : List.of(words.split(" or ")), negated);
        }

        public boolean matches(String value) {
            return words.stream().anyMatch(word -> matches(word, value)) != negated;
        }

        private static boolean matches(String word, String value) {
            boolean least = word.startsWith("from ") && !value.contains("${");
            return least
                    ? value.equals(NONE) || Releases.compare(value, word.substring("from ".length())) >= 0
                    : (value + " ").regionMatches(true, 0, word + " ", 0, word.length() + 1);
        }

        private String line() {
            return (words.size() < 2
                            ? String.join("", words)
                            : String.join(", ", words.subList(0, words.size() - 1)) + " or "
                                    + words.get(words.size() - 1))
                    .replaceFirst("^from (.*\\..*)", "$1 or later")
                    .replaceFirst("^from (.*)", "$1 or more");
        }
    }

    static Requirement of(Tree.Section row) {
        return new Requirement(
                Words.of(row.text("when")),
                words(row.section("if")),
                words(row.without(OWN.toArray(String[]::new))),
                row.text("of"),
                row.text("except"),
                row.text("because"),
                row.has("do") ? row.text("do") : "remove it");
    }

    private static Map<String, Words> words(Tree.Section section) {
        Map<String, Words> words = new LinkedHashMap<>();
        section.entries().forEach((path, text) -> words.put(path, Words.of(text.line())));
        return words;
    }

    public boolean aboutWritten() {
        return when.words().contains(WRITTEN);
    }

    /** True if the row applies to every value except the default. */
    public boolean aboutAny() {
        return when.words().isEmpty();
    }

    public boolean about(String value, String fallback) {
        return !value.equals(NONE) && (aboutAny() ? !value.equals(fallback) : when.matches(value));
    }

    /**
     * The message about a value whose conditions are not met; empty if they are met.
     *
     * @param place maps the path in a condition to the path in the variant
     * @param values maps the path in a condition to the value there
     */
    public String lacking(String value, UnaryOperator<String> place, UnaryOperator<String> values) {
        boolean silent =
                given.entrySet().stream().anyMatch(each -> !each.getValue().matches(values.apply(each.getKey())));
        if (silent) {
            return "";
        }
        for (Map.Entry<String, Words> each : conditions.entrySet()) {
            String found = values.apply(each.getKey());
            if (!each.getValue().matches(found)) {
                boolean named = !aboutAny() && !aboutWritten();
                return (named ? "'" + value + "' " : "") + condition(place.apply(each.getKey()), each.getValue(), found)
                        + (because.isEmpty() ? "" : ", because " + because) + "; " + action;
            }
        }
        return "";
    }

    private static String condition(String path, Words words, String found) {
        boolean absent = words.words().equals(List.of(NONE));
        if (words.negated() && absent) {
            return "requires " + path;
        }
        if (words.negated() || absent) {
            return "cannot be used with " + path + ": " + found;
        }
        return "requires " + path + ": " + words.line()
                + (found.equals(NONE) ? ", found none" : ", found '" + found + "'");
    }

    public String line() {
        boolean named = !aboutAny() && !aboutWritten();
        String others = of.isEmpty() ? "all but " : "other than ";
        String words = named ? (when.negated() ? others : "") + when.line() + ": " : "";
        return (of.isEmpty() ? "" : of + " ")
                + words
                + lines(conditions)
                + (given.isEmpty() ? "" : ", with " + lines(given));
    }

    private static String lines(Map<String, Words> conditions) {
        return conditions.entrySet().stream()
                .map(each -> {
                    boolean absent = each.getValue().words().equals(List.of(NONE));
                    String path = each.getKey().replace(Keys.ANY_NAME, "NAME");
                    String words = absent ? "" : ": " + each.getValue().line();
                    return (each.getValue().negated() == absent ? "" : "no ") + path + words;
                })
                .collect(Collectors.joining(", "));
    }
}
