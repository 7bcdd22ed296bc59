package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SvgChartTest {
    private static final AxisScale EVEN = new AxisScale.Linear(0, 100);

    private static Chart chart(AxisScale x, AxisScale y) {
        return new Chart("title", Axis.of("offered, records/s", x), Axis.of("ms", y));
    }

    private static String svg(Chart chart) {
        Html html = new Html();
        SvgChart.draw(html, chart, "t");
        return html.toString();
    }

    /** The numbers that a pattern finds in a drawing. */
    private static List<Double> numbers(Chart chart, String pattern) {
        return Pattern.compile(pattern)
                .matcher(svg(chart))
                .results()
                .map(MatchResult::group)
                .map(found -> Double.valueOf(found.replaceAll(".*\"([-0-9.]+)\"$", "$1")))
                .toList();
    }

    @Test
    void anAxisSaysThatItIsLogarithmic() {
        assertThat(svg(chart(new AxisScale.Log(1, 100), EVEN)))
                .contains(">offered, records/s, logarithmic</text>", ">ms</text>");
        assertThat(svg(Chart.ofRows("title", Axis.of("ratio", new AxisScale.Log(1, 100)), List.of("a"))))
                .contains(">ratio, logarithmic</text>");
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
    void namesOfMarksThatStandCloseDoNotLieOnEachOther() {
        Chart chart = chart(EVEN, EVEN)
                .mark(40, "sustained to 40,000/s")
                .mark(42, "sustained to 42,000/s")
                .mark(41, "paused");
        assertThat(numbers(chart, "class=\"mark\">.*?<text x=\"[0-9.]+\" y=\"[0-9.]+\""))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void aNameThatWouldLeaveTheDrawingStandsBeforeItsPoint() {
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
    void longNamesOfRowsStandAboveThem() {
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
}
