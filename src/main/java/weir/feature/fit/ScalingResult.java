package weir.feature.fit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.results.RunResult.ModelResult;
import weir.results.value.NumberFormat;

/** The scaling of a load with one setting: a curve for each group of variants that differ only in this setting. */
public record ScalingResult(String scaling, List<Curve> curves) implements ModelResult {
    /** The efficiency X(N) / γN below which the report calls a larger N inefficient. */
    public static final double EFFICIENT = 0.8;

    /** The limit of predictions as a multiple of the largest measured N, unless a larger N carried nothing. */
    public static final double FARTHEST = 2;

    /** The relative error of a mean rate above which the law does not describe it. */
    public static final double FAR = 0.2;

    private static final int ENOUGH = 4;

    /** Maximum ratio of the two ends of γ's interval. Above it the rates do not determine the law. */
    public static final double VAGUE = 3;

    public ScalingResult {
        curves = List.copyOf(curves);
    }

    /**
     * The law of one group of variants.
     *
     * @param name settings by which the group differs from the other groups; empty with one group
     * @param law the fitted law; null with too few measurements
     * @param note reason why there is no law, and the excluded trials; empty if neither applies
     */
    public record Curve(
            String name, List<Point> points, @Nullable Law law, String note) {
        public Curve {
            points = List.copyOf(points);
        }

        Point last() {
            return points.get(points.size() - 1);
        }

        /** True if N = 1 was measured. Efficiencies then refer to its rate, otherwise to γ. */
        public boolean hasOne() {
            return !points.isEmpty() && points.get(0).count() == 1;
        }

        public String efficiency(Point point) {
            return share(point.efficiency()) + (hasOne() || point.efficiency().value() == null ? "" : " by the law");
        }
    }

    public record Estimate(
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high) {}

