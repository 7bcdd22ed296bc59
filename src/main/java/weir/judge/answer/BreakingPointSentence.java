package weir.judge.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.results.value.BreakingPointResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Says in one sentence where those variants break of which it was asked. */
final class BreakingPointSentence {
    private BreakingPointSentence() {}

    /** Empty where it was not asked, or nothing rose. */
    static List<AnswerSentence> of(RunFindings f) {
        List<TrialResult> trials = f.whole();
        List<BreakingPointResult> found = f.breakingPoints().stream()
                .filter(point -> !point.trials().isEmpty())
                .toList();
        if (found.isEmpty() || trials.isEmpty()) {
            return List.of();
        }
        if (found.size() == 1) {
            BreakingPointResult point = found.get(0);
            boolean named = trials.stream().anyMatch(trial -> !trial.variant().equals(point.of()));
            String start = named ? NumberFormat.quoted(point.of()) + " " : "";
            List<String> clauses = alone(point, trials);
            clauses.set(0, named ? clauses.get(0) : capital(clauses.get(0)));
            return List.of(new AnswerSentence(start, clauses, "", ""));
        }
        List<String> parts = new ArrayList<>();
        String breaks = "breaks at ";
        for (BreakingPointResult point : found) {
            String called = NumberFormat.quoted(point.of());
            parts.add(called + " " + (point.rate() == null ? point.text() : breaks + rate(point) + ours(point)));
            breaks = point.rate() == null ? "breaks at " : "";
        }
        boolean single = found.stream().allMatch(point -> point.trials().size() == 1);
        List<AnswerSentence> sentences = new ArrayList<>();
        sentences.add(AnswerSentence.each("variant", "", parts, single ? "one trial each" : ""));
        sentences.addAll(DeliverySentence.farthest(
                found.stream().map(BreakingPointResult::of).toList(),
                trials,
                f.asked().question()));
        return sentences;
    }

    /** {@code 1,900/s [1,800, 2,000]}. */
    private static String rate(BreakingPointResult point) {
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
            List<String> clauses = new ArrayList<>(
                    List.of(point.text() + p99(curve, point.offered()) + DeliverySentence.cost(point.of(), trials)));
            point.trials().stream()
                    .map(BreakingPointResult.Found::why)
                    .filter(why -> why.equals(point.reason()) && point.offered() > 0)
                    .limit(1)
                    .forEach(clauses::add);
            return clauses;
        }
        String who = point.trials().size() == 1 ? "it sustains " : "every trial sustains ";
        String sustained = point.sustained() == null
                ? "no slower step sustained before it"
                : who + NumberFormat.rate(point.sustained()) + p99(curve, point.sustained());
        return new ArrayList<>(List.of(
                "breaks at " + point.text() + ": " + point.reason() + ours(point),
                sustained + DeliverySentence.cost(point.of(), trials)));
    }

    private static String ours(BreakingPointResult point) {
        return point.ours() ? " (but the generator alone does not sustain that step either)" : "";
    }

    private static String p99(LoadCurve curve, double rate) {
        @Nullable LatencyResult response = curve.rising().stream()
                .filter(point -> point.rate() == rate)
                .map(LoadCurve.Point::response)
                .findFirst()
                .orElse(null);
        return response == null ? "" : " with response p99 " + NumberFormat.latency(response, 99);
    }

    static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
