package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.NeedsFeature;
import weir.plan.Plans;
import weir.plan.Problems;
import weir.plan.Variant;

class RateScaleTest {
    private static Variant scaled(String yaml, double factor) {
        return Plans.only(yaml, new Overrides(List.of(), List.of(), "", "", List.of(), false, factor));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500/s | 50/s",
                "1.5k/s | 150/s",
                "350/s per producer | 35/s per producer",
                "2GB/s | 200MB/s",
                "{ poisson: 5k/s } | poisson 500/s",
                "{ burst: 1000 every 10s } | burst 100 every 10s",
                "{ ramp: { from: 100/s, to: 1k/s, over: 30s } } | ramp 10/s to 100/s",
            })
    void rateIsMultipliedAndTimesStay(String written, String read) {
        assertThat(scaled("load: { rate: " + written + " }", 0.1).load().rate().text())
                .isEqualTo(read);
    }

    @Test
    void stepsKeepTheirLength() {
        assertThat(scaled("load: { rate: '1000:30,1500:10' }", 2).load().rate().steps())
                .extracting(step -> step.rate().text() + " for " + step.length().toSeconds())
                .containsExactly("2000/s for 30", "3000/s for 10");
    }

    @Test
    void ratesOfVariantsAndGridsAreMultiplied() {
        assertThat(Plans.read(
                                "load: { rate: 10/s }\nvariants: { a: {}, b: { load: { rate: 30/s } } }\n",
                                new Overrides(List.of(), List.of(), "", "", List.of(), false, 3))
                        .variants())
                .extracting(variant -> variant.load().rate().text())
                .containsExactly("30/s", "90/s");
        assertThat(Plans.read(
                                "grid: { load.rate: [10/s, 20/s] }\n",
                                new Overrides(List.of(), List.of(), "", "", List.of(), false, 3))
                        .variants())
                .extracting(variant -> variant.load().rate().text())
                .containsExactly("30/s", "60/s");
    }

    @Test
    @NeedsFeature("maintenance")
    void otherRatesStay() {
        Variant variant = scaled(
                "load: { rate: 10/s, producer: { linger.ms: 5 } }\nduring: { move: { at: 1s,"
                        + " reassign: { topic: weir, brokers: [1], throttle: 20MB/s } } }\n",
                2);
        assertThat(variant.settings().get("during.move.reassign.throttle"))
                .asString()
                .contains("20MB/s");
    }

    @Test
    void fileWithoutARateIsRefused() {
        assertThatThrownBy(() -> scaled("load: { rate: max }", 0.5))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("--scale: the loads of the file have no rate to multiply");
    }
}