    /**
     * The trials of one N.
     *
     * @param rate records per second
     * @param efficiency share of N times the measured rate at N = 1, or of N times γ without that rate
     * @param fitted rate by the law; null without a law
     */
    public record Point(
            double count,
            int trials,
            Estimate rate,
            Estimate efficiency,
            @Nullable Estimate fitted,
            Limit limit) {
        /** Returns {@code rate / fitted - 1}; null without a law. */
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

    public enum Limited {
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

    public record Limit(Limited by, String evidence) {
        public static final Limit UNKNOWN = new Limit(Limited.UNKNOWN, "");

        public String text() {
            return by.words() + (evidence.isEmpty() ? "" : " (" + evidence + ")");
        }
    }

    /**
     * X(N) = γN / (1 + σ(N−1) + κN(N−1)).
     *
     * @param rateOfOne γ, in records per second
     * @param contention σ
     * @param coherency κ
     * @param below N from which the efficiency is below {@link #EFFICIENT}; null beyond the limit of predictions
     * @param peak N with the highest rate; null beyond the limit of predictions
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

        /** Returns the limit of predictions. */
        double farthest() {
            return line.get(line.size() - 1).count();
        }

        public boolean vague() {
            Double low = rateOfOne.low();
            Double high = rateOfOne.high();
            return low == null || high == null || high > VAGUE * low;
        }
    }

    public record Fitted(double count, Estimate rate) {}

    public String word() {
        return FitResult.word(scaling);
    }

    @Override
    public boolean found() {
        return curves.stream().anyMatch(curve -> curve.law() != null);
    }

    @Override
    public List<String> sentences() {
        return curves.stream().flatMap(curve -> sentences(curve).stream()).toList();
    }

    public List<String> sentences(Curve curve) {
        Law law = curve.law();
        List<String> sentences = new ArrayList<>();
        if (law == null) {
            sentences.add("no scaling law for " + word() + ": " + curve.note() + ".");
        } else {
            sentences.addAll(law.vague() ? vague(curve) : found(curve, law));
            sentences.add(limit(curve));
            if (!curve.note().isEmpty()) {
                sentences.add(NumberFormat.capital(curve.note()) + ".");
            }
        }
        sentences.set(
                0,
                curve.name().isEmpty()
                        ? NumberFormat.capital(sentences.get(0))
                        : "“" + curve.name() + "”: " + sentences.get(0));
        return sentences;
    }

    private List<String> vague(Curve curve) {
        boolean few = curve.points().stream().anyMatch(point -> point.trials() < ENOUGH);
        return few
                ? List.of(
                        "too few trials for a scaling law for " + word() + ": " + measured(curve) + ".",
                        "Repeat each number at least " + ENOUGH + " times (repeat: " + ENOUGH + ")"
                                + (curve.hasOne() ? "." : ", and add trials with the number 1."))
                : List.of(
                        "many scaling laws for " + word() + " agree with the measured rates, so Weir names none: "
                                + measured(curve) + ".",
                        "Measure " + (curve.hasOne() ? "" : "the number 1, and ") + "more numbers.");
    }

    private String measured(Curve curve) {
        Point first = curve.points().get(0);
        Point last = curve.last();
        return number(first.count()) + " carried "
                + NumberFormat.rate(first.rate().value()) + " and "
                + number(last.count()) + " carried "
                + NumberFormat.rate(last.rate().value())
                + (curve.hasOne()
                        ? ", " + share(last.efficiency()) + " of " + number(last.count()) + " times the first rate"
                        : "");
    }

    private List<String> found(Curve curve, Law law) {
        Point first = curve.points().get(0);
        Point last = curve.last();
        String one = "one " + FitResult.one(scaling);
        return List.of(
                (curve.hasOne()
                                ? one + " carries " + rate(first.rate())
                                : one + ", which was not measured, carries " + rate(law.rateOfOne())
                                        + " by the fitted law")
                        + "; " + number(last.count()) + " " + word() + " carry "
                        + NumberFormat.rate(last.rate().value())
                        + ", " + share(last.efficiency()) + " of " + number(last.count()) + " times that rate.",
                "By the fitted law, the efficiency " + efficient(law) + ", and " + peaks(law) + ".");
    }

    private String limit(Curve curve) {
        return "The limit at " + number(curve.last().count()) + " " + word() + " is "
                + curve.last().limit().text() + ".";
    }

    private String efficient(Law law) {
        String share = NumberFormat.share(EFFICIENT);
        if (law.below().value() != null) {
            return "falls below " + share + " at " + counts(law.below(), law) + " " + word();
        }
        return "stays above " + share + " up to " + number(law.farthest())
                + (law.below().low() == null
                        ? ""
                        : ", but it may fall below " + share + " at "
                                + count(law.below().low()) + " " + word() + " or more");
    }

    private static String peaks(Law law) {
        if (law.peak().value() != null) {
            return "the peak is at " + counts(law.peak(), law);
        }
        return "there is no peak up to " + number(law.farthest())
                + (law.peak().low() == null
                        ? ""
                        : ", but there may be a peak from " + count(law.peak().low()) + " on");
    }

    public static String terms(Law law) {
        return NumberFormat.listed(List.of(
                "γ = " + rate(law.rateOfOne()),
                "σ = " + interval(law.contention(), ScalingResult::small, "…"),
                "κ = " + interval(law.coherency(), ScalingResult::small, "…")));
    }

    public static String rate(Estimate rate) {
        return interval(rate, NumberFormat::rate, "…");
    }

    /** {@code open} is the text for an unknown upper end. */
    private static String interval(Estimate of, Function<@Nullable Double, String> text, String open) {
        return text.apply(of.value())
                + (of.low() == null
                        ? ""
                        : " [" + text.apply(of.low()) + ", " + (of.high() == null ? open : text.apply(of.high()))
                                + "]");
    }

    public static String share(Estimate share) {
        return share.value() == null
                ? NumberFormat.MISSING
                : percent(share.value()) + NumberFormat.interval(share.low(), share.high(), ScalingResult::percent);
    }

    private static String percent(double share) {
        return NumberFormat.number(Math.rint(share * 1000) / 10) + " %";
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

    private static String counts(Estimate counts, Law law) {
        return interval(counts, ScalingResult::count, "more than " + number(law.farthest()));
    }

    private static String count(@Nullable Double count) {
        return count == null ? NumberFormat.MISSING : NumberFormat.number(Math.ceil(count));
    }

    private static String number(double count) {
        return NumberFormat.number(count);
    }
}
