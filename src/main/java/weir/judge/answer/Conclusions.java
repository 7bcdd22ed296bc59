package weir.judge.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.judge.Capacities;
import weir.judge.Comparisons;
import weir.judge.FailedOperations;
import weir.judge.LoadCurve;
import weir.plan.syntax.CaveatType;
import weir.results.RequestedExperiment;
import weir.results.RunResult.ModelResult;
import weir.results.value.Caveat;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.NumberFormat;
import weir.results.value.OverheadResult;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/**
 * The conclusion of a run: an answer of at most two sentences, the scope, related figures, losses and advice. A warning
 * about untrustworthy numbers comes first, then losses, then the main sentence, then failed expectations.
 */
public final class Conclusions {
    private static final CaveatType SHARE_GROUP_LIMITED = CaveatType.named("share-group-limited");
    private static final int MOST_ADVICE = 3;
    private static final int MOST_CHARACTERS = 240;
    private static final int MOST_NAMED = 2;
    private static final String ALL_SUSTAIN =
            "No variant sustains this rate, so the variants cannot be compared. Use a rate that all variants sustain: a"
                    + " lower rate, or rate: 50% of capacity with search: { capacity: { of: each } }.";

    private static final List<Function<RunFindings, List<AnswerSentence>>> ANSWERS = List.of(
            Conclusions::allMostFailed,
            ComparisonSentence::noiseFloor,
            DisturbanceSentence::catchUp,
            Conclusions::models,
            DisturbanceSentence::of,
            RateSentence::breakingPoints,
            CostOfAtomicity::of,
            f -> beforeRates(sentences(Stream.of(ClientOrBroker.sentence(f.whole()))), f),
            ComparisonSentence::of,
            f -> beforeRates(searched(f), f),
            RateSentence::of);

    private Conclusions() {}

    public static Conclusion of(RunFindings f) {
        List<AnswerSentence> sentences = sentences(f);
        String answer = sentences.isEmpty() ? "Nothing was measured." : headline(f, sentences);
        // Omitted or shortened sentences go to the details, unless a table contains them.
        List<String> rest = sentences.stream()
                .filter(sentence ->
                        !sentence.each() || !answer.contains(sentence.clauses().get(0)))
                .map(AnswerSentence::text)
                .filter(text -> !answer.contains(text))
                .toList();
        return new Conclusion(
                answer,
                AnswerScope.of(f),
                Stream.of(
                                rest,
                                RateSentence.refused(f),
                                limits(f),
                                DisturbanceSentence.details(f),
                                RateSentence.delivered(f.variants(), f.whole()))
                        .flatMap(List::stream)
                        .filter(detail -> !answer.contains(detail.replaceFirst("\\.$", "")))
                        .toList(),
                Losses.of(f.run().trials()),
                advice(f.variants(), f.whole(), f.run().caveats()),
                f.run().conclusion().breakingPoints(),
                f.run().conclusion().found());
    }

    /** Names the limits of share groups that kept records from readers, once for each variant. */
    private static List<String> limits(RunFindings f) {
        return f.variants().stream()
                .flatMap(variant -> f.run().caveats().stream()
                        .filter(caveat -> caveat.is(SHARE_GROUP_LIMITED))
                        .filter(caveat -> f.of(variant).stream()
                                .anyMatch(
                                        trial -> Integer.valueOf(trial.trial()).equals(caveat.trial())))
                        .limit(1)
                        .map(caveat -> "“" + variant + "”: " + caveat.evidence() + "."))
                .toList();
    }

