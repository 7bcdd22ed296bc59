package weir.judge.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.Known;
import weir.measure.Median;
import weir.results.value.BreakingPointResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/**
 * The sentence about rates. For a load in steps, the sentence gives each variant's sustained rate and the reason why
 * the next step failed. For a closed loop, the sentence gives the acked rate or, without senders, the received rate.
 * The best variant comes first, but is called better only with a verdict.
 */
final class RateSentence {
    private RateSentence() {}

    static List<AnswerSentence> of(RunFindings f) {
        List<String> variants = f.variants();
        if (variants.isEmpty()) {
            return f.measured().isEmpty() ? List.of() : List.of(unfinished(f.measured()));
        }
        return List.of(
                variants.size() == 1
                        ? AnswerSentence.of(Standing.of(variants.get(0), f).clauses())
                        : several(f));
    }

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
                + NumberFormat.latency(
                        LatencyResult.median(trials, trial -> trial.figures().response()), 99);
        LatencyResult e2e =
                LatencyResult.median(trials, trial -> trial.figures().e2e());
        return e2e.p99() == null ? text : text + ", e2e p99 " + NumberFormat.latency(e2e, 99);
    }

    private record Standing(String variant, double carries, double p99, List<String> clauses) {
        static Standing of(String variant, RunFindings f) {
            List<TrialResult> own = f.of(variant);
            LoadCurve curve = LoadCurve.of(variant, own);
            if (curve.points().isEmpty()) {
                Double acked = Median.of(own, trial -> trial.figures().ackedPerSecond());
                Double received = Median.of(own, trial -> trial.figures().receivedPerSecond());
                Double p99 = Median.of(own, trial -> trial.figures().response().p99());
                return new Standing(
                        variant,
                        Math.max(Known.orZero(acked), Known.orZero(received)),
                        Objects.requireNonNullElse(p99, Double.MAX_VALUE),
                        List.of(carried(own)));
            }
            LoadCurve.@Nullable Point knee = curve.knee();
            return knee == null
                    ? new Standing(variant, 0, Double.MAX_VALUE, List.of(nothing(curve)))
                    : new Standing(
                            variant,
                            knee.rate(),
                            Objects.requireNonNullElse(knee.response().p99(), Double.MAX_VALUE),
                            List.of("sustains " + sustained(knee), limit(curve, knee)));
        }

        private static String nothing(LoadCurve curve) {
            return curve.cold().isEmpty()
                    ? refused(curve, curve.rising().get(0), curve.rising().size() > 1 ? "even the lowest rate, " : "")
                    : "sustains an unknown rate: it was not warmed up at "
                            + notWarm(curve.cold().get(0));
        }

        private static String limit(LoadCurve curve, LoadCurve.Point knee) {
            LoadCurve.@Nullable Point beyond = curve.beyond();
            if (!curve.cold().isEmpty()) {
                return "its limit is unknown: it was not warmed up at "
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
        return f.run().comparisons().stream()
                .filter(c -> c.to() == null && Set.of(c.a(), c.b()).equals(Set.of(first, second)))
                .findFirst()
                .map(c -> c.pair() + " " + ComparisonSentence.ratio(c) + " in " + c.metric() + ", " + c.judged())
                .orElse("not compared with each other");
    }

    static List<AnswerSentence> breakingPoints(RunFindings f) {
        List<TrialResult> trials = f.whole();
        List<BreakingPointResult> found = f.run().conclusion().breakingPoints().stream()
                .filter(point -> !point.trials().isEmpty())
                .toList();
        if (found.isEmpty() || trials.isEmpty()) {
            return List.of();
        }
        if (found.size() == 1) {
            BreakingPointResult point = found.get(0);
            boolean named = trials.stream().anyMatch(trial -> !trial.variant().equals(point.of()));
            String start = named ? NumberFormat.quoted(point.of()) + " " : "";
            return List.of(new AnswerSentence(start, alone(point, trials), "", ""));
        }
        List<String> parts = new ArrayList<>();
        String breaks = "breaks at ";
        for (BreakingPointResult point : found) {
            String called = NumberFormat.quoted(point.of());
            parts.add(called + " "
                    + (point.rate() == null ? point.text() : breaks + breaksAt(point) + generatorNote(point)));
            breaks = point.rate() == null ? "breaks at " : "";
        }
        boolean single = found.stream().allMatch(point -> point.trials().size() == 1);
        List<AnswerSentence> sentences = new ArrayList<>();
        sentences.add(AnswerSentence.each("variant", "", parts, single ? "one trial each" : ""));
        sentences.addAll(farthest(
                found.stream().map(BreakingPointResult::of).toList(),
                trials,
                f.asked().question()));
        return sentences;
    }

    private static String breaksAt(BreakingPointResult point) {
        Double low = point.low();
        Double high = point.high();
        return NumberFormat.rate(point.rate())
                + (low == null
                        ? ""
                        : " [" + NumberFormat.number(low) + ", " + (high == null ? "?" : NumberFormat.number(high))
                                + "]");
    }

    private static List<String> alone(BreakingPointResult point, List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(point.of(), trials);
        if (point.rate() == null) {
            String clause = point.text() + p99(curve, point.offered()) + cost(point.of(), trials);
            boolean reasoned = point.offered() > 0
                    && point.trials().stream().anyMatch(found -> found.why().equals(point.reason()));
            return reasoned ? List.of(clause, point.reason()) : List.of(clause);
        }
        String who = point.trials().size() == 1 ? "it sustains " : "every trial sustains ";
        String sustained = point.sustained() == null
                ? "no slower step was sustained"
                : who + NumberFormat.rate(point.sustained()) + p99(curve, point.sustained());
        return List.of(
                "breaks at " + point.text() + ": " + point.reason() + generatorNote(point),
                sustained + cost(point.of(), trials));
    }

    private static String generatorNote(BreakingPointResult point) {
        return point.ours() ? " (but the generator alone does not sustain that step either)" : "";
    }

    private static String p99(LoadCurve curve, double rate) {
        return curve.rising().stream()
                .filter(point -> point.rate() == rate)
                .map(point -> " with response p99 " + NumberFormat.latency(point.response(), 99))
                .findFirst()
                .orElse("");
    }

    static List<String> delivered(List<String> variants, List<TrialResult> trials) {
        List<String> sentences = new ArrayList<>();
        for (String variant : variants) {
            LoadCurve curve = LoadCurve.of(variant, delivered(variant, trials));
            if (!curve.rising().isEmpty()) {
                LoadCurve.Point slowest = curve.rising().get(0);
                sentences.add(NumberFormat.quoted(variant) + " at " + NumberFormat.rate(slowest.rate()) + ": response "
                        + tail(slowest.response()) + "; e2e " + tail(slowest.latency(Figures::e2e))
                        + cost(variant, trials) + ".");
            }
        }
        return sentences;
    }

    private static String cost(String variant, List<TrialResult> trials) {
        @Nullable Double micros = Median.of(delivered(variant, trials), TrialResult::cpuMicros);
        boolean none = delivered(variant, trials).stream()
                .anyMatch(trial ->
                        LoadCurve.of(variant, List.of(trial)).sustained().isEmpty());
        return micros == null
                ? ""
                : ", " + NumberFormat.micros(micros) + " of CPU a record" + (none ? " over all steps" : "");
    }

    static List<AnswerSentence> farthest(List<String> variants, List<TrialResult> trials, String question) {
        List<Double> named = NumberFormat.rates(question);
        List<String> tails = new ArrayList<>();
        boolean answered = named.isEmpty();
        for (String variant : variants) {
            List<LoadCurve.Point> rising =
                    LoadCurve.of(variant, delivered(variant, trials)).rising();
            LoadCurve.@Nullable Point asked = rising.stream()
                    .filter(point -> named.contains(point.rate()))
                    .findFirst()
                    .orElse(null);
            answered |= asked != null;
            Stream.concat(Stream.ofNullable(asked), rising.stream())
                    .limit(1)
                    .filter(point -> point.latency(Figures::e2e).p9999() != null)
                    .forEach(point -> tails.add(NumberFormat.quoted(variant) + ": e2e p99.99 "
                            + NumberFormat.latency(point.latency(Figures::e2e), 99.99) + " at "
                            + NumberFormat.rate(point.rate())));
        }
        return tails.isEmpty()
                ? List.of()
                : List.of(AnswerSentence.each(
                        "variant", "", tails, answered ? "" : NumberFormat.rate(named.get(0)) + " was not offered"));
    }

    private static List<TrialResult> delivered(String variant, List<TrialResult> trials) {
        return TrialResult.ofVariant(variant, trials).stream()
                .filter(TrialResult::delivered)
                .toList();
    }

    private static String tail(LatencyResult latency) {
        return "p99 " + NumberFormat.latency(latency, 99) + ", p99.9 " + NumberFormat.latency(latency, 99.9)
                + ", p99.99 " + NumberFormat.latency(latency, 99.99);
    }
}
