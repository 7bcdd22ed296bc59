package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void theIntervalIsStudentsOnTheLogarithms() {
        Interval mean = Interval.ofMean(1, Math.E, Math.E * Math.E);
        assertThat(mean.value()).isCloseTo(Math.E, within(1e-12));
        // 4.303 is the 97.5 % quantile of t with two degrees of freedom. The logs 0, 1, 2 have the deviation 1.
        assertThat(Math.log(mean.high()) - 1).isCloseTo(4.3027 / Math.sqrt(3), within(1e-4));
        assertThat(1 - Math.log(mean.low())).isCloseTo(4.3027 / Math.sqrt(3), within(1e-4));
    }

    @Test
    void singleValueHasNoInterval() {
        assertThat(Interval.ofMean(5).value()).isCloseTo(5, within(1e-12));
        assertThat(Interval.ofMean(5).low()).isNaN();
    }

    @Test
    void aValueWithoutALogarithmIsRefused() {
        assertThatThrownBy(() -> Interval.ofMean(1, 0)).hasMessageContaining("above 0");
        assertThatThrownBy(Interval::ofMean).hasMessageContaining("above 0");
    }
}
