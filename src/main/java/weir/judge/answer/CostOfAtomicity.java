package weir.judge.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weir.judge.Comparisons;
import weir.results.value.NumberFormat;
import weir.results.value.OverheadResult;
import weir.results.value.TrialResult;

/**
 * The sentences about the cost of atomicity: the median time of an operation with a transaction, divided by the median
 * time without one. Of more than two releases, only the first and the last are named. Further sentences may compare
 * transactions between releases.
 */
final class CostOfAtomicity {
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
