package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import weir.plan.RecordKeys;
import weir.plan.syntax.CaveatType;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.Trials;
import weir.results.value.Caveat;

/** The caveats of all kinds, each of which reaches the terminal, the JSON and the page. */
class CaveatsAreShownTest {
    @TempDir
    Path dir;

    @Test
    void expectationsThatAreNotJudgedAreCountedAndNamed() {
        RequestedExperiment asked =
                RecordKeys.with(Trials.asked("e"), Map.of("shortened", true, "unjudged", List.of("a < 1s", "b > 2")));
        RunFolder folder = conclude(RunFolder.create(dir, Instant.EPOCH, "name: e\n", asked, path -> {}), List.of());
        String left = "2 of the file are not judged, because this run is short or skips variants: a < 1s; b > 2";
        assertThat(TextReport.of(folder).replaceAll("\\s+", " ")).contains(left);
        assertThat(HtmlReport.of(folder).replace("&lt;", "<").replace("&gt;", ">"))
                .contains(left);
    }

    @Test
    void ackedRateAboveOfferedIsExplainedWithOneTrialAsExample() {
        List<Caveat> two = List.of(
                Caveat.of(CaveatType.named("earlier-records-counted"), null, "acked 320/s"),
                Caveat.of(CaveatType.named("earlier-records-counted"), null, "acked 340/s"));
        assertThat(HeadlineSection.earlier(RunView.of(run(two, Map.of()))))
                .endsWith("acked 320/s (likewise in 1 other trial: see the caveats).");
    }

    private RunFolder run(List<Caveat> caveats, Map<String, String> accepted) {
        return run(dir, caveats, accepted);
    }

    static RunFolder run(Path dir, List<Caveat> caveats, Map<String, String> accepted) {
        RequestedExperiment asked = RecordKeys.with(Trials.asked("e"), Map.of("accepted", new TreeMap<>(accepted)));
        return conclude(RunFolder.create(dir, Instant.EPOCH, "name: e\n", asked, path -> {}), caveats);
    }

    private static RunFolder conclude(RunFolder folder, List<Caveat> caveats) {
        folder.conclude(RecordKeys.with(RunResult.NONE, Map.of("caveats", caveats)));
        return folder;
    }

    @ParameterizedTest
    @FieldSource("weir.plan.syntax.CaveatType#ALL")
    void aCaveatIsInTheTerminalInJsonAndOnThePage(CaveatType type) {
        RunFolder folder = run(List.of(Caveat.of(type, null, "seen 42 of them")), Map.of());
        String level = type.level().name().toLowerCase(Locale.ROOT);

        String terminal = TextReport.of(folder).replaceAll("\\s+", " ");
        assertThat(terminal).contains(type.word());
        if (type.level() != CaveatType.Level.NOTE) {
            assertThat(terminal)
                    .contains(level + " " + type.word() + ": seen 42 of them")
                    .contains(type.advice());
        }

        assertThat(folder.result().orElseThrow().toJson())
                .contains("\"type\" : \"" + type.word() + "\"")
                .contains("\"level\" : \"" + level + "\"")
                .contains("\"evidence\" : \"seen 42 of them\"")
                .contains("\"weakens\" : \"" + type.weakens() + "\"")
                .contains("\"advice\" : \"");

        String page = HtmlReport.of(folder).replace("&#39;", "'").replace("&quot;", "\"");
        assertThat(page)
                .contains(type.word())
                .contains("seen 42 of them")
                .contains("weakens " + type.weakens())
                .contains(type.advice());
    }

    @Test
    void aTerminalNamesEachOfMany() {
        List<Caveat> all = CaveatType.ALL.stream()
                .map(type -> Caveat.of(type, null, "seen"))
                .toList();
        String terminal = TextReport.of(run(all, Map.of()));
        assertThat(CaveatType.ALL).allSatisfy(type -> assertThat(terminal).contains(type.word()));
        assertThat(terminal.lines()).hasSizeLessThanOrEqualTo(30);
    }

    @Test
    void acceptedCaveatIsPrintedWithItsReason() {
        Caveat shared =
                Caveat.of(CaveatType.named("shared-cores"), null, "2 cores").accepted("a laptop is all we have");
        RunFolder folder = run(List.of(shared), Map.of("shared-cores", "a laptop is all we have"));
        assertThat(HtmlReport.of(folder)).contains("Accepted in the experiment: a laptop is all we have");
        assertThat(folder.result().orElseThrow().toJson()).contains("\"level\" : \"note\"");
        assertThat(TextReport.of(folder)).contains("notes: shared-cores");
    }
}
