package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AxisScaleTest {
    @Test
    void aroundNoValuesAtAllThereIsAScaleWithAnEnd() {
        assertThat(AxisScale.around(Double.MAX_VALUE, 0).ticks()).isNotEmpty();
    }

    @Test
    void ratesThatDoubleStandEvenlyApart() {
        AxisScale ladder = AxisScale.ofRates(new double[] {5_000, 10_000, 20_000, 40_000, 80_000});
        assertThat(ladder.at(20_000) - ladder.at(10_000))
                .isCloseTo(ladder.at(80_000) - ladder.at(40_000), within(1e-9));
        assertThat(ladder.at(5_000)).isGreaterThan(0);
        assertThat(ladder.at(80_000)).isLessThan(1);
        for (double[] even : new double[][] {{10, 20, 30, 40}, {10, 20, 40}, {0, 10, 20, 40}, {7}, {}}) {
            assertThat(AxisScale.ofRates(even)).isInstanceOf(AxisScale.Linear.class);
        }
    }
}
