package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DownsamplingTest {
    @Test
    void onePeakInAnHourIsKeptAtItsPlace() {
        double[] values = new double[3600];
        values[1234] = 99;
        Downsampling peaks = new Downsampling(10, values.length, 400);
        double[] kept = peaks.of(values);
        assertThat(kept).hasSizeLessThanOrEqualTo(400);
        int at = -1;
        for (int i = 0; i < kept.length; i++) {
            at = kept[i] == 99 ? i : at;
        }
        assertThat(peaks.times()[at]).isBetween(1234.0, 1254.0);
    }

    @Test
    void aStretchWithoutValuesStaysAGap() {
        double[] values = new double[1000];
        Arrays.fill(values, 500, 600, Double.NaN);
        double[] kept = new Downsampling(0, values.length, 100).of(values);
        assertThat(Arrays.stream(kept).filter(Double::isNaN).count()).isEqualTo(10);
    }

    @Test
    void fewValuesAreLeftAsTheyAre() {
        double[] values = {3, 1, 2};
        assertThat(new Downsampling(0, 3, 100).of(values)).isSameAs(values);
    }
}
