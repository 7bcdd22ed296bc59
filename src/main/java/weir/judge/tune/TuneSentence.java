package weir.judge.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import weir.plan.trial.TunedVariant;
import weir.results.value.NumberFormat;
import weir.results.value.TuneResult;
import weir.results.value.TuneResult.Finalist;
import weir.results.value.TuneResult.Verdict;
import weir.results.value.TuneResult.Versus;

/** The answer of a settings search in words: better settings, trade-offs, or none of them. */
public final class TuneSentence {
    private TuneSentence() {}

    public static List<List<String>> clauses(List<TuneResult> found) {
        return found.stream()
                .map(result -> clauses(result, found.size() > 1 ? NumberFormat.quoted(result.of()) + ": " : ""))
                .toList();
    }

    public static String scope(TuneResult result) {
        return NumberFormat.count(points(result)) + " settings tried in "
                + NumberFormat.count((long) result.trials().size()) + " trials";
    }

    private static long points(TuneResult result) {
        return result.trials().stream()
                .map(TuneResult.Tried::settings)
                .distinct()
                .count();
    }

    private static List<String> clauses(TuneResult result, String of) {
        if (result.finalists().isEmpty()) {
            return List.of(of + "Which settings are best is not known: " + result.reason());
        }
        List<String> sentences = new ArrayList<>();
        List<Finalist> better = result.better();
        better.stream()
                .max(Comparator.comparingDouble(one -> Objects.requireNonNullElse(one.perSecond(), 0.0)))
                .ifPresent(most -> {
                    sentences.add(name(most) + " beats the defaults: " + figures(result, most));
                    better.stream()
                            .min(Comparator.comparingDouble(
                                    one -> Objects.requireNonNullElse(one.millis(), Double.POSITIVE_INFINITY)))
                            .filter(least -> !least.equals(most))
                            .ifPresent(
                                    least -> sentences.add("so does " + name(least) + ": " + figures(result, least)));
                });
        if (better.isEmpty()) {
            sentences.add("Nothing that was tried beats the defaults in " + result.throughput() + ", " + latency(result)
                    + " or durability without losing in another");
        }
        result.finalists().stream()
                .filter(one -> one.verdict() == Verdict.TRADES)
                .max(Comparator.comparingDouble(one -> Objects.requireNonNullElse(one.perSecond(), 0.0)))
                .ifPresent(one -> sentences.add(name(one) + " trades: " + figures(result, one)));
        sentences.set(0, of + sentences.get(0));
        return sentences;
    }

    private static String figures(TuneResult result, Finalist one) {
        Finalist defaults = result.finalists().get(0);
        String durability = one.rank() == defaults.rank()
                ? ""
                : ", and " + (one.rank() > defaults.rank() ? "more" : "less") + " durability (" + one.durability()
                        + " instead of " + defaults.durability() + ")";
        return ratio(one.throughput()) + " their " + result.throughput() + ", " + ratio(one.latency()) + " their "
                + latency(result) + durability;
    }

    private static String latency(TuneResult result) {
        return result.latency() + " at " + NumberFormat.rate(result.at());
    }

    public static String ratio(Versus versus) {
        return NumberFormat.times(versus.ratio())
                + (versus.low() == null || versus.high() == null
                        ? ""
                        : " [" + NumberFormat.number(versus.low()) + ", " + NumberFormat.number(versus.high()) + "]");
    }

    public static String gain(TuneResult result, Finalist better) {
        if (better.throughput().above()) {
            return NumberFormat.times(better.throughput().ratio()) + " " + result.throughput();
        }
        return better.latency().below()
                ? NumberFormat.times(better.latency().ratio()) + " " + result.latency()
                : better.durability();
    }

    public static String name(Finalist one) {
        return one.defaults()
                ? "the defaults"
                : TunedVariant.name(one.settings()).replace(",", ", ");
    }
}
