package weir.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static weir.results.Trials.max;
import static weir.results.Trials.stepped;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.plan.CompareSpec;

class ComparisonsTest {
    private static List<TrialResult> trials(double[] a, double[] b) {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < a.length; i++) {
            trials.add(max("a", i + 1, a[i]));
        }
        for (int i = 0; i < b.length; i++) {
            trials.add(max("b", i + 1, b[i]));
        }
        return trials;
    }

    private static ComparisonResult acked(double[] a, double[] b) {
        return Comparisons.of(List.of(new CompareSpec.Over("a", "b")), List.of("b", "a"), trials(a, b)).stream()
                .filter(result -> result.metric().equals("acked/s"))
                .findFirst()
                .orElseThrow();
    }

    /** Computed apart from this code: 4.858 degrees of freedom, t = 2.5933 for 97.5 %. */
    @Test
    void theIntervalIsWelchsOnTheLogarithms() {
        ComparisonResult result = acked(new double[] {110, 120, 130, 125}, new double[] {100, 105, 95, 102});
        assertThat(Objects.requireNonNull(result.ratio())).isCloseTo(1.204976, within(1e-6));
        assertThat(Objects.requireNonNull(result.low())).isCloseTo(1.081973, within(1e-5));
        assertThat(Objects.requireNonNull(result.high())).isCloseTo(1.341963, within(1e-5));
        assertThat(result.verdict()).isEqualTo(Comparisons.BETTER);
        assertThat(Objects.requireNonNull(result.visible())).isGreaterThan(1.1);
    }

    @Test
    void belowFourRepeatsThereIsNoVerdict() {
        ComparisonResult three = acked(new double[] {200, 201, 202}, new double[] {100, 101, 102});
        assertThat(three.verdict()).isEqualTo(Comparisons.NO_VERDICT);
        assertThat(three.low()).isNotNull();
        ComparisonResult one = acked(new double[] {200}, new double[] {100});
        assertThat(Objects.requireNonNull(one.ratio())).isCloseTo(2, within(1e-9));
        assertThat(one.low()).isNull();
    }

    @Test
    void noiseIsNotADifference() {
        ComparisonResult result = acked(new double[] {100, 130, 90, 120}, new double[] {105, 95, 125, 110});
        assertThat(result.verdict()).isEqualTo(Comparisons.SAME);
    }

    @Test
    void lessIsBetterOnlyForLatency() {
        ComparisonResult less = acked(new double[] {50, 51, 52, 50}, new double[] {100, 101, 102, 100});
        assertThat(less.verdict()).isEqualTo(Comparisons.WORSE);
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            trials.add(stepped("a", i, new double[][] {{100, 100, 2 + 0.01 * i}}));
            trials.add(stepped("b", i, new double[][] {{100, 100, 4 + 0.01 * i}}));
        }
        ComparisonResult p99 =
                Comparisons.of(List.of(), List.of("b", "a"), trials).get(0);
        assertThat(p99.metric()).isEqualTo("response p99");
        assertThat(p99.verdict()).isEqualTo(Comparisons.BETTER);
    }

    @Test
    void ofStepsTheFastestThatBothHeldComesFirst() {
        List<TrialResult> trials = List.of(
                stepped("a", 1, new double[][] {{100, 100, 2}, {200, 200, 3}, {300, 300, 3}}),
                stepped("b", 1, new double[][] {{100, 100, 2}, {200, 200, 4}, {300, 150, 900}}));
        assertThat(Comparisons.of(List.of(), List.of("b", "a"), trials))
                .extracting(ComparisonResult::metric)
                .startsWith("response p99 at 200/s")
                .hasSize(3);
    }
}
