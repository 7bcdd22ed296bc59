package weir.judge.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.Median;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The figures of ways of delivering events at the slowest rate of each, which is the one that all of them carry most easily. */
final class DeliverySentence {
    private DeliverySentence() {}

    /** A sentence for each variant that delivers; medians over its trials. */
    static List<String> of(List<String> variants, List<TrialResult> trials) {
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

    /** The cost of a record, to be added to what is said of a variant; empty where it delivers nothing or nobody looked. */
    static String cost(String variant, List<TrialResult> trials) {
        @Nullable Double micros = Median.of(delivered(variant, trials), TrialResult::cpuMicros);
        boolean none = delivered(variant, trials).stream()
                .anyMatch(trial ->
                        LoadCurve.of(variant, List.of(trial)).sustained().isEmpty());
        return micros == null
                ? ""
                : ", " + NumberFormat.micros(micros) + " of CPU a record" + (none ? " over all steps" : "");
    }

    /** The end-to-end p99.99 at the rate that the question names, or else at the slowest; empty where nothing is delivered. */
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
        return trials.stream()
                .filter(trial -> trial.variant().equals(variant) && trial.delivered())
                .toList();
    }

    private static String tail(LatencyResult latency) {
        return "p99 " + NumberFormat.latency(latency, 99) + ", p99.9 " + NumberFormat.latency(latency, 99.9)
                + ", p99.99 " + NumberFormat.latency(latency, 99.99);
    }
}