    private static List<AnswerSentence> sentences(RunFindings f) {
        List<AnswerSentence> first = ANSWERS.stream()
                .map(each -> each.apply(f))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
        // The load of unfinished trials is less important than the numbers.
        return Stream.of(first, changes(f), numbers(f), mostFailed(f))
                .sorted(Comparator.comparing(
                        each -> each.equals(first) && f.variants().isEmpty()))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private static String headline(RunFindings f, List<AnswerSentence> sentences) {
        List<AnswerSentence> needed =
                new ArrayList<>(Losses.broken(f.run().trials(), sentences.get(0).text(MOST_CHARACTERS)));
        needed.add(sentences.get(0));
        needed.addAll(failed(f.run().expect()));
        String trust = f.variants().isEmpty() && !f.measured().isEmpty() ? "" : trust(f);
        return trust + written(MOST_CHARACTERS - trust.length(), needed, sentences.subList(1, sentences.size()));
    }

    private static String written(int room, List<AnswerSentence> needed, List<AnswerSentence> more) {
        AnswerSentence first = needed.get(0);
        if (needed.size() > 1) {
            AnswerSentence second = needed.get(1);
            String begin = first.text(room - Math.min(second.shortest() + 1, room / 2));
            return begin + " " + second.text(room - begin.length() - 1);
        }
        String begin = first.text(room);
        int left = room - begin.length() - 1;
        return begin
                + (more.isEmpty() || more.get(0).shortest() > left
                        ? ""
                        : " " + more.get(0).text(left));
    }

    private static String trust(RunFindings f) {
        List<String> invalid = f.run().caveats().stream()
                .filter(caveat -> caveat.level() == CaveatType.Level.INVALID)
                .map(Caveat::type)
                .distinct()
                .toList();
        if (!invalid.isEmpty()) {
            int more = invalid.size() - MOST_NAMED;
            return "Invalid (" + String.join(", ", invalid.subList(0, Math.min(MOST_NAMED, invalid.size())))
                    + (more > 0 ? " and " + more + " more" : "") + "): ";
        }
        int wanted = f.asked().variants().stream()
                .mapToInt(RequestedExperiment.Variant::repeat)
                .sum();
        return f.run().trials().size() < wanted
                ? "Unfinished, " + f.run().trials().size() + " of " + wanted + " trials: "
                : "";
    }

    private static List<AnswerSentence> failed(List<ExpectResult> expect) {
        long failed = expect.stream()
                .filter(one -> one.verdict().equals(ExpectResult.FAILED))
                .count();
        List<String> clauses = expect.stream()
                .filter(one -> !one.passed())
                .map(one -> one.text()
                        + (failed > 0 && one.verdict().equals(ExpectResult.UNDECIDED) ? " is undecided" : "")
                        + (one.reason().isEmpty() ? "" : " (" + one.reason() + ")"))
                .toList();
        String all = " of " + (expect.size() == 1 ? "1 expectation" : expect.size() + " expectations");
        String start = failed == 0 ? clauses.size() + all + " undecided: " : failed + all + " failed: ";
        return clauses.isEmpty() ? List.of() : List.of(AnswerSentence.each("expectation", start, clauses, ""));
    }

    private static List<AnswerSentence> allMostFailed(RunFindings f) {
        boolean all =
                f.variants().stream().allMatch(variant -> f.of(variant).stream().anyMatch(Conclusions::mostFailed));
        return all ? mostFailed(f) : List.of();
    }

    private static boolean mostFailed(TrialResult trial) {
        return trial.figures().mostFailed()
                && LoadCurve.of(trial.variant(), List.of(trial)).sustained().isEmpty();
    }

    private static List<AnswerSentence> mostFailed(RunFindings f) {
        if (f.run().conclusion().breakingPoints().stream().anyMatch(point -> point.rate() != null)) {
            return List.of();
        }
        boolean several = f.variants().size() > 1;
        List<String> clauses = f.whole().stream()
                .filter(Conclusions::mostFailed)
                .map(trial ->
                        (several ? NumberFormat.quoted(trial.variant()) + ": " : "") + FailedOperations.sentence(trial))
                .toList();
        return clauses.isEmpty() ? List.of() : List.of(AnswerSentence.each("trial", "", clauses, ""));
    }

    private static List<AnswerSentence> models(RunFindings f) {
        List<ModelResult> models = f.run().models(ModelResult.class);
        return models.stream().noneMatch(ModelResult::found)
                ? List.of()
                : sentences(models.stream().flatMap(model -> model.sentences().stream()));
    }

    private static List<AnswerSentence> beforeRates(List<AnswerSentence> found, RunFindings f) {
        return found.isEmpty()
                ? found
                : Stream.concat(found.stream(), RateSentence.of(f).stream()).toList();
    }

    private static List<AnswerSentence> searched(RunFindings f) {
        List<String> each = Capacities.clauses(f.run().conclusion().found().capacities());
        if (each.isEmpty()) {
            return List.of();
        }
        // The reason for a single answer is a separate clause, which is omitted before the answer is shortened.
        return List.of(
                each.size() == 1
                        ? AnswerSentence.of(List.of(each.get(0).split("; ")))
                        : AnswerSentence.each("variant", "", each, ""));
    }

    /** The capacities before and after operations, for an answer about the operations themselves. */
    private static List<AnswerSentence> changes(RunFindings f) {
        return f.run().conclusion().found().capacities().stream().anyMatch(Capacities::afterOperations)
                ? searched(f)
                : List.of();
    }

    private static List<AnswerSentence> numbers(RunFindings f) {
        SearchResults found = f.run().conclusion().found();
        return Features.each(SearchKind.class).stream()
                .flatMap(kind -> kind.sentences(found).stream())
                .map(AnswerSentence::of)
                .toList();
    }

    private static List<AnswerSentence> sentences(Stream<String> texts) {
        return texts.filter(text -> !text.isEmpty())
                .map(text -> AnswerSentence.of(text.replaceFirst("\\.$", "")))
                .toList();
    }

    private static List<String> advice(List<String> variants, List<TrialResult> trials, List<Caveat> caveats) {
        Set<String> advice = new LinkedHashSet<>();
        List<LoadCurve> curves =
                variants.stream().map(variant -> LoadCurve.of(variant, trials)).toList();
        // Decisive advice comes before doubts.
        boolean paced = curves.stream().noneMatch(curve -> curve.points().isEmpty());
        boolean none = curves.stream().allMatch(curve -> curve.knee() == null);
        if (paced && none && variants.size() > 1) {
            advice.add(ALL_SUSTAIN);
        }
        Caveat.severestFirst(caveats).stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE
                        && !caveat.advice().isBlank())
                .forEach(caveat -> advice.add(caveat.advice()));
        for (LoadCurve curve : curves) {
            if (curve.points().size() > 1 && curve.beyond() == null) {
                advice.add("Offer higher rates to find the limit.");
            } else if (curve.points().size() > 1 && curve.knee() == null && variants.size() == 1) {
                advice.add("Offer lower rates to find a sustained one.");
            }
        }
        if (variants.size() > 1 && trials.size() < variants.size() * Comparisons.ENOUGH) {
            advice.add("Repeat each variant at least four times (repeat: 4) to tell a difference from noise.");
        }
        return advice.stream().limit(MOST_ADVICE).toList();
    }

