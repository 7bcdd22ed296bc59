package weir.results.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import weir.measure.Latency;
import weir.plan.Metric;
import weir.plan.syntax.Glossary;

/** The format of figures in reports: thousands with commas, and no more digits than are exact. */
public final class NumberFormat {
    public static final String MISSING = "–";

    /** The suffix of a percentile with fewer than ten values above it. */
    public static final String THIN = " (thin)";

    public static final String CPU = "CPU per record";

    private static final int LONGEST_NAME = 32;

    private static final Pattern FILE_RATE = Pattern.compile("(?<![0-9.,])([0-9]{1,15}(?:\\.[0-9]{1,9})?)([kMG]?)/s");

    private NumberFormat() {}

    public static String rate(@Nullable Double perSecond) {
        return perSecond == null ? MISSING : number(perSecond) + "/s";
    }

    /** Writes a step's rate with commas: 5,000/s for 5000/s, 10,000/s for 10k/s. */
    public static String step(String label) {
        return FILE_RATE.matcher(label).replaceAll(found -> rate(perSecond(found)));
    }

    public static List<Double> rates(String text) {
        return FILE_RATE.matcher(text).results().map(NumberFormat::perSecond).toList();
    }

    private static double perSecond(MatchResult found) {
        String unit = found.group(2);
        double power = unit.isEmpty() ? 1 : unit.equals("k") ? 1e3 : unit.equals("M") ? 1e6 : 1e9;
        return Double.parseDouble(found.group(1)) * power;
    }

    /** Writes a latency with three digits: 0.81 ms, 4.12 ms, 310 ms, 12.4 s. */
    public static String millis(@Nullable Double millis) {
        if (millis == null || Double.isNaN(millis)) {
            return MISSING;
        }
        return millis >= 9_995 ? steady(millis / 1000) + " s" : steady(millis) + " ms";
    }

    /**
     * A percentile of a latency (100 is the maximum) with its error. The text marks a lower bound, and a percentile
     * with fewer than ten values above it.
     */
    public static String latency(LatencyResult latency, double percentile) {
        Double figure = latency.at(percentile);
        boolean counted = figure != null && latency.samples() != null;
        boolean thin = counted && percentile < 100 && Latency.thin(latency.count(), percentile);
        return (figure != null && latency.isBound(percentile) ? "≥ " : "")
                + millis(figure)
                + error(latency, figure)
                + (thin ? THIN : "");
    }

    private static String error(LatencyResult latency, @Nullable Double figure) {
        return figure == null || latency.error() == null ? "" : " ± " + millis(latency.error());
    }

    public static String micros(@Nullable Double micros) {
        return quantity(micros, " \u00b5s");
    }

    /** The mean of a latency, marked as a lower bound if some messages never ended. */
    public static String mean(LatencyResult latency) {
        Double mean = latency.mean();
        return (mean != null && latency.atLeastBeyond() != null ? "≥ " : "") + millis(mean) + error(latency, mean);
    }

    /** Writes a share with enough digits to distinguish it from 100 %: 97 %, 99.6 %, 99.98 %. */
    public static String percent(@Nullable Double share) {
        if (share == null || Double.isNaN(share)) {
            return MISSING;
        }
        double percent = share * 100;
        double missing = Math.abs(100 - percent);
        int digits = missing >= 2 || missing < 0.005 ? 0 : missing >= 0.1 ? 1 : 2;
        // Rounding must not change "almost all" to "all", or to the sufficient share.
        boolean almost = percent >= 90 && percent < 100;
        double floored = almost ? Math.floor(percent * Math.pow(10, digits)) / Math.pow(10, digits) : percent;
        return String.format(Locale.ROOT, "%." + digits + "f %%", missing < 0.005 ? 100.0 : floored);
    }

    public static String count(@Nullable Long count) {
        return count == null ? MISSING : String.format(Locale.ROOT, "%,d", count);
    }

    public static String mebibytes(@Nullable Double perSecond) {
        return perSecond == null ? MISSING : threeDigits(perSecond) + " MiB/s";
    }

    /** Returns text such as 1.13×. Small ratios have two digits: 0.00039×. */
    public static String times(@Nullable Double ratio) {
        if (ratio == null) {
            return MISSING;
        }
        if (ratio > 0 && ratio < 0.0995) {
            return new BigDecimal(ratio).round(new MathContext(2)).toPlainString() + "×";
        }
        return (ratio >= 10 ? threeDigits(ratio) : String.format(Locale.ROOT, "%.2f", ratio)) + "×";
    }

