package weir.judge.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GeometricMeanTest {
    @Test
    void theIntervalIsStudentsOnTheLogarithms() {
        GeometricMean mean = GeometricMean.of(1, Math.E, Math.E * Math.E);
        assertThat(mean.mean()).isCloseTo(Math.E, within(1e-12));
        // 4.303 is the 97.5 % quantile of t with two degrees of freedom; the logs 0, 1, 2 have the deviation 1.
        assertThat(Math.log(mean.high()) - 1).isCloseTo(4.3027 / Math.sqrt(3), within(1e-4));
        assertThat(1 - Math.log(mean.low())).isCloseTo(4.3027 / Math.sqrt(3), within(1e-4));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(GeometricMean.of(5).mean()).isCloseTo(5, within(1e-12));
        assertThat(GeometricMean.of(5).low()).isNaN();
    }

    @Test
    void aValueWithoutALogarithmIsRefused() {
        assertThatThrownBy(() -> GeometricMean.of(1, 0)).hasMessageContaining("above 0");
        assertThatThrownBy(GeometricMean::of).hasMessageContaining("above 0");
    }
}
