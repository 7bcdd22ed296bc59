package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.results.GateOutcome;
import weir.results.value.ComparisonResult;

class ToleranceTest {
    private static GateOutcome gate(String metric, double low, double high) {
        ComparisonResult worse = new ComparisonResult(
                "B",
                "A",
                null,
                metric,
                1.0,
                1.0,
                (low + high) / 2,
                low,
                high,
                Comparisons.WORSE,
                1.01,
                List.of(),
                "",
                List.of());
        return RunComparisons.Tolerance.gate(0.05, List.of(worse), List.of()).outcome();
    }

    @Test
    void aRateIsARegressionWhereItsWholeIntervalIsTooLow() {
        assertThat(gate("acked/s", 0.85, 0.97)).isEqualTo(GateOutcome.OPEN);
        assertThat(gate("acked/s", 0.85, 0.94)).isEqualTo(GateOutcome.REGRESSION);
    }

    @Test
    void aLatencyIsARegressionWhereItsWholeIntervalIsTooHigh() {
        assertThat(gate("response p99", 1.03, 1.15)).isEqualTo(GateOutcome.OPEN);
        assertThat(gate("response p99", 1.06, 1.15)).isEqualTo(GateOutcome.REGRESSION);
    }
}
