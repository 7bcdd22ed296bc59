package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.results.ComparisonResult;

class ForestTest {
    private static final ComparisonResult COUNT =
            new ComparisonResult("b", "a", null, "unsent", 50_797.0, 0.0, null, null, null, "no verdict", null);

    private static final ComparisonResult RATIO =
            new ComparisonResult("b", "a", null, "response p99", 20.0, 10.0, 2.0, 1.5, 2.5, "worse", 1.2);

    @Test
    void whatHasNoRatioIsToldAndNotDrawn() {
        String html = Forest.html(List.of(COUNT), List.of("a", "b")).toString();
        assertThat(html).contains(">unsent<", ">50,797<").doesNotContain("<svg");
    }

    @Test
    void ratiosAreDrawnAndStandInTheTableWithTheRest() {
        String html = Forest.html(List.of(RATIO, COUNT), List.of("a", "b")).toString();
        assertThat(html).contains("<svg", "response p99 2.00×, worse", "1.50× … 2.50×", ">unsent<");
    }
}
