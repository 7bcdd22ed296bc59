package weir.feature.imports;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
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

    /** The conversions of values, by their names in the field {@code as} of a row. */
    static final class ValueForm {
        private static final Map<String, UnaryOperator<String>> ALL = Map.of(
                "name",
                ValueForm::name,
                "one",
                value -> "1",
                "percent",
                share -> number(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%",
                "duration",
                ValueForm::duration,
                "millis",
                ValueForm::millis,
                "file",
                ValueForm::file);

        private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|h|m|s)");
        private static final BigDecimal SECOND = BigDecimal.valueOf(1_000);
        private static final Map<String, BigDecimal> MILLIS_OF =
                Map.of("s", SECOND, "m", BigDecimal.valueOf(60_000), "h", BigDecimal.valueOf(3_600_000));
        private static final int LONGEST_NAME = 40;

        private ValueForm() {}

        static String convert(String form, String value) {
            return ALL.getOrDefault(form, UnaryOperator.identity()).apply(value);
        }

        static BigDecimal number(String text) {
            if (!text.matches("-?[0-9]{1,15}(\\.[0-9]{1,9})?")) {
                throw new IllegalArgumentException("must be a number, found '" + text + "'");
            }
            return new BigDecimal(text);
        }

        /** The topic of a name in which ranges and a partition may follow, such as {@code foo[1-3]:[0-2]}. */
        static String topic(String name) {
            return name.replaceFirst(":.*", "")
                    .replaceAll("\\[[0-9]+-[0-9]+]", "")
                    .replaceAll("[^A-Za-z0-9._-]", "-");
        }

        private static String name(String text) {
            String name =
                    text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
            return name.substring(0, Math.min(name.length(), LONGEST_NAME)).replaceAll("-$", "");
        }

        /** A duration such as 1m30s. A number without a unit is milliseconds. */
        private static String duration(String text) {
            Matcher part = PART.matcher(text.matches("[0-9]+") ? text + "ms" : text);
            if (!part.replaceAll("").isEmpty()) {
                throw new IllegalArgumentException("must be a duration such as 1m30s, found '" + text + "'");
            }
            BigDecimal millis = part.reset()
                    .results()
                    .map(one -> number(one.group(1)).multiply(MILLIS_OF.getOrDefault(one.group(2), BigDecimal.ONE)))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            return millis.remainder(SECOND).signum() == 0
                    ? millis.divide(SECOND).toBigInteger() + "s"
                    : millis + "ms";
        }

        /** A duration as a number of milliseconds. A number without a unit is nanoseconds. */
        private static String millis(String text) {
            if (text.matches("[0-9]+")) {
                return number(text).movePointLeft(6).toBigInteger().toString();
            }
            String duration = duration(text);
            return duration.endsWith("ms") ? duration.replace("ms", "") : duration.replace("s", "000");
        }

        private static String file(String name) {
            if (!Files.isRegularFile(Path.of(name))) {
                throw new IllegalArgumentException(
                        "this file does not exist here; run weir import in the folder where the path is valid");
            }
            return Path.of(name).toAbsolutePath().normalize().toString();
        }
    }
}
