package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.syntax.CaveatType;
import weir.report.block.HtmlBlocks;
import weir.results.RunFolder;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;

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
        RunFolder folder = CaveatsAreShownTest.run(dir, List.of(sung, seen, late), Map.of());
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
}
