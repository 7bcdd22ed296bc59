package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PlotTest {
    private static final AxisScale EVEN = new AxisScale.Linear(0, 100);

    private static Plot plot(AxisScale x, AxisScale y) {
        return new Plot("title", x, y, 530, 300, 24);
    }

    /** The numbers that a pattern finds in a drawing. */
    private static List<Double> numbers(Plot plot, String pattern) {
        return Pattern.compile(pattern)
                .matcher(plot.svg("t").toString())
                .results()
                .map(MatchResult::group)
                .map(found -> Double.valueOf(found.replaceAll(".*\"([-0-9.]+)\"$", "$1")))
                .toList();
    }

    @Test
    void anAxisSaysThatItIsLogarithmic() {
        assertThat(plot(new AxisScale.Log(1, 100), EVEN)
                        .axes("offered, records/s", "ms")
                        .svg("t")
                        .toString())
                .contains(">offered, records/s, logarithmic</text>", ">ms</text>");
        assertThat(Plot.rows("title", new AxisScale.Log(1, 100), "ratio", List.of("a"), Plot.Width.BROAD)
                        .svg("t")
                        .toString())
                .contains(">ratio, logarithmic</text>");
    }

    @Test
    void namesOfMarksThatStandCloseDoNotLieOnEachOther() {
        Plot plot = plot(EVEN, EVEN)
                .mark(40, "sustained to 40,000/s")
                .mark(42, "sustained to 42,000/s")
                .mark(41, "paused");
        assertThat(numbers(plot, "<text x=\"[0-9.]+\" y=\"[0-9.]+\""))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void aNameThatWouldLeaveTheDrawingStandsBeforeItsPoint() {
        String inside = plot(EVEN, EVEN).name(10, 50, "c1", "p99.9").svg("t").toString();
        String edge = plot(EVEN, EVEN).name(100, 50, "c1", "p99.9").svg("t").toString();
        assertThat(inside).contains("text-anchor=\"start\">p99.9");
        assertThat(edge).contains("text-anchor=\"end\">p99.9");
    }

    @Test
    void theLabelsOfAnAxisHaveTheRoomTheyNeed() {
        Plot large = plot(EVEN, new AxisScale.Linear(0, 5_000_000)).axes("s", "records/s");
        double start = numbers(large, "<line x1=\"[0-9.]+\"").get(0);
        assertThat(start).isGreaterThan("5,000,000".length() * 7.0);
    }

    @Test
    void longNamesOfRowsStandAboveThem() {
        String longer = "big-batches / small-batches, response p99.9 at 120,000/s";
        String html = Plot.rows("title", EVEN, "%", List.of(longer), Plot.Width.BROAD)
                .svg("t")
                .toString();
        assertThat(html).contains("text-anchor=\"start\">" + longer);
    }

    @Test
    void aPointBeyondTheScaleIsAnArrowAtItsEdge() {
        String html = plot(EVEN, EVEN).dot(50, 130, "c1", "130 ms").svg("t").toString();
        assertThat(html)
                .contains("class=\"beyond c1\"", "130 ms, beyond this scale")
                .doesNotContain("<circle");
        assertThat(plot(EVEN, EVEN).dot(50, 100, "c1", "100 ms").svg("t").toString())
                .contains("<circle")
                .doesNotContain("beyond");
    }
}
