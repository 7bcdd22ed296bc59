package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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
import weir.report.block.HtmlBlocks;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;

/** The expectations, and the caveats of all kinds, each of which reaches the terminal, the JSON and the page. */
class CaveatSectionTest {
    @TempDir
    Path dir;

    private static ExpectResult expectation(String text, String verdict) {
        return new ExpectResult(text, verdict, null, null, null, null, null);
    }

    private static String shown(int passed, String... others) {
        List<ExpectResult> all = new ArrayList<>();
        for (int i = 0; i < passed; i++) {
            all.add(expectation("lost == " + i, ExpectResult.PASSED));
        }
        for (String verdict : others) {
            all.add(expectation("the " + verdict + " one", verdict));
        }
        return HtmlBlocks.of(CaveatSection.expectations(all)).toString();
    }

    @Test
    void failedExpectationsComeFirstAndAreNotCollapsed() {
        String html = shown(36, ExpectResult.FAILED, ExpectResult.UNDECIDED);
        assertThat(html).contains("36 of 38 expectations passed").contains("lost == 35");
        String open = html.substring(0, html.indexOf("<details"));
        assertThat(open).contains("the failed one", "the undecided one").doesNotContain("lost == ");
    }

    @Test
    void repeatedCaveatIsShownOnce() {
        Caveat seen = Caveat.of(CaveatType.named("host-noisy"), 1, "other programs used 0.7 cores");
        Caveat sung = Caveat.of(CaveatType.named("host-noisy"), null, "the canaries changed")
                .accepted("a laptop");
        Caveat late = Caveat.of(CaveatType.named("generator-late"), 2, "late by 9 ms");
        RunFolder folder = run(List.of(sung, seen, late), Map.of());
        String html = HtmlBlocks.of(CaveatSection.caveats(RunView.of(folder))).toString();
        assertThat(html.split("<b>host-noisy</b>", -1)).hasSize(2);
        assertThat(html)
                .contains("<span class=\"level\">doubt</span> <b>host-noisy</b>")
                .contains("other programs used 0.7 cores", "the canaries changed");
        String row = html.substring(html.indexOf("<div class=\"doubts\">"));
        assertThat(row).contains("host-noisy").doesNotContain("generator-late", " open");
        assertThat(html).contains("class=\"caveat invalid\" open>");
    }

    @Test
    void aFewAreNotFolded() {
        String html = shown(3, ExpectResult.FAILED);
        assertThat(html).doesNotContain("<details");
        assertThat(html.indexOf("the failed one")).isLessThan(html.indexOf("lost == 0"));
    }

    @Test
    void passedExpectationsAreSummarizedInOneLine() {
        assertThat(shown(36)).startsWith("<details").contains("36 of 36 expectations passed");
    }

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
