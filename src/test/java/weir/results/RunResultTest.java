package weir.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.judge.BreakingPoints;
import weir.measure.Balances;
import weir.measure.LatencyKind;
import weir.plan.RecordKeys;
import weir.plan.syntax.CaveatType;
import weir.results.value.BreakingPointResult;
import weir.results.value.Caveat;
import weir.results.value.Conclusion;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

class RunResultTest {
    private static final LatencyResult RESPONSE = new LatencyResult(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.5, 10, null, null);

    static Figures figures() {
        return Trials.figures(
                Balances.counts("due 10, unsent 0, sent 10, acked 10, failed 0, aborted 0, unresolved 0"),
                Map.of(RateKind.OFFERED, 100.0, RateKind.ACKED, 99.5, RateKind.MEBIBYTES, 0.1),
                Map.of(LatencyKind.RESPONSE, RESPONSE));
    }

    static TrialResult trial() {
        return RecordKeys.with(
                Trials.trial("base", 1, figures(), List.of(Trials.step(100, 2, 5, figures()))),
                Map.of(
                        "settings",
                        new TreeMap<>(Map.of("load.rate", "100/s")),
                        "generator",
                        new GeneratorResult(900.0, 120.5, 1e6, "without encryption and login", List.of(), 1)));
    }

    @Test
    void resultJsonHasFiguresPerTrialAndNullForMissingOnes(@TempDir Path dir) throws Exception {
        RunResult run = RecordKeys.with(
                RunResult.NONE, Map.of("name", "hello", "trials", List.of(trial()), "conclusion.answer", "acked 99/s"));

        assertThat(run.toJson())
                .contains("\"offeredPerSecond\" : 100.0", "\"p99.9\" : 4.0", "\"p99.99\" : 5.0", "\"received\" : null")
                .doesNotContain("figures", "p999", "tunings", "capacities");
        Path file = Files.writeString(dir.resolve("r.json"), run.toJson());
        assertThat(ResultJson.read(file, RunResult.class)).isEqualTo(run);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"acked\" : \\d+          | \"acked\" : -1           | is below 0: -1",
                "\"seconds\" : [\\d.]+     | \"seconds\" : 1e999      | is no number",
                "\"seconds\" : [\\d.]+     | \"seconds\" : \"1\"    | trials[0].seconds must be a number",
                "\"variant\" : \"\\w+\"  | \"variant\" : null       | trials[0].variant is missing",
                "\"caveats\" : \\[ \\]   | \"caveats\" : [ null ]   | caveats[0] is missing",
                "\"conclusion\" :            | \"conclusions\" :        | conclusion is missing"
            })
    void aValueThatNoRunWritesIsRefused(String written, String wrong, String told, @TempDir Path dir) throws Exception {
        String json = run(List.of(trial()), List.of()).toJson().replaceFirst(written, wrong);
        Path file = Files.writeString(dir.resolve("r.json"), json);
        assertThatThrownBy(() -> ResultJson.read(file, RunResult.class)).hasMessageEndingWith(told);
    }

    private static RunResult run(List<TrialResult> trials, List<Caveat> caveats) {
        return RecordKeys.with(RunResult.NONE, Map.of("trials", trials, "caveats", caveats));
    }

    @Test
    void aConclusionHasItsBreakingPoints(@TempDir Path dir) throws Exception {
        TrialResult trial = Trials.stepped("a", 1, new double[][] {{100, 100, 2}, {200, 100, 900}});
        BreakingPointResult point = BreakingPoints.of("a", List.of("lost == 0"), List.of(trial));
        RunResult plain = run(List.of(trial), List.of());
        RunResult run = RecordKeys.with(
                RunResult.NONE,
                Map.of("trials", List.of(trial), "conclusion", Conclusion.of(List.of(point), SearchResults.NONE)));
        assertThat(run.toJson()).contains("\"breakingPoint\" : {", "\"breakingPoints\" : [ {", "\"rate\" : 200.0");
        Path file = Files.writeString(dir.resolve("r.json"), run.toJson());
        assertThat(ResultJson.read(file, RunResult.class)).isEqualTo(run);
        String cut = plain.toJson().replaceAll("(?s),\\s*\"breakingPoints\" : \\[ \\]", "");
        assertThatThrownBy(() -> ResultJson.read(Files.writeString(dir.resolve("cut.json"), cut), RunResult.class))
                .isInstanceOf(UnreadableRunException.class);
    }

    @Test
    void aRunIsWholeWhenEveryTrialRanToItsEnd() {
        RequestedExperiment.Variant twice = new RequestedExperiment.Variant("base", 2, new TreeMap<>(), List.of());
        RequestedExperiment asked = Trials.asked("e", twice);
        Caveat interrupted = Caveat.of(CaveatType.named("interrupted"), 2, "Ctrl-C");
        assertThat(run(List.of(), List.of()).whole(asked)).isFalse();
        assertThat(run(List.of(trial(), trial()), List.of(interrupted)).whole(asked))
                .isFalse();
        assertThat(run(List.of(trial(), trial()), List.of()).whole(asked)).isTrue();
    }

    private static RunState of(boolean whole, CaveatType... types) {
        return RunState.of(
                List.of(types).stream().map(type -> Caveat.of(type, 1, "")).toList(), whole);
    }

    @Test
    void aDoubtMakesARunSuspectAndANoteDoesNot() {
        assertThat(of(true)).isEqualTo(RunState.VALID);
        assertThat(of(true, CaveatType.named("thin-percentile"))).isEqualTo(RunState.VALID);
        assertThat(of(true, CaveatType.named("shared-cores"))).isEqualTo(RunState.SUSPECT);
        assertThat(of(true, CaveatType.named("shared-cores"), CaveatType.named("not-steady")))
                .isEqualTo(RunState.INVALID);
        assertThat(of(false, CaveatType.named("shared-cores"))).isEqualTo(RunState.UNFINISHED);
    }
}
