package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import weir.judge.Comparisons;
import weir.plan.CompareSpec;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.ComparisonResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

class ClientOrBrokerTest {
    @Test
    void clientThatStopsBelowTheWireEngineIsTheLimit() {
        assertThat(sentence(new double[] {300_000}, new double[] {750_000}))
                .isEqualTo("The client is the limit of sending, 300,000/s; the brokers can receive 2.50× as much: the"
                        + " wire engine reached 750,000/s.");
    }

    @Test
    void brokersAreTheLimitWhenTheWireEngineGetsNoFurther() {
        assertThat(sentence(new double[] {300_000}, new double[] {310_000}))
                .isEqualTo(
                        "With one connection to each broker, the brokers are the limit: the wire engine is not faster than your "
                                + "client, which reached 300,000/s.");
    }

    @Test
    void withRepeatsTheIntervalDecides() {
        double[] quiet = {300_000, 301_000, 299_000, 300_500};
        assertThat(sentence(quiet, new double[] {360_000, 361_000, 359_000, 360_500}))
                .contains("the brokers can receive 1.20× [1");
        assertThat(sentence(quiet, new double[] {200_000, 600_000, 250_000, 700_000}))
                .isEmpty();
    }

    @Test
    void singlePassGivesNoSentenceForASmallDifference() {
        assertThat(sentence(new double[] {300_000}, new double[] {350_000})).isEmpty();
    }

    @Test
    void capacityWithoutABrokenStepIsALowerBound() {
        double[][] held = {{100, 100, 2}, {200, 200, 2}};
        double[][] stopped = {{100, 100, 2}, {200, 120, 900}};
        assertThat(ClientOrBroker.sentence(List.of(
                        engine(Trials.stepped("c", 1, stopped), "client", Map.of()),
                        engine(Trials.stepped("w", 1, held), "wire", Map.of()))))
                .contains("the brokers can receive at least 1.67× as much")
                .endsWith("200/s, its whole offered rate.");
        assertThat(ClientOrBroker.sentence(List.of(
                        engine(Trials.stepped("c", 1, held), "client", Map.of()),
                        engine(Trials.stepped("w", 1, held), "wire", Map.of()))))
                .isEmpty();
    }

    @Test
    void loadsThatDifferBesidesTheEngineAreNotCompared() {
        TrialResult client = engine(Trials.max("c", 1, 100_000), "client", Map.of("load.value.size", "1B"));
        TrialResult wire = engine(Trials.max("w", 1, 900_000), "wire", Map.of("load.value.size", "4B"));
        assertThat(ClientOrBroker.sentence(List.of(client, wire))).isEmpty();
        TrialResult more = engine(Trials.max("c", 1, 100_000), "client", Map.of("load.producer.buffer.memory", "1"));
        assertThat(ClientOrBroker.sentence(List.of(more, engine(Trials.max("w", 1, 900_000), "wire", Map.of()))))
                .isNotEmpty();
    }

    @Test
    void theWireEngineMayHaveMoreConnectionsAndNotFewer() {
        Map<String, String> one = Map.of("load.producers", "1");
        Map<String, String> eight = Map.of("load.producers", "8");
        TrialResult wide = engine(Trials.max("w", 1, 310_000), "wire", eight);
        assertThat(ClientOrBroker.sentence(List.of(engine(Trials.max("c", 1, 300_000), "client", one), wide)))
                .startsWith("With 8 connections to each broker, the brokers are the limit");
        TrialResult narrow = engine(Trials.max("w", 1, 310_000), "wire", one);
        assertThat(ClientOrBroker.sentence(List.of(engine(Trials.max("c", 1, 300_000), "client", eight), narrow)))
                .isEmpty();
    }

    @Test
    void clientOrBrokerSentenceIsInTheAnswer() {
        List<TrialResult> trials = List.of(
                engine(Trials.max("c", 1, 300_000), "client", Map.of()),
                engine(Trials.max("w", 1, 900_000), "wire", Map.of()));
        assertThat(MadeUpFindings.of(trials).answer()).contains("the brokers can receive 3.00× as much");
    }

