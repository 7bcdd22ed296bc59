package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.measure.Balances;
import weir.measure.LatencyKind;
import weir.plan.Ratio;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.TrialResult;

class FitsTest {
    private static final String RECORDS = "load.transaction.records";
    private static final String PARTITIONS = "topics.t.partitions";
    private static final FitSpec.Cost ASKED =
            new FitSpec.Cost("transaction", List.of(RECORDS, PARTITIONS), new Ratio(0.1), List.of("grown"));

    private static TrialResult trial(String variant, int number, int records, int partitions, double millis) {
        LatencyResult cost = new LatencyResult(millis, millis, millis, millis, millis, millis, millis, 100, null, null);
        Figures figures = Trials.figures(
                Balances.counts("operations 100"),
                Trials.max(variant, 1, 100).figures().rates(),
                Map.of(LatencyKind.TRANSACTION, cost));
        Map<String, String> settings = Map.of(RECORDS, String.valueOf(records), PARTITIONS, "" + partitions);
        return RecordKeys.with(
                Trials.with(settings, Trials.trial(variant, 1, figures, List.of())), Map.of("trial", number));
    }

    private static List<TrialResult> grown(double wrong) {
        List<TrialResult> trials = new ArrayList<>();
        for (int records : new int[] {1, 100, 10_000}) {
            for (int partitions : new int[] {1, 10}) {
                double off = records == 100 && partitions == 1 ? wrong : 1;
                trials.add(trial(
                        "grown", trials.size() + 1, records, partitions, off * (10 + 0.02 * records + partitions)));
            }
        }
        trials.add(trial("other", 99, 5, 5, 1e6));
        return trials;
    }

    @Test
    void costModelReportsTermsAndSmallestTransaction() {
        FitResult fit = Fits.of(ASKED, grown(1));
        assertThat(fit.terms())
                .extracting(FitResult.Term::name)
                .containsExactly("by itself", "for each record", "for each partition");
        assertThat(fit.terms().get(1).millis()).isCloseTo(0.02, within(1e-9));
        assertThat(fit.cells()).hasSize(6).noneMatch(FitResult.Cell::far);
        // 10 % of n × 0.02 ms equals the other 11 ms at n = 5,500; with ten partitions n is larger.
        FitResult.Smallest one = fit.smallest().get(0);
        assertThat(one.count()).isCloseTo(5_500, within(0.01));
        assertThat(one.beyond()).isFalse();
        assertThat(one.text()).isEqualTo("5,500");
        assertThat(fit.smallest()).hasSize(2);
        assertThat(String.join(" ", fit.sentences()))
                .startsWith("A transaction costs 10 ms")
                .contains("for each record", "10 partitions");
    }

    @Test
    void cellFarFromTheModelIsMarked() {
        FitResult fit = Fits.of(ASKED, grown(2));
        assertThat(fit.cells()).anyMatch(FitResult.Cell::far);
        assertThat(String.join(" ", fit.sentences()))
                .contains("The model misses the measured cost by more than 20 % in");
    }

    @Test
    void tooFewTrialsGiveANoteAndNoTerms() {
        FitResult fit = Fits.of(ASKED, grown(1).subList(0, 2));
        assertThat(fit.terms()).isEmpty();
        assertThat(fit.note()).isEqualTo("2 trials do not determine 3 costs");
    }
}
