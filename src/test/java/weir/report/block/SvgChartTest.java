package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import weir.results.value.ComparisonResult;

class SvgChartTest {
    private static final AxisScale EVEN = new AxisScale.Linear(0, 100);

    private static final ComparisonResult COUNT = new ComparisonResult(
            "b", "a", null, "unsent", 50_797.0, 0.0, null, null, null, "no verdict", null, List.of(), "", List.of());

    private static final ComparisonResult RATIO = new ComparisonResult(
            "b", "a", null, "response p99", 20.0, 10.0, 2.0, 1.5, 2.5, "worse", 1.2, List.of(), "", List.of());

    private static final ComparisonResult FAR = new ComparisonResult(
            "b", "a", null, "e2e p99", 1.0, 50.0, 0.02, 0.01, null, "better", 1.2, List.of(), "", List.of());

    private static Chart chart(AxisScale x, AxisScale y) {
        return new Chart("title", Axis.of("offered, records/s", x), Axis.of("ms", y));
    }

    private static String svg(Chart chart) {
        Html html = new Html();
        SvgChart.draw(html, chart, "t");
        return html.toString();
    }

    private static List<Double> numbers(Chart chart, String pattern) {
        return Pattern.compile(pattern)
                .matcher(svg(chart))
                .results()
                .map(MatchResult::group)
                .map(found -> Double.valueOf(found.replaceAll(".*\"([-0-9.]+)\"$", "$1")))
                .toList();
    }

    @Test
    void logarithmicAxisIsLabelled() {
        assertThat(svg(chart(new AxisScale.Log(1, 100), EVEN)))
                .contains(">offered, records/s, logarithmic</text>", ">ms</text>");
        assertThat(svg(Chart.ofRows("title", Axis.of("ratio", new AxisScale.Log(1, 100)), List.of("a"))))
                .contains(">ratio, logarithmic</text>");
    }

    @Test
    void namedAxisHasItsOwnTicksAndIsNotLogarithmic() {
        assertThat(svg(chart(AxisScale.Named.columns(List.of("4.3.1", "<b>")), EVEN)))
                .contains(">4.3.1</text>", ">&lt;b&gt;</text>", ">offered, records/s</text>")
                .doesNotContain(">50</text><line", "logarithmic");
        assertThat(AxisScale.Named.columns(List.of("a", "b")).at(1.5)).isEqualTo(0.75);
    }

