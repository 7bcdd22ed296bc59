package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChartJsonTest {
    @Test
    void numbersHaveFourDigitsAndMissingOnesAreNull() {
        String json = new ChartJson()
                .values(new double[] {1, 0, 12_345.678, 0.00123456, Double.NaN, 99_999, -3.25})
                .toString();
        assertThat(json).isEqualTo("[1,0,12350,0.001235,null,99999,-3.25]");
    }

    @Test
    void secondsOfALongRunAreExact() {
        assertThat(new ChartJson()
                        .times(new double[] {99_999, 100_001, 1_234_567, 100_000.5, 0, 0.0625})
                        .toString())
                .isEqualTo("[99999,100001,1234567,100000.5,0,0.062]");
        assertThat(new ChartJson().value(100_003).toString()).isEqualTo("100003");
    }

    @Test
    void textCannotEndItsElement() {
        assertThat(new ChartJson().value("</script>\"\\\u2028é\u202E").toString())
                .isEqualTo("\"\\u003c/script\\u003e\\u0022\\u005c\\\\u2028\\u00e9\\\\u202E\"");
    }
}
