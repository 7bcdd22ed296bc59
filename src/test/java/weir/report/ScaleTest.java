package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void aroundNoValuesAtAllThereIsAScaleWithAnEnd() {
        assertThat(Scale.around(Double.MAX_VALUE, 0).ticks()).isNotEmpty();
    }
}
