package weir.plan.syntax;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import weir.plan.ByteSize;
import weir.plan.Rate;
import weir.plan.Ratio;

/** A parser of amounts with units. Its errors show the accepted notations. */
public final class Units {
    private static final String DIGITS = "([0-9]{1,18}(?:\\.[0-9]{1,9})?)";
    static final Pattern COUNT = Pattern.compile(DIGITS + "(k|M|G|)");
    static final Pattern SIZE = Pattern.compile(DIGITS + " ?(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB|)");
    public static final Pattern DURATION = Pattern.compile(DIGITS + " ?(ns|us|ms|s|m|h)");
    static final Pattern PERCENT = Pattern.compile(DIGITS + " ?%");
    public static final Pattern RATE = Pattern.compile(DIGITS + " ?(k|M|G|B|kB|MB|GB|KiB|MiB|GiB|)/s");

    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofDays(100).toNanos());
    private static final BigDecimal MOST_OPERATIONS = BigDecimal.valueOf(Rate.MOST_OPERATIONS);
    private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(1_000_000_000_000L);
    private static final Map<String, Long> SCALES = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("B", 1L),
            Map.entry("k", 1_000L),
            Map.entry("kB", 1_000L),
            Map.entry("M", 1_000_000L),
            Map.entry("MB", 1_000_000L),
            Map.entry("G", 1_000_000_000L),
            Map.entry("GB", 1_000_000_000L),
            Map.entry("TB", 1_000_000_000_000L),
            Map.entry("KiB", 1L << 10),
            Map.entry("MiB", 1L << 20),
            Map.entry("GiB", 1L << 30),
            Map.entry("TiB", 1L << 40));
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private Units() {}

    public static IllegalArgumentException unreadable(String text, String what, String example) {
        return new IllegalArgumentException("'" + text + "' is not " + what + "; write it like " + example);
    }

    public static long count(String text) {
        Matcher m = COUNT.matcher(text);
        if (m.matches()) {
            BigDecimal scaled = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(scale(m.group(2))));
            return whole(scaled, text);
        }
        throw unreadable(text, "a whole number", "3, 10k or 1.5M");
    }

    public static int smallCount(String text) {
        long count = count(text);
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("must be at most " + Integer.MAX_VALUE + ", found '" + text + "'");
        }
        return (int) count;
    }

    public static long records(String text) {
        return count(text.endsWith(" records") ? text.substring(0, text.length() - " records".length()) : text);
    }

    public static long integer(String text) {
        if (text.matches("-?[0-9]{1,18}")) {
            return Long.parseLong(text);
        }
        throw unreadable(text, "a whole number", "1 or 42");
    }

    /** The number in a setting such as 100, 10k, 100 records or 0.5; null if the setting is not a number. */
    public static @Nullable Double number(String value) {
        try {
            return value.matches(ScalarType.DECIMAL.pattern()) ? decimal(value) : (double) records(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public static double decimal(String text) {
        if (text.matches(DIGITS)) {
            return Double.parseDouble(text);
        }
        throw unreadable(text, "a number", "1 or 0.99");
    }

    public static ByteSize size(String text) {
        Matcher m = SIZE.matcher(text);
        if (m.matches()) {
            return new ByteSize(
                    whole(new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(scale(m.group(2)))), text));
        }
        if (text.matches(DIGITS + " ?(KB|kb|mb|gb|k|K|M|G)")) {
            throw new IllegalArgumentException(
                    "'" + text + "' has an ambiguous unit; write kB, MB, GB (powers of 1000) or KiB, MiB, GiB (1024)");
        }
        throw unreadable(text, "a size", "250B, 1KiB or 10GB");
    }

    public static Duration duration(String text) {
        Matcher m = DURATION.matcher(text);
        if (m.matches()) {
            long unit = NANOS.getOrDefault(m.group(2), 1L);
            BigDecimal nanos = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(unit));
            if (nanos.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("must be at most 100 days, found '" + text + "'");
            }
            return Duration.ofNanos(nanos.longValue());
        }
        if (text.matches(DIGITS)) {
            throw new IllegalArgumentException("'" + text + "' has no unit; write " + text + "s or " + text + "ms");
        }
        throw unreadable(text, "a duration", "100ms, 30s or 2m");
    }

    public static Ratio percent(String text) {
        Matcher m = PERCENT.matcher(text);
        if (m.matches()) {
            return new Ratio(new BigDecimal(m.group(1)).movePointLeft(2).doubleValue());
        }
        throw unreadable(text, "a percentage", "5% or 0.5%");
    }

    /** Reads a percentage of at most 100 %. */
    public static Ratio share(String text) {
        Ratio ratio = percent(text);
        if (ratio.share() > 1) {
            throw new IllegalArgumentException("must be at most 100%, found '" + text + "'");
        }
        return ratio;
    }

    public static Rate rate(String text) {
        Matcher m = RATE.matcher(text);
        if (m.matches()) {
            Rate.Unit unit = m.group(2).endsWith("B") ? Rate.Unit.BYTES : Rate.Unit.OPERATIONS;
            BigDecimal perSecond = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(scale(m.group(2))));
            if (perSecond.compareTo(unit == Rate.Unit.BYTES ? MOST_BYTES : MOST_OPERATIONS) > 0) {
                throw new IllegalArgumentException("must be at most " + (unit == Rate.Unit.BYTES ? "1000GB/s" : "1G/s")
                        + ", found '" + text + "'");
            }
            return new Rate(perSecond.doubleValue(), unit);
        }
        if (text.matches(DIGITS + "(k|M|G|)")) {
            throw new IllegalArgumentException("'" + text + "' is not a rate; write " + text + "/s");
        }
        throw unreadable(text, "a rate", "500/s, 50k/s or 1.5M/s");
    }

    public static ByteSize byteRate(String text) {
        if (text.endsWith("/s") && RATE.matcher(text).matches() && rate(text).unit() == Rate.Unit.BYTES) {
            return new ByteSize((long) rate(text).perSecond());
        }
        throw unreadable(text, "bytes per second", "50MiB/s");
    }

    private static long scale(String unit) {
        return SCALES.getOrDefault(unit, 1L);
    }

    private static long whole(BigDecimal number, String text) {
        try {
            return number.longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number, or too large", e);
        }
    }
}
