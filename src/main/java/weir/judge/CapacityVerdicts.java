package weir.judge;

import java.util.ArrayList;
import java.util.List;
import weir.plan.Expectation;
import weir.results.value.CapacityResult;
import weir.results.value.ComparisonResult;
import weir.results.value.ExpectResult;
import weir.results.value.NumberFormat;

/** Holds expectations against capacities: a sentence holds when the whole interval does. */
record CapacityVerdicts(List<CapacityResult> found) {
    CapacityVerdicts {
        found = List.copyOf(found);
    }

    /** Said of no variant in particular, it is said of each that was searched. */
    List<ExpectResult> of(Expectation e) {
        List<CapacityResult> own = e.of().isEmpty() ? found : named(e.of());
        List<ExpectResult> results = new ArrayList<>();
        for (CapacityResult result : own) {
            String text = e.of().isEmpty() && own.size() > 1 ? e.text() + " (" + result.of() + ")" : e.text();
            if (e.ratio()) {
                named(e.over()).forEach(other -> results.add(ratio(text, e, result, other)));
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

    private List<CapacityResult> named(String variant) {
        return found.stream().filter(result -> result.of().equals(variant)).toList();
    }

    private static ExpectResult single(String text, Expectation e, CapacityResult result) {
        if (result.rate() == null || result.low() == null) {
            boolean none = e.operator() == Expectation.Operator.BELOW || e.operator() == Expectation.Operator.AT_MOST;
            // Where not even the first rate was sustained, the capacity is below that, and nobody knows by how much.
            return new ExpectResult(
                    text, none ? ExpectResult.UNDECIDED : ExpectResult.FAILED, null, null, null, null, result.reason());
        }
        String written = NumberFormat.rate(result.rate()) + " " + Capacities.interval(result);
        double high = result.high() == null ? Double.POSITIVE_INFINITY : result.high();
        return judged(text, e, result.rate(), result.low(), high, written, result.reason());
    }

    private static ExpectResult ratio(String text, Expectation e, CapacityResult a, CapacityResult b) {
        ComparisonResult over = Capacities.comparison(a, b);
        if (over.ratio() == null) {
            String why = (a.low() == null || b.low() != null ? a : b).reason();
            return new ExpectResult(text, ExpectResult.UNDECIDED, null, null, null, null, why);
        }
        double low = over.low() == null ? 0 : over.low();
        double high = over.high() == null ? Double.POSITIVE_INFINITY : over.high();
        return judged(text, e, over.ratio(), low, high, over.text(), "");
    }

    private static ExpectResult judged(
            String text, Expectation e, double value, double low, double high, String written, String reason) {
        boolean holds = ExpectationJudge.holds(e, low) && ExpectationJudge.holds(e, high);
        boolean around = e.operator() == Expectation.Operator.SAME_WITHIN && low < 1 && high > 1;
        boolean some = ExpectationJudge.holds(e, low) || ExpectationJudge.holds(e, high) || around;
        String verdict = holds ? ExpectResult.PASSED : some ? ExpectResult.UNDECIDED : ExpectResult.FAILED;
        String why = verdict.equals(ExpectResult.UNDECIDED) ? "the interval lies on both sides" : reason;
        return new ExpectResult(
                text, verdict, value, low, Double.isInfinite(high) ? null : high, written, holds ? "" : why);
    }
}
