package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

class ClientOrBrokerTest {
    @Test
    void clientThatStopsBelowTheWireEngineIsTheLimit() {
        assertThat(sentence(new double[] {300_000}, new double[] {750_000}))
                .isEqualTo("This is what your client can send, 300,000/s; the brokers can take 2.50× as much: the wire"
                        + " engine got to 750,000/s.");
    }

    @Test
    void brokersAreTheLimitWhenTheWireEngineGetsNoFurther() {
        assertThat(sentence(new double[] {300_000}, new double[] {310_000}))
                .isEqualTo(
                        "With one connection to each, the brokers are the limit: the wire engine gets no further than"
                                + " your client, 300,000/s.");
    }

    @Test
    void withRepeatsTheIntervalDecides() {
        double[] quiet = {300_000, 301_000, 299_000, 300_500};
        assertThat(sentence(quiet, new double[] {360_000, 361_000, 359_000, 360_500}))
                .contains("the brokers can take 1.20× [");
        assertThat(sentence(quiet, new double[] {200_000, 600_000, 250_000, 700_000}))
                .isEmpty();
    }

    @Test
    void onePassSaysNothingAboutASmallDifference() {
        assertThat(sentence(new double[] {300_000}, new double[] {350_000})).isEmpty();
    }

    @Test
    void stagesThatWereAllHeldAreALowerBound() {
        double[][] held = {{100, 100, 2}, {200, 200, 2}};
        double[][] stopped = {{100, 100, 2}, {200, 120, 900}};
        assertThat(ClientOrBroker.sentence(List.of(
                        engine(Trials.stepped("c", 1, stopped), "client", Map.of()),
                        engine(Trials.stepped("w", 1, held), "wire", Map.of()))))
                .contains("the brokers can take at least 1.67× as much")
                .endsWith("200/s, all it was offered.");
        assertThat(ClientOrBroker.sentence(List.of(
                        engine(Trials.stepped("c", 1, held), "client", Map.of()),
                        engine(Trials.stepped("w", 1, held), "wire", Map.of()))))
                .isEmpty();
    }

    @Test
    void loadsThatDifferInMoreAreNotHeldAgainstEachOther() {
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
                .startsWith("With 8 connections to each, the brokers are the limit");
        TrialResult narrow = engine(Trials.max("w", 1, 310_000), "wire", one);
        assertThat(ClientOrBroker.sentence(List.of(engine(Trials.max("c", 1, 300_000), "client", eight), narrow)))
                .isEmpty();
    }

    @Test
    void sentenceStandsInTheAnswer() {
        List<TrialResult> trials = List.of(
                engine(Trials.max("c", 1, 300_000), "client", Map.of()),
                engine(Trials.max("w", 1, 900_000), "wire", Map.of()));
        assertThat(Conclusions.of(MadeUpFindings.of(trials).findings()).answer())
                .contains("the brokers can take 3.00× as much");
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
    void theSecondsOfStepsWithRestsBetweenThemSayThatTheRestsAreNotCounted() {
        assertThat(AnswerScope.when(List.of(step(8), step(12), step(16))))
                .isEqualTo(" (seconds 8 to 19 of a trial, without the rests between steps)");
        assertThat(AnswerScope.when(List.of(step(8), step(11)))).isEqualTo(" (seconds 8 to 14 of a trial)");
    }
}
