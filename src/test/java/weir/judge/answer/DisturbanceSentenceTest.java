package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import weir.judge.Comparisons;
import weir.plan.CompareSpec;
import weir.results.Trials;
import weir.results.value.ComparisonResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.LatencyResult;
import weir.results.value.TrialResult;

class DisturbanceSentenceTest {
    private static DisturbanceResult crash(double gap, boolean recovered, @Nullable Double recovery) {
        return new DisturbanceResult(
                "crash", "broker 2 is killed", 15, 19.0, gap, recovered, recovery, 4, null, null, null);
    }

    private static TrialResult trial(String variant, int repeat, DisturbanceResult... disturbances) {
        return Trials.disturbed(Trials.max(variant, repeat, 100, 4), List.of(disturbances));
    }

    private static String said(List<TrialResult> trials) {
        return MadeUpFindings.said(
                DisturbanceSentence.of(MadeUpFindings.of(trials).findings()));
    }

    @Test
    void eachVariantIsToldWithTheMedianOfItsTrials() {
        assertThat(said(List.of(
                        trial("one", 1, crash(0, true, 4.0)),
                        trial("one", 2, crash(0, true, 6.0)),
                        trial("one", 3, crash(1, true, 5.0)),
                        trial("all", 1, crash(7, true, 0.0)),
                        trial("quiet", 1))))
                .isEqualTo(
                        "“crash”: “one” never stops for a second, recovers 5 s after its end, nothing lost; “all” has a gap of"
                                + " 7 s in all partitions, recovers at once, nothing lost; no verdict, one trial each.");
    }

    /** It ended before the disturbance was to begin. */
    @Test
    void aTrialThatWasNeverDisturbedDoesNotCount() {
        String said = "“crash”: the load has a gap of 2 s in all partitions, recovers 4 s after its end, nothing lost.";
        assertThat(said(List.of(trial("base", 1, crash(2, true, 4.0)), trial("base", 2))))
                .isEqualTo(said);
        assertThat(said(List.of(trial("base", 1), trial("base", 2, crash(2, true, 4.0)))))
                .isEqualTo(said);
    }

    @Test
    void whatDoesNotRecoverIsSaidOfAsManyTrials() {
        assertThat(said(List.of(trial("base", 1, crash(2, true, 4.0)), trial("base", 2, crash(4, false, 8.0)))))
                .isEqualTo(
                        "“crash”: the load has a gap of 3 s in all partitions, has not recovered within 6 s in 1 of 2 trials,"
                                + " nothing lost.");
    }

    @Test
    void ofManyVariantsTheExtremesAreTold() {
        List<TrialResult> many = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            many.add(trial("v" + i, 1, crash(i == 5 ? 9 : i % 2, true, 0.0)));
        }
        assertThat(said(many))
                .isEqualTo("“crash”, in 7 variants: all of them lost nothing; 3 of them never stopped for a second, and"
                        + " “v5” stopped longest, for 9 s; no verdict, one trial each.");
    }

    @Test
    void aCostThatIsNotSeenDoesNotHideThatTheLoadHasNotRecovered() {
        List<TrialResult> trials = List.of(
                during(trial("quiet", 1), 272),
                during(
                        trial(
                                "stressed",
                                1,
                                new DisturbanceResult(
                                        "neighbour", "all of it", 15, 19.0, 0, false, 20.0, null, null, null, null)),
                        149));
        List<ComparisonResult> compared =
                Comparisons.of(List.of(new CompareSpec.Over("stressed", "quiet")), List.of(), trials);
        assertThat(MadeUpFindings.said(DisturbanceSentence.of(
                        MadeUpFindings.of(trials).comparing(compared).findings())))
                .isEqualTo("“neighbour”: response p99 during it is 0.55× (stressed / quiet); “stressed” has"
                        + " not recovered within 20 s; no verdict, one trial each.");
    }

    @Test
    void undisturbedThereIsNothingToSay() {
        assertThat(said(List.of(trial("base", 1)))).isEmpty();
    }

    /** A neighbour in "stressed" and "limited", and the response p99 in its seconds. */
    private static String neighbour(double[] quiet, double[] stressed, double[] limited) {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < quiet.length; i++) {
            trials.add(during(trial("quiet", i + 1), quiet[i]));
            trials.add(during(trial("stressed", i + 1, neighbour()), stressed[i]));
            trials.add(during(trial("limited", i + 1, neighbour()), limited[i]));
        }
        List<ComparisonResult> compared = Comparisons.of(
                List.of(
                        new CompareSpec.Over("stressed", "quiet"),
                        new CompareSpec.Between("limited", "stressed", "quiet")),
                List.of(),
                trials);
        return MadeUpFindings.said(DisturbanceSentence.of(
                MadeUpFindings.of(trials).comparing(compared).findings()));
    }

    private static DisturbanceResult neighbour() {
        return new DisturbanceResult("neighbour", "all of it", 15, 19.0, 0, true, 0.0, null, null, null, null);
    }

    private static TrialResult during(TrialResult trial, double p99) {
        LatencyResult response =
                new LatencyResult(p99 / 2, p99 / 1.5, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 2, 10_000, null, null);
        return Trials.during(trial, Trials.during("neighbour", response));
    }

    @Test
    void aNeighbourIsSaidByItsCostAndByTheShareThatAMeasureRecovers() {
        assertThat(neighbour(
                        new double[] {10, 10.1, 9.9, 10}, new double[] {41, 40, 42, 41}, new double[] {14, 15, 14, 15}))
                .matches(
                        "“neighbour” multiplies response p99 during it by 4\\.10 \\[3\\.\\d+, 4\\.\\d+]; “limited” recovers 85\\.\\d %"
                                + " \\[.*]\\.");
        assertThat(neighbour(new double[] {10}, new double[] {41}, new double[] {14}))
                .isEqualTo(
                        "“neighbour” multiplies response p99 during it by 4.10; “limited” recovers 87.1 %; no verdict, one trial"
                                + " each.");
    }

    @Test
    void aCostThatIsNotSeenIsNoneAndNothingOfItIsRecovered() {
        assertThat(neighbour(new double[] {272}, new double[] {149}, new double[] {210}))
                .isEqualTo("“neighbour”: response p99 during it is 0.55× (stressed / quiet); no"
                        + " verdict, one trial each.");
        assertThat(neighbour(
                        new double[] {10, 14, 9, 12}, new double[] {12, 10, 15, 13}, new double[] {11, 12, 11, 12}))
                .startsWith("“neighbour” cost no response p99 that can be seen during it: 1.1")
                .contains("(stressed / quiet), smallest visible change ")
                .doesNotContain("recovers");
    }
}
