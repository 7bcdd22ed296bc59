package weir.plan.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import weir.plan.Releases;

/**
 * A row of {@code requires:} in {@code keys.yaml}: the other values of a variant without which a value has no effect.
 *
 * @param when the values that require something; without it each that is not the default
 * @param given conditions without which the row says nothing
 * @param except the key below the section that needs nothing, where each of the others does; empty for the section as a whole
 * @param because a reason, which follows a comma
 */
public record Requirement(
        Words when,
        Map<String, Words> given,
        Map<String, Words> conditions,
        String except,
        String because,
        String action) {
    /** Stands in {@code when} for each value that somebody wrote, be it the default. */
    private static final String WRITTEN = "written";

    /** The value of a key that is not there. */
    public static final String NONE = "none";

    private static final List<String> OWN = List.of("when", "if", "except", "because", "do");

    /** Words of which a value is one, or none: {@code a or b}, {@code not a or b}; {@code from 3.3.0} is a release. */
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

        /** {@code broker} is the word of 'broker 2', too. */
        private static boolean matches(String word, String value) {
            return word.startsWith("from ")
                    ? value.equals(NONE) || Releases.compare(value, word.substring("from ".length())) >= 0
                    : value.equals(word) || value.startsWith(word + " ");
        }

        private String line() {
            return (words.size() < 2
                            ? String.join("", words)
                            : String.join(", ", words.subList(0, words.size() - 1)) + " or "
                                    + words.get(words.size() - 1))
                    .replaceFirst("^from (.*)", "$1 or later");
        }
    }

    static Requirement of(Tree.Section row) {
        return new Requirement(
                Words.of(row.text("when")),
                words(row.section("if")),
                words(row.without(OWN.toArray(String[]::new))),
                row.text("except"),
                row.text("because"),
                row.has("do") ? row.text("do") : "remove it");
    }

    private static Map<String, Words> words(Tree.Section section) {
        Map<String, Words> words = new LinkedHashMap<>();
        section.entries().forEach((path, text) -> words.put(path, Words.of(text.line())));
        return words;
    }

    /** True when the row is about each value that somebody wrote. */
    public boolean aboutWritten() {
        return when.words().contains(WRITTEN);
    }

    /** True when the row is about each value but the default. */
    public boolean aboutAny() {
        return when.words().isEmpty();
    }

    /** True when the row is about this value, which differs from the default of the key or not. */
    public boolean about(String value, String fallback) {
        return !value.equals(NONE) && (aboutAny() ? !value.equals(fallback) : when.matches(value));
    }

    /**
     * The sentence about a value that lacks something; empty if it lacks nothing.
     *
     * @param place the path at which the variant has the other value that a condition names
     * @param values the value that a condition names
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
                        + (because.isEmpty() ? "" : ", " + because) + "; " + action;
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
                + (found.equals(NONE) ? ", and there is none" : ", found '" + found + "'");
    }

    /** The row as one line of an explanation. */
    public String line() {
        boolean named = !aboutAny() && !aboutWritten();
        String of = named ? (when.negated() ? "all but " : "") + when.line() + ": " : "";
        return of + lines(conditions) + (given.isEmpty() ? "" : ", with " + lines(given));
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
