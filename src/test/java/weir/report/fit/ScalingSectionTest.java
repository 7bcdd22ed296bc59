package weir.report.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.report.HtmlReport;
import weir.report.ScaledRun;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.value.ScalingResult;
import weir.results.value.ScalingResult.Curve;
import weir.results.value.ScalingResult.Estimate;
import weir.results.value.ScalingResult.Fitted;
import weir.results.value.ScalingResult.Law;
import weir.results.value.ScalingResult.Limit;
import weir.results.value.ScalingResult.Limited;
import weir.results.value.ScalingResult.Point;

class ScalingSectionTest {
    private static final Limit CORES = new Limit(Limited.MACHINE, "2 cores 97 % busy");

    @TempDir
    Path dir;

    private static Estimate of(double value) {
        return new Estimate(value, value * 0.9, value * 1.1);
    }

    private static Curve curve(String name) {
        Law law = new Law(
                of(1_000),
                of(0.1),
                of(0.02),
                new Estimate(2.64, 1.9, null),
                new Estimate(null, 6.2, null),
                List.of(new Fitted(1, of(1_000)), new Fitted(5, of(2_780)), new Fitted(10, of(2_702))));
        return new Curve(
                name,
                List.of(
                        new Point(1, 2, of(1_000), new Estimate(1.0, null, null), of(1_000), Limit.UNKNOWN),
                        new Point(5, 2, of(2_000), of(0.4), of(2_780), CORES)),
                law,
                "");
    }

    private RunFolder run(Curve... curves) {
        return ScaledRun.of(dir, List.of(new ScalingResult("load.producers", List.of(curves))));
    }

    @Test
    void eachCurveHasItsAnswerItsLawAndItsLine() {
        String html = HtmlReport.of(run(curve("<3>"), curve("5")));
        assertThat(html)
                .contains(
                        "“&lt;3&gt;”: one producer carries 1,000/s [900/s, 1,100/s], 5 carry 2,000/s (40 % [36 %, 44 %] efficient)")
                .contains("efficiency falls below 80 % at 3 [2, more than 10] producers")
                .contains("no peak is in sight up to 10, though one from 7 on is possible")
                .contains("Limit at 5: the machine (2 cores 97 % busy).")
                .contains("σ = 0.1 [0.09, 0.11] and κ = 0.02 [0.018, 0.022]")
                .contains("The law is more than 20 % off at 5 producers.")
                .contains("class=\"area c1\"", "class=\"area c2\"", "class=\"line c1 dashed ideal\"")
                .containsPattern("(?s)id=\"t-scaling-0\".*&lt;3&gt;.*>5<.*>-28.1 %<.*>the machine .2 cores 97 % busy.<")
                .doesNotContain("<3>");
    }

    @Test
    void withoutALawThePointsAreShownAndTheReason() {
        Curve few = new Curve(
                "",
                List.of(new Point(1, 1, of(1_000), new Estimate(1.0, null, null), null, Limit.UNKNOWN)),
                null,
                "1 different producers do not determine it, it needs 4");
        assertThat(HtmlReport.of(run(few)))
                .contains(
                        "No law of how it scales with producers: 1 different producers do not determine it, it needs 4.")
                .containsPattern("(?s)id=\"t-scaling-0\".*>1,000/s .900/s, 1,100/s.<.*>unknown<")
                .doesNotContain("class=\"area");
    }

    @Test
    void aTerminalShowsTheRateTheEfficiencyAndTheLimitOfEachNumber() {
        assertThat(TextReport.of(run(curve(""))).replaceAll("\\s+", " "))
                .contains(
                        "producers: 1: 1,000/s (100 %, limit: unknown); 5: 2,000/s (40 % [36 %, 44 %], limit: the machine)")
                .contains("γ = 1,000/s [900/s, 1,100/s]");
    }
}
