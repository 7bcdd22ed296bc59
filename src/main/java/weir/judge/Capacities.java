package weir.judge;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Known;
import weir.plan.CompareSpec;
import weir.plan.Variant;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;

/**
 * A comparison of the capacities that searches found. The ratio divides the two rates. Its interval is {@code a.low /
 * b.high} to {@code a.high / b.low}, with at least 90 % confidence. Two capacities differ if it excludes 1.
 */
public final class Capacities {
    private static final double WIDE = 2;

    private Capacities() {}

    /**
     * Compares the requested pairs with two capacities, and each capacity after operations with the one before. Skips
     * recovery shares.
     */
    public static List<ComparisonResult> compared(List<CompareSpec> pairs, List<CapacityResult> found) {
        List<CompareSpec> all = new ArrayList<>(pairs);
        found.stream()
                .filter(Capacities::afterOperations)
                .forEach(after -> all.add(new CompareSpec.Over(after.of(), Variant.nameBefore(after.of()))));
        List<ComparisonResult> compared = new ArrayList<>();
        for (CompareSpec pair : all) {
            if (pair instanceof CompareSpec.Over over) {
                for (CapacityResult a : named(over.a(), found)) {
                    named(over.b(), found).forEach(b -> compared.add(comparison(a, b)));
                }
            }
        }
        return compared;
    }

    public static boolean afterOperations(CapacityResult result) {
        return !Variant.nameBefore(result.of()).equals(result.of());
    }

    private static List<CapacityResult> named(String variant, List<CapacityResult> found) {
        return found.stream().filter(result -> result.of().equals(variant)).toList();
    }

    /**
     * If one upper end is unknown, one end of the ratio's interval is unknown. Without both upper ends, or without a
     * capacity, there is no ratio.
     */
    public static ComparisonResult comparison(CapacityResult a, CapacityResult b) {
        boolean known = a.rate() != null && b.rate() != null && a.low() != null && b.low() != null;
        Double low = !known || b.high() == null ? null : Known.of(Known.orNaN(a.low()) / b.high());
        Double high = !known || a.high() == null ? null : Known.of(a.high() / Known.orNaN(b.low()));
        String verdict = low == null && high == null
                ? Comparisons.NO_VERDICT
                : low != null && low > 1
                        ? Comparisons.BETTER
                        : high != null && high < 1 ? Comparisons.WORSE : Comparisons.SAME;
        return new ComparisonResult(
                a.of(),
                b.of(),
                null,
                CapacityResult.METRIC,
                a.rate(),
                b.rate(),
                low == null && high == null ? null : Known.of(Known.orNaN(a.rate()) / Known.orNaN(b.rate())),
                low,
                high,
                verdict,
                low == null || high == null ? null : Double.valueOf(Math.sqrt(high / low)),
                List.of(),
                "",
                List.of());
    }

    /** Returns one clause for each variant. */
    public static List<String> clauses(List<CapacityResult> found) {
        Map<String, List<CapacityResult>> variants = found.stream()
                .collect(Collectors.groupingBy(
                        result -> Variant.nameBefore(result.of()), LinkedHashMap::new, Collectors.toList()));
        boolean single = variants.size() == 1;
        List<String> clauses = new ArrayList<>();
        variants.forEach((name, own) -> {
            String words = own.size() == 1 ? words(own.get(0), single) : words(own.get(0), own.get(1), single);
            clauses.add(single ? NumberFormat.capital(words) : NumberFormat.quoted(name) + " " + words);
        });
        return clauses;
    }

    private static String words(CapacityResult before, CapacityResult after, boolean limits) {
        ComparisonResult compared = comparison(after, before);
        return "sustains " + sustained(before) + (limits ? kept(before) : "") + ", and " + sustained(after)
                + after.of().substring(before.of().length())
                + (compared.ratio() == null ? "" : ": " + compared.text() + ", " + compared.verdict())
                + "; before: " + before.reason() + "; after: " + after.reason();
    }

    private static String sustained(CapacityResult result) {
        return result.rate() == null ? "no rate" : (wide(result) ? "a rate " : "") + answer(result);
    }

    private static String kept(CapacityResult result) {
        return result.limits().isEmpty() ? "" : " with " + limits(result);
    }

