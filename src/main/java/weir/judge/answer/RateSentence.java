package weir.judge.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
        return List.of(variants.size() == 1 ? alone(variants.get(0), f.whole()) : several(f));
    }

    /** The load that the last trial carried until it was interrupted. */
    private static AnswerSentence unfinished(List<TrialResult> measured) {
        TrialResult last = measured.get(measured.size() - 1);
        return AnswerSentence.of(
                "Unfinished, so there is no answer: " + (measured.size() == 1 ? "" : "trial " + last.trial() + " ")
                        + lower(carried(List.of(last))) + ", over " + NumberFormat.seconds(last.seconds()));
    }

    private static AnswerSentence alone(String variant, List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(variant, trials);
        if (curve.points().isEmpty()) {
            return AnswerSentence.of(carried(trials));
        }
        LoadCurve.@Nullable Point knee = curve.knee();
        LoadCurve.@Nullable Point beyond = curve.beyond();
        if (!curve.cold().isEmpty()) {
            String sustains = knee == null
                    ? "Not known what it sustains"
                    : "Sustains " + sustained(knee) + "; its limit is not known";
            return AnswerSentence.of(
                    sustains + ": it was not warm at " + notWarm(curve.cold().get(0)));
        }
        if (knee == null) {
            LoadCurve.Point first = curve.rising().get(0);
            String lowest = curve.rising().size() > 1 ? "even the lowest rate, " : "";
            String verdict = first.generatorDecided() ? "Not known whether it sustains " : "Does not sustain ";
            return AnswerSentence.of(verdict + lowest + refused(first));
        }
        if (beyond != null) {
            String verdict = beyond.generatorDecided() ? "not known whether it sustains " : "does not sustain ";
            return AnswerSentence.of(List.of("Sustains " + sustained(knee), verdict + refused(beyond)));
        }
        if (curve.rising().size() > 1) {
            return AnswerSentence.of(List.of(
                    "Sustains every rate it was offered, up to " + sustained(knee), "its limit was not reached"));
        }
        return AnswerSentence.of("Sustains " + sustained(knee) + " (p50 " + NumberFormat.latency(knee.response(), 50)
                + ", p99.9 " + NumberFormat.latency(knee.response(), 99.9) + ")");
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
    private static String refused(LoadCurve.Point point) {
        return NumberFormat.rate(point.rate()) + ": " + why(point);
    }

    /** Where the generator decided, that comes first: the rest is its doing. */
    private static String why(LoadCurve.Point point) {
        return point.generatorDecided()
                ? "the generator itself was late by " + NumberFormat.latency(point.latency(Figures::late), 99)
                        + " at p99 (" + point.why() + ")"
                : point.why();
    }

    private static String carried(List<TrialResult> trials) {
        Double acked = Median.of(trials, trial -> trial.figures().ackedPerSecond());
        Double received = Median.of(trials, trial -> trial.figures().receivedPerSecond());
        Double mebibytes = Median.of(trials, trial -> trial.figures().mebibytesPerSecond());
        String volume = mebibytes == null ? "" : " (" + NumberFormat.mebibytes(mebibytes) + ")";
        if ((acked == null || acked == 0) && received != null) {
            return "Read " + NumberFormat.rate(received) + volume;
        }
        String text = "Acked " + NumberFormat.rate(acked) + volume + ", response p99 "
                + NumberFormat.millis(
                        Median.of(trials, trial -> trial.figures().response().p99()));
        Double e2e = Median.of(trials, trial -> trial.figures().e2e().p99());
        return e2e == null ? text : text + ", e2e p99 " + NumberFormat.millis(e2e);
    }

    private static String lower(String text) {
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    /** A variant's rank: how much it sustains or carries, then how quickly. */
    private record Standing(String variant, double carries, double p99, String words) {
        static Standing of(String variant, List<TrialResult> own) {
            LoadCurve curve = LoadCurve.of(variant, own);
            if (curve.points().isEmpty()) {
                Double acked = Median.of(own, trial -> trial.figures().ackedPerSecond());
                Double received = Median.of(own, trial -> trial.figures().receivedPerSecond());
                Double p99 = Median.of(own, trial -> trial.figures().response().p99());
                return new Standing(variant, Math.max(zero(acked), zero(received)), far(p99), lower(carried(own)));
            }
            LoadCurve.@Nullable Point knee = curve.knee();
            if (knee != null) {
                return new Standing(variant, knee.rate(), far(knee.response().p99()), "sustains " + sustained(knee));
            }
            if (!curve.cold().isEmpty()) {
                return new Standing(
                        variant,
                        0,
                        far(null),
                        "was not warm at " + notWarm(curve.cold().get(0)));
            }
            LoadCurve.Point point = curve.rising().get(0);
            String verdict = point.generatorDecided() ? "was not tested at " : "does not sustain ";
            return new Standing(
                    variant, 0, far(null), verdict + NumberFormat.rate(point.rate()) + " (" + why(point) + ")");
        }

        private static double zero(@Nullable Double rate) {
            return rate == null ? 0 : rate;
        }

        private static double far(@Nullable Double p99) {
            return p99 == null ? Double.MAX_VALUE : p99;
        }

        String clause() {
            return AnswerSentence.quoted(variant) + " " + words;
        }
    }

    private static AnswerSentence several(RunFindings f) {
        List<Standing> standings = new ArrayList<>(f.variants().stream()
                .map(variant -> Standing.of(variant, f.of(variant)))
                .toList());
        standings.sort(Comparator.comparingDouble(Standing::carries).reversed().thenComparingDouble(Standing::p99));
        String verdict = f.tooFew().isEmpty()
                ? verdict(standings.get(0).variant(), standings.get(1).variant(), f)
                : f.tooFew();
        return AnswerSentence.each("", standings.stream().map(Standing::clause).toList(), verdict);
    }

    private static String verdict(String first, String second, RunFindings f) {
        return f.comparisons().stream()
                .filter(c -> c.to() == null && Set.of(c.a(), c.b()).equals(Set.of(first, second)))
                .findFirst()
                .map(c -> c.pair() + " " + ComparisonSentence.ratio(c) + " in " + c.metric() + ", " + c.judged())
                .orElse("not compared with each other");
    }
}
