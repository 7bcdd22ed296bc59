package weir.judge;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.Expectation;
import weir.results.value.CapacityResult;
import weir.results.value.ExpectResult;
import weir.results.value.NumberFormat;
import weir.results.value.PartitionsResult;
import weir.results.value.SearchResults;

/** Holds expectations against what searches found: a sentence holds when the whole interval does. */
record SearchVerdicts(SearchResults found) {
    /** The answer of one search as a number with its interval; an end that is not known is null, and what no trial tested is open. */
    private record Answer(
            String of,
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high,
            boolean open,
            String written,
            String reason) {
        static Answer of(CapacityResult result) {
            return new Answer(
                    result.of(),
                    result.rate(),
                    result.low(),
                    result.high(),
                    false,
                    NumberFormat.rate(result.rate()) + " " + Capacities.interval(result),
                    result.reason());
        }

        static Answer of(PartitionsResult result) {
            return new Answer(
                    result.of(),
                    number(result.partitions()),
                    number(result.low()),
                    number(result.high()),
                    result.calculated(),
                    SearchAnswers.number(result),
                    result.reason());
        }

        private static @Nullable Double number(@Nullable Integer whole) {
            return whole == null ? null : Double.valueOf(whole);
        }
    }

    /** True for a sentence about a search. */
    static boolean about(Expectation e) {
        return e.metric().name().equals(CapacityResult.METRIC)
                || e.metric().name().equals(PartitionsResult.METRIC);
    }

    private List<Answer> answers(Expectation e) {
        return e.metric().name().equals(CapacityResult.METRIC)
                ? found.capacities().stream().map(Answer::of).toList()
                : found.partitions().stream().map(Answer::of).toList();
    }

    /** Said of no variant in particular, it is said of each that was searched. */
    List<ExpectResult> of(Expectation e) {
        List<Answer> all = answers(e);
        List<Answer> own = e.of().isEmpty() ? all : named(all, e.of());
        List<ExpectResult> results = new ArrayList<>();
        for (Answer result : own) {
            String text = e.of().isEmpty() && own.size() > 1 ? e.text() + " (" + result.of() + ")" : e.text();
            if (e.ratio()) {
                named(all, e.over()).forEach(other -> results.add(ratio(text, e, result, other)));
            } else {
                results.add(single(text, e, result));
            }
        }
        if (results.isEmpty()) {
            results.add(new ExpectResult(
                    e.text(), ExpectResult.FAILED, null, null, null, null, "nothing was searched for it"));
        }
        return results;
    }

    private static List<Answer> named(List<Answer> all, String variant) {
        return all.stream().filter(result -> result.of().equals(variant)).toList();
    }

    private static ExpectResult single(String text, Expectation e, Answer result) {
        if (result.low() == null) {
            boolean none = e.operator() == Expectation.Operator.BELOW || e.operator() == Expectation.Operator.AT_MOST;
            // Where not even the first rate was sustained, the capacity is below that, and nobody knows by how much.
            return new ExpectResult(
                    text, none ? ExpectResult.UNDECIDED : ExpectResult.FAILED, null, null, null, null, result.reason());
        }
        double high = result.high() == null ? Double.POSITIVE_INFINITY : result.high();
        return result.open()
                ? new ExpectResult(
                        text,
                        ExpectResult.UNDECIDED,
                        result.value(),
                        result.low(),
                        result.high(),
                        result.written(),
                        result.reason())
                : judged(text, e, result.value(), result.low(), high, result.written(), result.reason());
    }

    private static ExpectResult ratio(String text, Expectation e, Answer a, Answer b) {
        if (a.open() || b.open()) {
            String why = (a.open() ? a : b).reason();
            return new ExpectResult(text, ExpectResult.UNDECIDED, null, null, null, null, why);
        }
        boolean endless = a.high() == null && b.high() == null;
        if (a.value() == null || b.value() == null || a.low() == null || b.low() == null || endless) {
            String why = (a.low() == null || b.low() != null ? a : b).reason();
            return new ExpectResult(text, ExpectResult.UNDECIDED, null, null, null, null, why);
        }
        double low = b.high() == null ? 0 : a.low() / b.high();
        double high = a.high() == null ? Double.POSITIVE_INFINITY : a.high() / b.low();
        double ratio = a.value() / b.value();
        return judged(text, e, ratio, low, high, ratioText(ratio, low, high), "");
    }

    private static String ratioText(double ratio, double low, double high) {
        return NumberFormat.times(ratio) + " [" + (low == 0 ? "?" : NumberFormat.times(low)) + ", "
                + (Double.isInfinite(high) ? "?" : NumberFormat.times(high)) + "]";
    }

    private static ExpectResult judged(
            String text,
            Expectation e,
            @Nullable Double value,
            double low,
            double high,
            String written,
            String reason) {
        boolean holds = ExpectationJudge.holds(e, low) && ExpectationJudge.holds(e, high);
        boolean around = e.operator() == Expectation.Operator.SAME_WITHIN && low < 1 && high > 1;
        boolean some = ExpectationJudge.holds(e, low) || ExpectationJudge.holds(e, high) || around;
        String verdict = holds ? ExpectResult.PASSED : some ? ExpectResult.UNDECIDED : ExpectResult.FAILED;
        String why = verdict.equals(ExpectResult.UNDECIDED) ? "the interval lies on both sides" : reason;
        return new ExpectResult(
                text, verdict, value, low, Double.isInfinite(high) ? null : high, written, holds ? "" : why);
    }
}