    /**
     * The sentences about the cost of atomicity: the median time of an operation with a transaction, divided by the median
     * time without one. Of more than two releases, only the first and the last are named. Further sentences may compare
     * transactions between releases.
     */
    static final class CostOfAtomicity {
        private static final String STAT = "p50";
        private static final String TRANSACTION = "load.transaction";
        private static final String WORKLOAD = "load.workload";
        private static final String KAFKA = "cluster.kafka";

        private static final Map<String, String> OPERATIONS = Map.of("write", "write", "stream", "streamed record");

        private static final int FEW = 2;

        private CostOfAtomicity() {}

        static List<AnswerSentence> of(RunFindings f) {
            List<TrialResult> trials = f.whole();
            Map<String, Map<String, OverheadResult>> releases = new LinkedHashMap<>();
            Map<String, List<String>> across = new LinkedHashMap<>();
            for (OverheadResult overhead : f.run().overheads()) {
                if (overhead.ratio() == null || !overhead.stat().equals(STAT)) {
                    continue;
                }
                TrialResult a = TrialResult.ofVariant(overhead.a(), trials).get(0);
                TrialResult b = TrialResult.ofVariant(overhead.b(), trials).get(0);
                String operation = OPERATIONS.getOrDefault(of(a, WORKLOAD), "");
                boolean same = of(a, KAFKA).equals(of(b, KAFKA));
                boolean transaction = of(a, TRANSACTION).equals("each")
                        && of(a, WORKLOAD).equals(of(b, WORKLOAD))
                        && !operation.isEmpty();
                if (transaction && same && of(b, TRANSACTION).equals("none")) {
                    releases.computeIfAbsent(of(a, KAFKA), release -> new LinkedHashMap<>())
                            .putIfAbsent(operation, overhead);
                }
                if (transaction && !same && of(b, TRANSACTION).equals("each")) {
                    across.computeIfAbsent(
                                    "as long on Kafka " + of(a, KAFKA) + " as on Kafka " + of(b, KAFKA),
                                    where -> new ArrayList<>())
                            .add("a " + operation + " takes " + ratio(overhead));
                }
            }
            if (releases.isEmpty()) {
                return List.of();
            }
            List<AnswerSentence> sentences = new ArrayList<>();
            sentences.add(new AnswerSentence(
                    "At the median, atomicity costs ", onReleases(releases), repeats(releases, trials), ""));
            across.forEach((where, takes) ->
                    sentences.add(AnswerSentence.of("With a transaction " + NumberFormat.listed(takes) + " " + where)));
            return sentences;
        }

        private static List<String> onReleases(Map<String, Map<String, OverheadResult>> releases) {
            List<String> all = new ArrayList<>();
            releases.forEach((release, pairs) -> {
                List<String> costs = new ArrayList<>();
                pairs.forEach((operation, pair) -> costs.add(cost(operation, pair, releases.size() <= FEW)));
                all.add(NumberFormat.listed(costs) + (release.isEmpty() ? "" : " on Kafka " + release));
            });
            return all.size() > FEW ? List.of(all.get(0), all.get(all.size() - 1)) : all;
        }

        private static String cost(String operation, OverheadResult pair, boolean figures) {
            String both = pair.writtenA() + " instead of " + pair.writtenB();
            return ratio(pair) + " per " + operation + (figures ? " (" + both + ")" : "");
        }

        private static String ratio(OverheadResult pair) {
            return pair.text() + (pair.thin() ? NumberFormat.THIN : "");
        }

        private static String repeats(Map<String, Map<String, OverheadResult>> releases, List<TrialResult> trials) {
            long fewest = releases.values().stream()
                    .flatMap(pairs -> pairs.values().stream())
                    .flatMap(pair -> Stream.of(pair.a(), pair.b()))
                    .mapToLong(variant -> TrialResult.ofVariant(variant, trials).size())
                    .min()
                    .orElse(0);
            return fewest >= Comparisons.ENOUGH ? "" : "; " + RunFindings.noVerdict(fewest);
        }

        private static String of(TrialResult trial, String path) {
            return trial.settings().getOrDefault(path, "");
        }
    }
}
