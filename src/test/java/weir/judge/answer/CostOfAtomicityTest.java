package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.judge.Comparisons;
import weir.judge.answer.Conclusions.CostOfAtomicity;
import weir.plan.CompareSpec;
import weir.results.Trials;
import weir.results.value.ComparisonResult;
import weir.results.value.OverheadResult;
import weir.results.value.TrialResult;

class CostOfAtomicityTest {
    /** Returns a trial of a closed loop, whose median is half of its p99. */
    private static TrialResult trial(
            String variant, int repeat, String workload, String transaction, String kafka, double p50) {
        return Trials.with(
                Map.of("load.workload", workload, "load.transaction", transaction, "cluster.kafka", kafka),
                Trials.max(variant, repeat, 1000 / p50, 2 * p50));
    }

    private static String sentence(List<TrialResult> trials, String... pairs) {
        List<CompareSpec> asked = new ArrayList<>();
        for (String pair : pairs) {
            int over = pair.indexOf('/');
            asked.add(new CompareSpec.Over(pair.substring(0, over), pair.substring(over + 1)));
        }
        List<OverheadResult> overheads = Comparisons.of(asked, List.of(), trials).stream()
                .filter(comparison -> comparison.metric().equals("response p50"))
                .map(CostOfAtomicityTest::overhead)
                .toList();
        return MadeUpFindings.of(trials).with(overheads).said(CostOfAtomicity::of);
    }

    static OverheadResult overhead(ComparisonResult of) {
        return overhead(of, false, List.of());
    }

    private static OverheadResult overhead(ComparisonResult of, boolean thin, List<String> atLeast) {
        return new OverheadResult(
                of.a(),
                of.b(),
                "p50",
                of.figureOfA(),
                of.figureOfB(),
                of.ratio(),
                of.low(),
                of.high(),
                false,
                thin,
                atLeast,
                List.of());
    }

    @Test
    void aThinMedianAndALowerBoundHaveTheMarksOfTheTable() {
        List<TrialResult> trials =
                List.of(trial("w", 1, "write", "none", "4.3.1", 2), trial("wt", 1, "write", "each", "4.3.1", 20));
        List<OverheadResult> overheads =
                Comparisons.of(List.of(new CompareSpec.Over("wt", "w")), List.of(), trials).stream()
                        .filter(comparison -> comparison.metric().equals("response p50"))
                        .map(comparison -> overhead(comparison, true, List.of("wt")))
                        .toList();
        assertThat(MadeUpFindings.of(trials).with(overheads).said(CostOfAtomicity::of))
                .startsWith("At the median, atomicity costs ≥ 10× (thin) per write (≥ 20.0 ms instead of 2.00 ms)");
    }

    @Test
    void costOfAtomicityIsReportedForEachRelease() {
        List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= 4; repeat++) {
            trials.add(trial("w", repeat, "write", "none", "4.3.1", 2));
            trials.add(trial("wt", repeat, "write", "each", "4.3.1", 20 + 0.1 * repeat));
            trials.add(trial("s", repeat, "stream", "none", "4.3.1", 3));
            trials.add(trial("st", repeat, "stream", "each", "4.3.1", 45 + 0.1 * repeat));
            trials.add(trial("old", repeat, "write", "none", "2.7.2", 2));
            trials.add(trial("oldt", repeat, "write", "each", "2.7.2", 60 + 0.1 * repeat));
        }
        assertThat(sentence(trials, "wt/w", "st/s", "oldt/old"))
                .isEqualTo(
                        "At the median, atomicity costs 10.1× [10×, 10.2×] per write (20.2 ms instead of 2.00 ms) and"
                                + " 15.1× [15×, 15.2×] per streamed record (45.2 ms instead of 3.00 ms) on Kafka 4.3.1; 30.1×"
                                + " [30×, 30.2×] per write (60.2 ms instead of 2.00 ms) on Kafka 2.7.2.");
    }

    @Test
    void costOfAtomicityOfOneTrialHasNoVerdict() {
        List<TrialResult> trials =
                List.of(trial("w", 1, "write", "none", "4.3.1", 2), trial("wt", 1, "write", "each", "4.3.1", 20));
        assertThat(sentence(trials, "wt/w"))
                .isEqualTo("At the median, atomicity costs 10× per write (20.0 ms instead of 2.00 ms) on Kafka 4.3.1"
                        + "; no verdict, one trial each.");
    }

    @Test
    void fewPassesHaveNoVerdictEither() {
        List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= 2; repeat++) {
            trials.add(trial("w", repeat, "write", "none", "4.3.1", 2));
            trials.add(trial("wt", repeat, "write", "each", "4.3.1", 20 + repeat));
        }
        assertThat(sentence(trials, "wt/w")).endsWith("; no verdict, 2 trials each.");
    }

    @Test
    void costOfAtomicityRequiresPairsThatDifferOnlyInTransaction() {
        List<TrialResult> trials = List.of(
                trial("w", 1, "write", "none", "4.3.1", 2),
                trial("wt", 1, "write", "each", "4.3.1", 20),
                trial("oldt", 1, "write", "each", "2.7.2", 20),
                trial("st", 1, "stream", "each", "4.3.1", 20),
                trial("many", 1, "write", "{records: 100}", "4.3.1", 20));
        assertThat(sentence(trials, "oldt/w", "st/w", "oldt/wt", "w/wt", "many/w"))
                .isEmpty();
    }

    @Test
    void costOfAtomicityComparesTheFirstAndTheLastRelease() {
        List<TrialResult> trials = new ArrayList<>();
        for (String kafka : List.of("2.7.2", "3.9.2", "4.3.1")) {
            boolean old = kafka.equals("2.7.2");
            trials.add(trial("w" + kafka, 1, "write", "none", kafka, 2));
            trials.add(trial("t" + kafka, 1, "write", "each", kafka, old ? 40 : 20));
            trials.add(trial("s" + kafka, 1, "stream", "each", kafka, old ? 20 : 25));
        }
        assertThat(sentence(
                        trials,
                        "t2.7.2/w2.7.2",
                        "t3.9.2/w3.9.2",
                        "t4.3.1/w4.3.1",
                        "w4.3.1/w2.7.2",
                        "t4.3.1/t2.7.2",
                        "s4.3.1/s2.7.2"))
                .isEqualTo("At the median, atomicity costs 20× per write on Kafka 2.7.2; 10× per write on Kafka 4.3.1"
                        + "; no verdict, one trial each. With a transaction a write takes 0.50× and a streamed record"
                        + " takes 1.25× as long on Kafka 4.3.1 as on Kafka 2.7.2.");
    }
}
