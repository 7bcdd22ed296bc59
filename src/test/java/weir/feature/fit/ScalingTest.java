package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.fit.ScalingResult.Curve;
import weir.feature.fit.ScalingResult.Estimate;
import weir.feature.fit.ScalingResult.Fitted;
import weir.feature.fit.ScalingResult.Law;
import weir.feature.fit.ScalingResult.Limit;
import weir.feature.fit.ScalingResult.Limited;
import weir.feature.fit.ScalingResult.Point;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;

class ScalingTest {
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
                        "“&lt;3&gt;”: one producer carries 1,000/s [900/s, 1,100/s]; 5 producers carry 2,000/s, 40 % [36 %, 44 %] of 5 times that rate.")
                .contains("By the fitted law, the efficiency falls below 80 % at 3 [2, more than 10] producers")
                .contains("there is no peak up to 10, but there may be a peak from 7 on")
                .contains("The limit at 5 producers is the machine (2 cores 97 % busy).")
                .contains("σ = 0.1 [0.09, 0.11] and κ = 0.02 [0.018, 0.022]")
                .contains("The law misses the measured rate by more than 20 % at 5 producers.")
                .contains("class=\"area c1\"", "class=\"area c2\"", "class=\"line c1 dashed ideal\"")
                .containsPattern("(?s)id=\"t-scaling-0\".*&lt;3&gt;.*>5<.*>-28.1 %<.*>the machine .2 cores 97 % busy.<")
                .doesNotContain("<3>");
    }

    @Test
    void pointsAndReasonAreShownIfThereIsNoLaw() {
        Curve few = new Curve(
                "",
                List.of(new Point(1, 1, of(1_000), new Estimate(1.0, null, null), null, Limit.UNKNOWN)),
                null,
                "a scaling law needs 4 different numbers, found 1");
        assertThat(HtmlReport.of(run(few)))
                .contains("No scaling law for producers: a scaling law needs 4 different numbers, found 1.")
                .containsPattern("(?s)id=\"t-scaling-0\".*>1,000/s .900/s, 1,100/s.<.*>unknown<")
                .doesNotContain("class=\"area c");
    }

    @Test
    void terminalShowsRateEfficiencyAndLimitOfEachNumber() {
        assertThat(TextReport.of(run(curve(""))).replaceAll("\\s+", " "))
                .contains(
                        "producers: 1: 1,000/s (100 %, limit: unknown); 5: 2,000/s (40 % [36 %, 44 %], limit: the machine)")
                .contains("γ = 1,000/s [900/s, 1,100/s]");
    }

    @Test
    void terminalShowsNoTermsOfAVagueLaw() {
        Curve sure = curve("");
        Law law = new Law(
                new Estimate(1_246_277.0, 139_269.0, 20_580_445.0),
                new Estimate(0.0, 0.0, 48.6),
                new Estimate(0.45, 0.0, 16.7),
                new Estimate(1.5, 1.0, null),
                new Estimate(1.5, 1.0, null),
                Objects.requireNonNull(sure.law()).line());
        List<Point> points = List.of(
                new Point(1, 1, new Estimate(1_000.0, null, null), new Estimate(1.0, null, null), of(1_000), CORES),
                new Point(4, 1, new Estimate(800.0, null, null), new Estimate(0.2, null, null), of(900), CORES));
        RunFolder run = run(new Curve("", points, law, ""));
        assertThat(TextReport.of(run).replaceAll("\\s+", " "))
                .contains("producers: 1: 1,000/s (100 %, limit: the machine); 4: 800/s (20 %, limit: the machine)")
                .doesNotContain("γ", "σ");
        assertThat(HtmlReport.of(run)).contains("Too few trials for a scaling law for producers: 1 carried 1,000/s");
    }

    @Test
    void efficiencyByTheLawIsMarkedIfOneWasNotMeasured() {
        Curve one = curve("");
        Curve two = new Curve(
                "",
                List.of(
                        new Point(2, 2, of(1_900), of(0.67), of(1_900), Limit.UNKNOWN),
                        new Point(5, 2, of(2_000), of(0.4), of(2_780), CORES)),
                one.law(),
                "");
        RunFolder run = run(two);
        assertThat(TextReport.of(run).replaceAll("\\s+", " "))
                .contains("producers: 2: 1,900/s (67 % [60.3 %, 73.7 %] by the law, limit: unknown)");
        assertThat(HtmlReport.of(run)).contains(">40 % [36 %, 44 %] by the law<");
    }

    @Test
    void curveWithoutPointsShowsItsReason() {
        Curve none =
                new Curve("", List.of(), null, "Weir excludes trials that carried no record: 1 of 1 at 1 producers");
        assertThat(HtmlReport.of(run(none))).contains("excludes trials that carried no record: 1 of 1 at 1 producers.");
        assertThat(TextReport.of(run(none)))
                .contains("producers: Weir excludes trials that carried no record: 1 of 1 at 1 producers\n");
    }
}
