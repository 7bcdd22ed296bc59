package weir.feature.imports;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.plan.syntax.Tree;

/** A row of a table: a key of another tool, with the Weir key or the reason why it has none. */
record ImportRow(Tree.Section row) {
    boolean names(String key) {
        return from().matcher(key).matches();
    }

    /** The parts of {@code key} that the stars stand for; empty if the row does not apply to this key and value. */
    Optional<List<String>> stars(String key, Map<String, String> values) {
        Matcher found = from().matcher(key);
        boolean applies = found.matches()
                && holds(values)
                && (!row.has("is") || values.getOrDefault(key, "").matches(row.text("is")));
        if (!applies) {
            return Optional.empty();
        }
        List<String> stars = new ArrayList<>();
        for (int i = 1; i <= found.groupCount(); i++) {
            if (found.group(i) != null) {
                stars.add(found.group(i));
            }
        }
        return Optional.of(stars);
    }

    boolean holds(Map<String, String> values) {
        return row.section("when").entries().entrySet().stream()
                .allMatch(when -> values.getOrDefault(when.getKey(), "")
                        .matches(when.getValue().line()));
    }

    boolean always() {
        return !row.has("from");
    }

    /** True for a row about all keys with a prefix, which rows about one key override. */
    boolean rest() {
        return row.texts("from").stream().anyMatch(key -> key.endsWith("*"));
    }

    String text(String field) {
        return row.text(field);
    }

    List<String> texts(String field) {
        return row.texts(field);
    }

    /** The segments of the Weir key. A star stands for the next part of the source key, {@code =} for the value. */
    List<String> path(List<String> stars, String value, Map<String, String> values) {
        String name = row.texts("of").stream()
                .map(key -> values.getOrDefault(key, ""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(value);
        List<String> path = new ArrayList<>();
        int star = 0;
        for (String segment : row.text("to").split("\\.", -1)) {
            String part = segment.equals("*") ? stars.get(star++) : segment.equals("=") ? name : segment;
            path.add(path.equals(List.of("topics")) ? ValueForm.topic(part) : part);
        }
        return path;
    }

    /**
     * The value in the experiment file.
     *
     * @throws IllegalArgumentException if the source's value has another form
     */
    String value(String value, Map<String, String> values) {
        String text = ValueForm.convert(row.text("as"), value);
        if (row.has("words")) {
            if (!row.section("words").has(text)) {
                throw new IllegalArgumentException("this value has no equivalent");
            }
            text = row.section("words").text(text);
        }
        if (row.has("times") || row.has("per") || row.has("minus") || row.has("most")) {
            BigDecimal number = ValueForm.number(text);
            for (String key : row.texts("times")) {
                number = number.multiply(factor(key, values));
            }
            for (String key : row.texts("minus")) {
                number = number.subtract(ValueForm.number(values.getOrDefault(key, "0")));
            }
            for (String key : row.texts("per")) {
                number = number.divide(factor(key, values), MathContext.DECIMAL32);
            }
            text = (row.has("most") ? number.min(BigDecimal.valueOf(row.count("most"))) : number).toPlainString();
        }
        return row.has("write") ? row.text("write").replace("%s", text) : text;
    }

    /** The value of a key, or a number itself. An absent key is 1. */
    private static BigDecimal factor(String key, Map<String, String> values) {
        return ValueForm.number(values.getOrDefault(key, key.matches("[0-9]+") ? key : "1"));
    }

    private Pattern from() {
        return Pattern.compile(row.texts("from").stream()
                .map(key -> "\\Q" + key.replace("*", "\\E(.+?)\\Q") + "\\E")
                .collect(Collectors.joining("|")));
    }
}