    @Test
    void fileHasTitleCaptionAndLegendAboveThePlot() {
        Chart chart = chart(EVEN, EVEN).key("a series", "c1").dot(5, 50, "c1", "a dot");
        String file = chart.svg("a caption");
        assertThat(file)
                .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"530\" height=\"390\"")
                .containsPattern("(?s)<title>title, a caption</title><style>.*>title</text>.*>a caption</text>"
                        + ".*>a series</text>.*<title>a dot</title>");
    }

    @Test
    void chartsThatShareAnAxisHaveTheScaleOfAllTheirMarks() {
        Axis millis = Axis.fromZero("ms");
        Chart low = new Chart("low", Axis.fromZero("s"), millis).dot(1, 2, "c1", "");
        Chart high = new Chart("high", Axis.fromZero("s"), millis).dot(1, 200, "c1", "");
        assertThat(svg(low)).contains(">200</text>");
        assertThat(svg(low).replaceAll("<circle.*?</circle>|low", ""))
                .isEqualTo(svg(high).replaceAll("<circle.*?</circle>|high", ""));
    }

    @Test
    void namesOfCloseMarksDoNotOverlap() {
        Chart chart = chart(EVEN, EVEN)
                .mark(40, "sustained to 40,000/s")
                .mark(42, "sustained to 42,000/s")
                .mark(41, "paused");
        assertThat(numbers(chart, "class=\"mark\">.*?<text x=\"[0-9.]+\" y=\"[0-9.]+\""))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void pointNameIsPlacedLeftAtTheChartEdge() {
        String inside = svg(chart(EVEN, EVEN).name(10, 50, "c1", "p99.9"));
        String edge = svg(chart(EVEN, EVEN).name(100, 50, "c1", "p99.9"));
        assertThat(inside).contains("text-anchor=\"start\">p99.9");
        assertThat(edge).contains("text-anchor=\"end\">p99.9");
    }

    @Test
    void theLabelsOfAnAxisHaveTheRoomTheyNeed() {
        Chart large = chart(EVEN, new AxisScale.Linear(0, 5_000_000));
        double start = numbers(large, "<line x1=\"[0-9.]+\"").get(0);
        assertThat(start).isGreaterThan("5,000,000".length() * 7.0);
    }

    @Test
    void longRowNamesArePlacedAboveTheirRows() {
        String longer = "big-batches / small-batches, response p99.9 at 120,000/s";
        String html = svg(Chart.ofRows("title", Axis.of("%", EVEN), List.of(longer)));
        assertThat(html).contains("text-anchor=\"start\">" + longer);
    }

    @Test
    void aPointBeyondTheScaleIsAnArrowAtItsEdge() {
        String html = svg(chart(EVEN, EVEN).dot(50, 130, "c1", "130 ms"));
        assertThat(html)
                .contains("class=\"beyond c1\"", "130 ms, beyond this scale")
                .doesNotContain("<circle");
        assertThat(svg(chart(EVEN, EVEN).dot(50, 100, "c1", "100 ms")))
                .contains("<circle")
                .doesNotContain("beyond");
    }

    @Test
    void aroundNoValuesAtAllThereIsAScaleWithAnEnd() {
        assertThat(AxisScale.spanning(Double.MAX_VALUE, 0).ticks()).isNotEmpty();
    }

    @Test
    void doublingRatesUseALogarithmicAxis() {
        AxisScale ladder = AxisScale.ofRates(new double[] {5_000, 10_000, 20_000, 40_000, 80_000});
        assertThat(ladder.at(20_000) - ladder.at(10_000))
                .isCloseTo(ladder.at(80_000) - ladder.at(40_000), within(1e-9));
        assertThat(ladder.at(5_000)).isGreaterThan(0);
        assertThat(ladder.at(80_000)).isLessThan(1);
        for (double[] even : new double[][] {{10, 20, 30, 40}, {10, 20, 40}, {0, 10, 20, 40}, {7}, {}}) {
            assertThat(AxisScale.ofRates(even)).isInstanceOf(AxisScale.Linear.class);
        }
    }

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

    @Test
    void downsamplingKeepsASinglePeak() {
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
    void downsamplingKeepsGaps() {
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

    private static String html(List<ComparisonResult> comparisons, List<String> variants) {
        return HtmlBlocks.of(ForestPlot.of(comparisons, variants)).toString();
    }

    @Test
    void pointsBeyondTheScaleAreDrawnAsArrows() {
        String html = html(List.of(FAR, RATIO), List.of("a", "b"));
        assertThat(html)
                .contains("class=\"beyond c2\"", "e2e p99 0.020× [0.010×, ?], better, beyond this scale")
                .contains(", continues beyond this scale", "An arrow marks a value beyond the scale.")
                .containsPattern("class=\"dot c2\"[^>]*><title>response p99")
                .doesNotContainPattern("class=\"dot c2\"[^>]*><title>e2e p99");
        assertThat(html(List.of(RATIO), List.of("a", "b"))).doesNotContain("beyond");
    }

    @Test
    void theNoiseFloorIsCalledWhatItIs() {
        assertThat(html(List.of(RATIO), List.of("a", "b")))
                .contains(">smallest detectable difference</a></th>")
                .doesNotContain("could have seen");
    }

    @Test
    void metricWithoutRatioIsListedAndNotCharted() {
        String html = html(List.of(COUNT), List.of("a", "b"));
        assertThat(html).contains(">unsent<", ">50,797<").doesNotContain("<svg");
    }

    @Test
    void ratiosAreChartedAndListed() {
        String html = html(List.of(RATIO, COUNT), List.of("a", "b"));
        assertThat(html).contains("<svg", "response p99 2.00× [1.50×, 2.50×], worse", "1.50× … 2.50×", ">unsent<");
    }
}