    private static String words(CapacityResult result, boolean limits) {
        if (result.rate() == null) {
            return result.reason();
        }
        String kept = limits ? kept(result) : "";
        if (wide(result)) {
            return undecided(result) + kept + ": " + NumberFormat.rate(result.rate()) + " was sustained; "
                    + result.reason();
        }
        String sustained = "sustains " + NumberFormat.rate(result.rate()) + " " + interval(result) + kept;
        return sustained
                + (result.reason().startsWith("it sustains ") ? ", the highest allowed rate" : "; " + result.reason());
    }

    public static String answer(CapacityResult result) {
        return result.rate() == null
                ? "no rate is sustained"
                : wide(result) ? undecided(result) : NumberFormat.rate(result.rate()) + " " + interval(result);
    }

    private static String undecided(CapacityResult result) {
        return "undecided between " + NumberFormat.rate(result.low()) + " and " + NumberFormat.rate(result.high());
    }

    public static String refusedBelow(CapacityResult result) {
        return result.low() == null
                ? ""
                : result.tried().stream()
                        .filter(one -> one.outcome() == Attempt.Outcome.REFUSED && one.rate() < result.low())
                        .map(one -> "trial " + one.trial() + " at " + NumberFormat.rate(one.rate())
                                + " (below the interval) was not sustained: " + one.why())
                        .collect(Collectors.joining("; "));
    }

    public static boolean wide(CapacityResult result) {
        return result.low() != null && result.high() != null && result.high() > WIDE * result.low();
    }

    /** Formats {@code [40,900, 42,800]}, with a question mark for an unknown end. */
    public static String interval(CapacityResult result) {
        return "[" + end(result.low()) + ", " + end(result.high()) + "]";
    }

    private static String end(@Nullable Double end) {
        return end == null ? "?" : NumberFormat.number(end);
    }

    public static String limits(CapacityResult result) {
        return NumberFormat.listed(result.limits().stream()
                .map(limit -> limit.replace(" <= ", " at most ")
                        .replace(" >= ", " at least ")
                        .replace(" < ", " below ")
                        .replace(" > ", " above ")
                        .replace(" == ", " ")
                        .replaceAll("(\\d)(ms|us|s|%)(?![a-z/])", "$1 $2"))
                .toList());
    }

    public static String trials(List<CapacityResult> found) {
        List<Attempt> tried =
                found.stream().flatMap(result -> result.tried().stream()).toList();
        List<Attempt> usual = tried.stream().filter(one -> !one.confirmation()).toList();
        int longer = tried.size() - usual.size();
        String trials = (tried.size() == 1 ? "one search trial" : tried.size() + " search trials")
                + (longer == 0 ? "" : ": " + usual.size())
                + lengths(" of ", usual)
                + (longer == 0 ? "" : " and " + longer + " longer");
        long answers = found.stream().filter(result -> result.rate() != null).count();
        List<Attempt> confirmed =
                found.stream().flatMap(Capacities::confirmation).toList();
        if (answers == 0) {
            return trials;
        }
        return trials
                + (found.stream().anyMatch(Capacities::wide) ? ", the highest sustained rate" : ", the answer")
                + (answers == 1 ? " " : "s ")
                + (confirmed.size() < answers
                        ? "not confirmed by a longer trial"
                        : "sustained" + lengths(" for ", confirmed));
    }

    private static Stream<Attempt> confirmation(CapacityResult result) {
        return result.tried().stream()
                .filter(one -> one.confirmation()
                        && one.outcome() == Attempt.Outcome.SUSTAINED
                        && Objects.equals(one.rate(), result.rate()))
                .limit(1);
    }

    private static String lengths(String before, List<Attempt> tried) {
        DoubleSummaryStatistics seconds = tried.stream()
                .filter(one -> one.outcome() == Attempt.Outcome.SUSTAINED)
                .mapToDouble(Attempt::seconds)
                .summaryStatistics();
        if (seconds.getCount() == 0) {
            return "";
        }
        String least = NumberFormat.number(seconds.getMin());
        String most = NumberFormat.number(seconds.getMax());
        return before + (least.equals(most) ? "" : least + " to ") + most + " s";
    }
}
