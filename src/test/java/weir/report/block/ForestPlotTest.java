package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.results.value.ComparisonResult;

class ForestPlotTest {
    private static final ComparisonResult COUNT = new ComparisonResult(
            "b", "a", null, "unsent", 50_797.0, 0.0, null, null, null, "no verdict", null, List.of(), "", List.of());

    private static final ComparisonResult RATIO = new ComparisonResult(
            "b", "a", null, "response p99", 20.0, 10.0, 2.0, 1.5, 2.5, "worse", 1.2, List.of(), "", List.of());

    private static final ComparisonResult FAR = new ComparisonResult(
            "b", "a", null, "e2e p99", 1.0, 50.0, 0.02, 0.01, null, "better", 1.2, List.of(), "", List.of());

    private static String html(List<ComparisonResult> comparisons, List<String> variants) {
        return HtmlBlocks.of(ForestPlot.of(comparisons, variants)).toString();
    }

    @Test
    void whatLiesBeyondTheScaleIsAnArrow() {
        String html = html(List.of(FAR, RATIO), List.of("a", "b"));
        assertThat(html)
                .contains("class=\"beyond c2\"", "e2e p99 0.020× [0.010×, ?], better, beyond this scale")
                .contains("goes on beyond this scale", "An arrow points at what lies beyond the scale.")
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
    void whatHasNoRatioIsToldAndNotDrawn() {
        String html = html(List.of(COUNT), List.of("a", "b"));
        assertThat(html).contains(">unsent<", ">50,797<").doesNotContain("<svg");
    }

    @Test
    void ratiosAreDrawnAndStandInTheTableWithTheRest() {
        String html = html(List.of(RATIO, COUNT), List.of("a", "b"));
        assertThat(html).contains("<svg", "response p99 2.00× [1.50×, 2.50×], worse", "1.50× … 2.50×", ">unsent<");
    }
}