    private static String sentence(double[] client, double[] wire) {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < client.length; i++) {
            trials.add(engine(Trials.max("c", i + 1, client[i]), "client", Map.of()));
            trials.add(engine(Trials.max("w", i + 1, wire[i]), "wire", Map.of()));
        }
        return ClientOrBroker.sentence(trials);
    }

    private static TrialResult engine(TrialResult trial, String engine, Map<String, String> more) {
        TreeMap<String, String> settings = new TreeMap<>(more);
        settings.put("load.engine", engine);
        return Trials.with(settings, trial);
    }

    private static StepResult step(double from) {
        return RecordKeys.with(
                Trials.step(100, 2, from, Trials.figures(Map.of(), Map.of(), Map.of())), Map.of("seconds", 3.0));
    }

    @Test
    void answerScopeExcludesRestsBetweenSteps() {
        assertThat(AnswerScope.when(List.of(step(8), step(12), step(16))))
                .isEqualTo(" (seconds 8 to 19 of a trial, without the rests between steps)");
        assertThat(AnswerScope.when(List.of(step(8), step(11)))).isEqualTo(" (seconds 8 to 14 of a trial)");
    }

    private static DisturbanceResult crash(double gap, boolean recovered, @Nullable Double recovery) {
        return new DisturbanceResult(
                "crash", "broker 2 is killed", 15, 19.0, gap, recovered, recovery, 4, null, null, null);
    }

    private static TrialResult trial(String variant, int repeat, DisturbanceResult... disturbances) {
        return Trials.disturbed(Trials.max(variant, repeat, 100, 4), List.of(disturbances));
    }

    private static String said(List<TrialResult> trials) {
        return MadeUpFindings.of(trials).said(DisturbanceSentence::of);
    }

    @Test
    void disturbanceSentenceUsesTheMedianTrial() {
        assertThat(said(List.of(
                        trial("one", 1, crash(0, true, 4.0)),
                        trial("one", 2, crash(0, true, 6.0)),
                        trial("one", 3, crash(1, true, 5.0)),
                        trial("all", 1, crash(7, true, 0.0)),
                        trial("quiet", 1))))
                .isEqualTo("“crash”: “one” never stops for a second, recovers 5 s later, nothing lost;"
                        + " “all” has a gap of"
                        + " 7 s in all partitions, recovers at once, nothing lost; no verdict, one trial each.");
    }

    /** The trial ended before the disturbance began. */
    @Test
    void aTrialThatWasNeverDisturbedDoesNotCount() {
        String said = "“crash”: the load has a gap of 2 s in all partitions, recovers 4 s later," + " nothing lost.";
        assertThat(said(List.of(trial("base", 1, crash(2, true, 4.0)), trial("base", 2))))
                .isEqualTo(said);
        assertThat(said(List.of(trial("base", 1), trial("base", 2, crash(2, true, 4.0)))))
                .isEqualTo(said);
    }

    @Test
    void missingRecoveryIsReportedWithItsTrialCount() {
        assertThat(said(List.of(trial("base", 1, crash(2, true, 4.0)), trial("base", 2, crash(4, false, 8.0)))))
                .isEqualTo(
                        "“crash”: the load has a gap of 3 s in all partitions, has not recovered within 6 s in 1 of 2 trials,"
                                + " nothing lost.");
    }

    @Test
    void sentenceOfManyVariantsNamesTheExtremes() {
        List<TrialResult> many = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            many.add(trial("v" + i, 1, crash(i == 5 ? 9 : i % 2, true, 0.0)));
        }
        assertThat(said(many))
                .isEqualTo("“crash”, in 7 variants: all of them lost nothing; 3 of them never stopped for a second, and"
                        + " “v5” stopped longest, for 9 s; no verdict, one trial each.");
    }

    @Test
    void missingRecoveryIsReportedWithoutAVisibleCost() {
        List<TrialResult> trials =
                List.of(during(trial("quiet", 1), 272), during(trial("stressed", 1, neighbour(false, 20.0)), 149));
        List<ComparisonResult> compared =
                Comparisons.of(List.of(new CompareSpec.Over("stressed", "quiet")), List.of(), trials);
        assertThat(MadeUpFindings.of(trials).comparing(compared).said(DisturbanceSentence::of))
                .isEqualTo("“neighbour”: response p99 during it is 0.55× (stressed / quiet); “stressed” has"
                        + " not recovered within 20 s; no verdict, one trial each.");
    }

    @Test
    void trialWithoutDisturbanceHasNoSentence() {
        assertThat(said(List.of(trial("base", 1)))).isEmpty();
    }

    /** Returns the conclusion about a neighbour, from the response p99 of each trial. */
    private static String neighbour(double[] quiet, double[] stressed, double[] limited) {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < quiet.length; i++) {
            trials.add(during(trial("quiet", i + 1), quiet[i]));
            trials.add(during(trial("stressed", i + 1, neighbour(true, 0.0)), stressed[i]));
            trials.add(during(trial("limited", i + 1, neighbour(true, 0.0)), limited[i]));
        }
        List<ComparisonResult> compared = Comparisons.of(
                List.of(
                        new CompareSpec.Over("stressed", "quiet"),
                        new CompareSpec.Between("limited", "stressed", "quiet")),
                List.of(),
                trials);
        return MadeUpFindings.of(trials).comparing(compared).said(DisturbanceSentence::of);
    }

    private static DisturbanceResult neighbour(boolean recovered, double recovery) {
        return new DisturbanceResult(
                "neighbour", "four threads", 15, 19.0, 0, recovered, recovery, null, null, null, null);
    }

    private static TrialResult during(TrialResult trial, double p99) {
        LatencyResult response =
                new LatencyResult(p99 / 2, p99 / 1.5, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 2, 10_000, null, null);
        return Trials.during(trial, Trials.during("neighbour", response));
    }

    @Test
    void neighbourSentenceHasItsCostAndTheRecoveredShare() {
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
    void invisibleCostHasNoRecoveredShare() {
        assertThat(neighbour(new double[] {272}, new double[] {149}, new double[] {210}))
                .isEqualTo("“neighbour”: response p99 during it is 0.55× (stressed / quiet); no"
                        + " verdict, one trial each.");
        assertThat(neighbour(
                        new double[] {10, 14, 9, 12}, new double[] {12, 10, 15, 13}, new double[] {11, 12, 11, 12}))
                .startsWith("“neighbour” has no visible effect on response p99 during it: 1.1")
                .contains("(stressed / quiet), smallest visible change ")
                .doesNotContain("recovers");
    }
}