    /** A share of a difference, which may be above 100 % or negative: 62 %, -12 %. */
    public static String share(double share) {
        return number(share * 100) + " %";
    }

    /** Writes the smallest detectable ratio as a change: 1.042 is 4.2 %, 3.1 stays 3.1×. */
    public static String change(@Nullable Double visible) {
        if (visible == null || visible >= 2) {
            return times(visible);
        }
        return threeDigits(Math.round((visible - 1) * 1000) / 10.0) + " %";
    }

    /** Writes a ratio as a change with its sign: +5.2 %, −0.4 %. Ratios above 2 or below 0.5 stay ratios. */
    public static String gain(@Nullable Double ratio) {
        if (ratio == null || ratio >= 2 || ratio <= 0.5) {
            return times(ratio);
        }
        String percent = threeDigits(Math.abs(Math.round((ratio - 1) * 1000) / 10.0));
        return (percent.equals("0") ? "±" : ratio > 1 ? "+" : "−") + percent + " %";
    }

    /** Writes a metric's figure in its unit: response p99 in milliseconds, acked/s as a rate, losses as a count. */
    public static String figure(String metric, @Nullable Double figure) {
        if (figure == null) {
            return MISSING;
        }
        if (metric.equals(CPU)) {
            return micros(figure);
        }
        Metric known = Glossary.metrics().get(metric.replaceFirst(" .*", ""));
        return switch (known == null ? Metric.Kind.COUNT : known.kind()) {
            case LATENCY -> millis(figure);
            case SPAN -> seconds(figure);
            case RATE, SEARCH -> rate(figure);
            case LAG, COUNT -> count(Math.round(figure));
            case SHARE -> percent(figure);
        };
    }

    /** The unit of a metric's figures, such as ms; empty for a count. */
    public static String unit(String metric) {
        return figure(metric, 1.0).replaceFirst("^[0-9.,]+\\s*", "");
    }

    /** Formats seconds in the best unit: 45 s, 2.5 min, 1.2 h. */
    public static String seconds(@Nullable Double seconds) {
        if (seconds == null) {
            return MISSING;
        }
        if (seconds < 120) {
            return threeDigits(seconds) + " s";
        }
        return seconds < 7200 ? threeDigits(seconds / 60) + " min" : threeDigits(seconds / 3600) + " h";
    }

    /** A number without a unit: whole above a hundred, else with three digits. */
    public static String number(@Nullable Double value) {
        if (value == null || Double.isNaN(value)) {
            return MISSING;
        }
        return Math.abs(value) >= 100 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : threeDigits(value);
    }

    /** A figure with its unit, such as " ms". A missing figure has no unit. */
    public static String quantity(@Nullable Double value, String unit) {
        return value == null || Double.isNaN(value) ? MISSING : number(value) + unit;
    }

    public static String threeDigits(double value) {
        String text = steady(value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    private static String steady(double value) {
        double size = Math.abs(value);
        if (size >= 99.95) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size > 0 && size < 0.0095) {
            return new BigDecimal(value)
                    .round(new MathContext(2))
                    .stripTrailingZeros()
                    .toPlainString();
        }
        return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : "%.2f", value);
    }

    /** The name of a variant in quotes for a sentence. A long name is shortened in the middle. */
    public static String quoted(String name) {
        int half = (LONGEST_NAME - 1) / 2;
        return "“"
                + (name.length() <= LONGEST_NAME
                        ? name
                        : name.substring(0, half) + "…" + name.substring(name.length() - half))
                + "”";
    }

    /** Shortens a text to at most this number of characters, and marks the cut. */
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    public static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** Returns text such as " [1.02×, 1.31×]" for a figure; empty if an end is unknown. */
    public static String interval(@Nullable Double low, @Nullable Double high, Function<Double, String> end) {
        return low == null || high == null ? "" : " [" + end.apply(low) + ", " + end.apply(high) + "]";
    }

    /** Joins texts: one, two and three. */
    public static String listed(List<String> parts) {
        if (parts.size() < 2) {
            return String.join("", parts);
        }
        return String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.get(parts.size() - 1);
    }
}
