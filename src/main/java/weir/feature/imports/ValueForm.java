package weir.feature.imports;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The conversions of values, by their names in the field {@code as} of a row. */
final class ValueForm {
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
        return name.replaceFirst(":.*", "").replaceAll("\\[[0-9]+-[0-9]+]", "").replaceAll("[^A-Za-z0-9._-]", "-");
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
        return millis.remainder(SECOND).signum() == 0 ? millis.divide(SECOND).toBigInteger() + "s" : millis + "ms";
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
