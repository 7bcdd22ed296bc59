package weir.results.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a load scales with one setting, as {@code fit} asked: a curve for each group of variants that differ in nothing else.
 *
 * @param scaling the path of the setting
 */
public record ScalingResult(String scaling, List<Curve> curves) {
    /** The share of N times the rate of one below which N do not pay any more. */
    public static final double EFFICIENT = 0.8;

    /** Nothing is said of more than so many times the largest N that was measured. */
    public static final double FARTHEST = 2;

    /** A mean that is further off than this is not described by the law. */
    public static final double FAR = 0.2;

    public ScalingResult {
        curves = List.copyOf(curves);
    }

    /**
     * The law of one group of variants; without a law where too little was measured.
     *
     * @param name what the group differs in from the others; empty where there is one
     * @param law null where there is none
     * @param note why there is none, or empty
     */
    public record Curve(
            String name, List<Point> points, @Nullable Law law, String note) {
        public Curve {
            points = List.copyOf(points);
        }

        /** The largest N that was measured. */
        public double most() {
            return points.get(points.size() - 1).count();
        }
    }

    /** A figure and its 95 % interval. */
    public record Estimate(
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high) {}

    /**
     * The trials of one N.
     *
     * @param rate of records a second
     * @param efficiency the share that this is of N times what one carries, by the trials of the smallest N
     * @param fitted the rate by the law; null without one
     * @param limit of that rate
     */
    public record Point(
            double count,
            int trials,
            Estimate rate,
            Estimate efficiency,
            @Nullable Estimate fitted,
            Limit limit) {
        /** How much more was carried than the law says; null without one. */
        public @Nullable Double off() {
            return fitted == null || fitted.value() == null || rate.value() == null
                    ? null
                    : rate.value() / fitted.value() - 1;
        }

        public boolean far() {
            Double off = off();
            return off != null && Math.abs(off) > FAR;
        }
    }

    /** The part of a test that can do no more. */
    public enum Limited {
        /** The CPU of a machine that generator and brokers share. */
        MACHINE("the machine"),
        GENERATOR("the generator"),
        BROKERS("the brokers"),
        DISK("the disk"),
        OFFERED("the rate that was offered"),
        UNKNOWN("unknown");

        private final String words;

        Limited(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** The limit of a rate, and the reading that tells it. */
    public record Limit(Limited by, String evidence) {
        public static final Limit UNKNOWN = new Limit(Limited.UNKNOWN, "");

        public String text() {
            return by.words() + (evidence.isEmpty() ? "" : " (" + evidence + ")");
        }
    }

    /**
     * X(N) = γN / (1 + σ(N−1) + κN(N−1)).
     *
     * @param rateOfOne γ, in records a second
     * @param contention σ
     * @param coherency κ
     * @param below from which N on the efficiency is below {@link #EFFICIENT}; null where that is farther than is said
     * @param peak beyond which N more carry less; null where that is farther than is said
     * @param line rates by the law, up to the farthest N
     */
    public record Law(
            Estimate rateOfOne,
            Estimate contention,
            Estimate coherency,
            Estimate below,
            Estimate peak,
            List<Fitted> line) {
        public Law {
            line = List.copyOf(line);
        }
    }

    /** The rate of N by the law. */
    public record Fitted(double count, Estimate rate) {}

    /** The last word of the path: producers of load.producers. */
    public String word() {
        return FitResult.word(scaling);
    }

    /** One or two sentences for each curve. */
    public String sentence() {
        return String.join(" ", curves.stream().map(this::sentence).toList());
    }

    /** The answer for one curve. */
    public String sentence(Curve curve) {
        Law law = curve.law();
        String where = curve.name().isEmpty() ? "" : "“" + curve.name() + "”: ";
        if (law == null) {
            String none = "no law of how it scales with " + word() + ": " + curve.note() + ".";
            return where.isEmpty() ? capital(none) : where + none;
        }
        Point last = curve.points().get(curve.points().size() - 1);
        String text = where + "one " + FitResult.one(scaling) + " carries " + rate(law.rateOfOne()) + ", "
                + number(last.count()) + " carry "
                + NumberFormat.rate(last.rate().value()) + " ("
                + share(last.efficiency()) + " efficient); " + efficient(curve, law) + ", and " + peaks(curve, law)
                + ". Limit at " + number(last.count()) + ": " + last.limit().text() + ".";
        return where.isEmpty() ? capital(text) : text;
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private String efficient(Curve curve, Law law) {
        String farthest = number(FARTHEST * curve.most());
        String share = NumberFormat.share(EFFICIENT);
        if (law.below().value() != null) {
            return "efficiency falls below " + share + " at " + counts(law.below(), curve) + " " + word();
        }
        return "efficiency stays above " + share + " up to " + farthest
                + (law.below().low() == null
                        ? ""
                        : ", or falls below it from " + count(law.below().low()) + " on");
    }

    private String peaks(Curve curve, Law law) {
        if (law.peak().value() != null) {
            return "the peak is at " + counts(law.peak(), curve);
        }
        return "no peak is in sight up to " + number(FARTHEST * curve.most())
                + (law.peak().low() == null
                        ? ""
                        : ", though one from " + count(law.peak().low()) + " on is possible");
    }

    /** The terms of the law, with their intervals. */
    public static String terms(Law law) {
        List<String> terms = new ArrayList<>();
        terms.add("γ = " + rate(law.rateOfOne()));
        terms.add("σ = " + term(law.contention()));
        terms.add("κ = " + term(law.coherency()));
        return NumberFormat.listed(terms);
    }

    /** 210k/s [200k/s, 220k/s]. */
    public static String rate(Estimate rate) {
        return NumberFormat.rate(rate.value())
                + (rate.low() == null
                        ? ""
                        : " [" + NumberFormat.rate(rate.low()) + ", "
                                + open(rate.high(), NumberFormat.rate(rate.high())) + "]");
    }

    /** 71 % [68 %, 75 %]. */
    public static String share(Estimate share) {
        return share.value() == null
                ? NumberFormat.MISSING
                : percent(share.value())
                        + (share.low() == null || share.high() == null
                                ? ""
                                : " [" + percent(share.low()) + ", " + percent(share.high()) + "]");
    }

    private static String percent(double share) {
        return NumberFormat.number(Math.rint(share * 1000) / 10) + " %";
    }

    private static String term(Estimate term) {
        return small(term.value())
                + (term.low() == null
                        ? ""
                        : " [" + small(term.low()) + ", " + open(term.high(), small(term.high())) + "]");
    }

    private static String open(@Nullable Double end, String text) {
        return end == null ? "…" : text;
    }

    private static String small(@Nullable Double value) {
        return value == null
                ? NumberFormat.MISSING
                : value > 0 && value < 0.0995
                        ? new BigDecimal(value)
                                .round(new MathContext(2))
                                .stripTrailingZeros()
                                .toPlainString()
                        : NumberFormat.threeDigits(value);
    }

    /** The first whole N, and its interval; an end that lies farther than is said has no number. */
    private String counts(Estimate counts, Curve curve) {
        if (counts.low() == null) {
            return count(counts.value());
        }
        String high = counts.high() == null ? "more than " + number(FARTHEST * curve.most()) : count(counts.high());
        return count(counts.value()) + " [" + count(counts.low()) + ", " + high + "]";
    }

    private static String count(@Nullable Double count) {
        return count == null ? NumberFormat.MISSING : NumberFormat.number(Math.ceil(count));
    }

    private static String number(double count) {
        return NumberFormat.number(count);
    }
}
