package weir.judge.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.Median;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/**
 * The rate that each variant sustains, and what went wrong at the next; of a closed loop, the rate that it carried. Of several
 * variants the best stands first, and is never called better without a verdict.
 */
final class RateSentence {
    private RateSentence() {}

    static List<AnswerSentence> of(RunFindings f) {
        List<String> variants = f.variants();
        if (variants.isEmpty()) {
            return f.measured().isEmpty() ? List.of() : List.of(unfinished(f.measured()));
        }
        return List.of(variants.size() == 1 ? Standing.of(variants.get(0), f).alone() : several(f));
    }

    /** A sentence for each of several variants that sustains nothing: no table has the reason where each has one rate. */
    static List<String> refused(RunFindings f) {
        return f.variants().size() < 2
                ? List.of()
                : f.variants().stream()
                        .filter(variant -> {
                            LoadCurve curve = LoadCurve.of(variant, f.of(variant));
                            return curve.points().size() == 1 && curve.knee() == null;
                        })
                        .map(variant -> Standing.of(variant, f).clause() + ".")
                        .toList();
    }

    /** The load that the last trial carried until it was interrupted. */
    private static AnswerSentence unfinished(List<TrialResult> measured) {
        TrialResult last = measured.get(measured.size() - 1);
        return AnswerSentence.of(
                "Unfinished, so there is no answer: " + (measured.size() == 1 ? "" : "trial " + last.trial() + " ")
                        + carried(List.of(last)) + ", over " + NumberFormat.seconds(last.seconds()));
    }

    private static String notWarm(LoadCurve.Cold cold) {
        return NumberFormat.rate(cold.point().rate()) + " (achieved "
                + NumberFormat.percent(cold.point().achieved()) + "; " + cold.later() + ")";
    }

    private static String sustained(LoadCurve.Point point) {
        LatencyResult e2e = point.latency(Figures::e2e);
        return NumberFormat.rate(point.rate()) + " with response p99 " + NumberFormat.latency(point.response(), 99)
                + (e2e.p99() == null ? "" : " and e2e p99 " + NumberFormat.latency(e2e, 99));
    }

    /** A rate and why it was not sustained: only what decided, never a figure that is within its limit. */
    private static String refused(LoadCurve curve, LoadCurve.Point point, String lowest) {
        return curve.refusal(point) + lowest + NumberFormat.rate(point.rate()) + ": " + point.why();
    }

    private static String carried(List<TrialResult> trials) {
        Double acked = Median.of(trials, trial -> trial.figures().ackedPerSecond());
        Double received = Median.of(trials, trial -> trial.figures().receivedPerSecond());
        Double mebibytes = Median.of(trials, trial -> trial.figures().mebibytesPerSecond());
        String volume = mebibytes == null ? "" : " (" + NumberFormat.mebibytes(mebibytes) + ")";
        if ((acked == null || acked == 0) && received != null) {
            return "read " + NumberFormat.rate(received) + volume;
        }
        String text = "acked " + NumberFormat.rate(acked) + volume + ", response p99 "
                + NumberFormat.latency(latency(trials, Figures::response), 99);
        LatencyResult e2e = latency(trials, Figures::e2e);
        return e2e.p99() == null ? text : text + ", e2e p99 " + NumberFormat.latency(e2e, 99);
    }

    private static LatencyResult latency(List<TrialResult> trials, Function<Figures, LatencyResult> which) {
        return LatencyResult.median(
                trials.stream().map(trial -> which.apply(trial.figures())).toList());
    }

    /** A variant's rank, how much it sustains or carries and then how quickly, and what is said of it. */
    private record Standing(String variant, double carries, double p99, List<String> clauses) {
        static Standing of(String variant, RunFindings f) {
            List<TrialResult> own = f.of(variant);
            LoadCurve curve = LoadCurve.of(variant, own);
            if (curve.points().isEmpty()) {
                Double acked = Median.of(own, trial -> trial.figures().ackedPerSecond());
                Double received = Median.of(own, trial -> trial.figures().receivedPerSecond());
                Double p99 = Median.of(own, trial -> trial.figures().response().p99());
                return new Standing(variant, Math.max(zero(acked), zero(received)), far(p99), List.of(carried(own)));
            }
            LoadCurve.@Nullable Point knee = curve.knee();
            return knee == null
                    ? new Standing(variant, 0, far(null), List.of(nothing(curve)))
                    : new Standing(
                            variant,
                            knee.rate(),
                            far(knee.response().p99()),
                            List.of("sustains " + sustained(knee), limit(curve, knee)));
        }

        private static String nothing(LoadCurve curve) {
            return curve.cold().isEmpty()
                    ? refused(curve, curve.rising().get(0), curve.rising().size() > 1 ? "even the lowest rate, " : "")
                    : "sustains an unknown rate: it was not warm at "
                            + notWarm(curve.cold().get(0));
        }

        /** The verdict beyond the rate that it sustains. */
        private static String limit(LoadCurve curve, LoadCurve.Point knee) {
            LoadCurve.@Nullable Point beyond = curve.beyond();
            if (!curve.cold().isEmpty()) {
                return "its limit is not known: it was not warm at "
                        + notWarm(curve.cold().get(0));
            }
            if (beyond != null) {
                return refused(curve, beyond, "");
            }
            return curve.rising().size() > 1
                    ? "it was offered no faster rate, so its limit was not reached"
                    : "response p50 " + NumberFormat.latency(knee.response(), 50) + ", p99.9 "
                            + NumberFormat.latency(knee.response(), 99.9);
        }

        AnswerSentence alone() {
            List<String> capital = new ArrayList<>(clauses);
            capital.set(0, BreakingPointSentence.capital(clauses.get(0)));
            return AnswerSentence.of(capital);
        }

        private static double zero(@Nullable Double rate) {
            return rate == null ? 0 : rate;
        }

        private static double far(@Nullable Double p99) {
            return p99 == null ? Double.MAX_VALUE : p99;
        }

        String clause() {
            return NumberFormat.quoted(variant) + " " + clauses.get(0);
        }
    }

    private static AnswerSentence several(RunFindings f) {
        List<Standing> standings = new ArrayList<>(
                f.variants().stream().map(variant -> Standing.of(variant, f)).toList());
        standings.sort(Comparator.comparingDouble(Standing::carries).reversed().thenComparingDouble(Standing::p99));
        String verdict = f.tooFew().isEmpty()
                ? verdict(standings.get(0).variant(), standings.get(1).variant(), f)
                : f.tooFew();
        return AnswerSentence.each(
                "variant", "", standings.stream().map(Standing::clause).toList(), verdict);
    }

    private static String verdict(String first, String second, RunFindings f) {
        return f.comparisons().stream()
                .filter(c -> c.to() == null && Set.of(c.a(), c.b()).equals(Set.of(first, second)))
                .findFirst()
                .map(c -> c.pair() + " " + ComparisonSentence.ratio(c) + " in " + c.metric() + ", " + c.judged())
                .orElse("not compared with each other");
    }
}
