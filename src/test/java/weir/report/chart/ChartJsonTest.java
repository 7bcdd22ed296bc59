package weir.report.chart;

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
    void textCannotEndItsElement() {
        assertThat(new ChartJson().value("</script>\"\\\u2028é\u202E").toString())
                .isEqualTo("\"\\u003c/script\\u003e\\u0022\\u005c\\\\u2028\\u00e9\\\\u202E\"");
    }
}
