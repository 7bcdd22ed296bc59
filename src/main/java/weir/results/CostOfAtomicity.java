package weir.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What atomicity costs, in one sentence, where a variant with a transaction for each operation is compared with one without:
 * how many times as long an operation takes at the median, release by release.
 */
final class CostOfAtomicity {
    private static final String STAT = "p50";
    private static final String TRANSACTION = "load.transaction";
    private static final String WORKLOAD = "load.workload";
    private static final String KAFKA = "cluster.kafka";

    /** How an operation of a workload is called. */
    private static final Map<String, String> OPERATIONS = Map.of("write", "write", "stream", "streamed record");

    /** With more releases than this a sentence holds no figures beside the ratios. */
    private static final int FEW = 2;

    private CostOfAtomicity() {}

    /** Empty where nothing is compared that differs so. The first such pair of a workload and a release counts. */
    static String sentence(List<OverheadResult> overheads, List<TrialResult> trials) {
        Map<String, Map<String, OverheadResult>> releases = new LinkedHashMap<>();
        for (OverheadResult overhead : overheads) {
            if (overhead.ratio() == null || !overhead.stat().equals(STAT)) {
                continue;
            }
            TrialResult a = first(overhead.a(), trials);
            TrialResult b = first(overhead.b(), trials);
            String operation = OPERATIONS.getOrDefault(of(a, WORKLOAD), "");
            boolean pair = of(a, TRANSACTION).equals("each")
                    && of(b, TRANSACTION).equals("none")
                    && of(a, WORKLOAD).equals(of(b, WORKLOAD))
                    && of(a, KAFKA).equals(of(b, KAFKA));
            if (pair && !operation.isEmpty()) {
                releases.computeIfAbsent(of(a, KAFKA), release -> new LinkedHashMap<>())
                        .putIfAbsent(operation, overhead);
            }
        }
        if (releases.isEmpty()) {
            return "";
        }
        List<String> sentences = new ArrayList<>();
        releases.forEach((release, pairs) -> {
            List<String> costs = new ArrayList<>();
            pairs.forEach((operation, pair) -> costs.add(cost(operation, pair, releases.size() <= FEW)));
            sentences.add(Conclusions.listed(costs) + (release.isEmpty() ? "" : " on Kafka " + release));
        });
        return "At the median atomicity costs " + String.join("; ", sentences) + repeats(releases, trials) + ".";
    }

    private static String cost(String operation, OverheadResult pair, boolean figures) {
        String both = Written.millis(pair.millisOfA()) + " instead of " + Written.millis(pair.millisOfB());
        return pair.text() + " per " + operation + (figures ? " (" + both + ")" : "");
    }

    private static String repeats(Map<String, Map<String, OverheadResult>> releases, List<TrialResult> trials) {
        long fewest = releases.values().stream()
                .flatMap(pairs -> pairs.values().stream())
                .flatMap(pair -> Stream.of(pair.a(), pair.b()))
                .mapToLong(variant -> trials.stream()
                        .filter(trial -> trial.variant().equals(variant))
                        .count())
                .min()
                .orElse(0);
        if (fewest >= Comparisons.ENOUGH) {
            return "";
        }
        return fewest == 1 ? " (one repeat each: no verdict)" : " (" + fewest + " repeats each: no verdict)";
    }

    private static String of(TrialResult trial, String path) {
        return trial.settings().getOrDefault(path, "");
    }

    private static TrialResult first(String variant, List<TrialResult> trials) {
        return trials.stream()
                .filter(trial -> trial.variant().equals(variant))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no trial of '" + variant + "'"));
    }
}
