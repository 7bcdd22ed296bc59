package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.RunFolder;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.SearchResults;

class SearchSectionTest {
    @TempDir
    Path dir;

    private RunFolder searched(CapacityResult result) {
        RunFolder folder = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 3)
                .killed()
                .write();
        folder.found(SearchResults.NONE.with(result));
        return folder;
    }

    private static final List<Attempt> TRIED = List.of(
            new Attempt(1, 1_000, 5, Attempt.Outcome.SUSTAINED, ""),
            new Attempt(2, 4_000, 5, Attempt.Outcome.REFUSED, "response p99 was <80> ms"),
            new Attempt(3, 2_000, 5, Attempt.Outcome.OURS, "the generator was late by 9 ms at p99"));

    @Test
    void everyRateThatWasTriedIsDrawnAndListedWithItsReason() {
        RunFolder folder = searched(new CapacityResult(
                "a", List.of("response p99 < 50ms"), 1_000.0, 980.0, 2_040.0, "at 4,000/s it was slow", TRIED));
        String html = HtmlReport.of(folder);
        assertThat(html)
                .contains("a: undecided between 980/s and 2,040/s")
                .doesNotContain("a: 1,000/s [980")
                .contains("Limits: response p99 below 50 ms. at 4,000/s it was slow")
                .contains("response p99 was &lt;80&gt; ms")
                .contains("the generator was the limit, the generator was late by 9 ms at p99")
                .contains("[980, 2,040]</title>");
        assertThat(TextReport.of(folder))
                .contains(
                        "Undecided between 980/s and 2,040/s with response p99 below 50 ms: 1,000/s was sustained; at 4,000/s")
                .contains("response p99 was <80> ms")
                .contains("4,000/s");
    }

    @Test
    void aLongReasonLosesWholeClausesInTheHeadlineAndNoneBelowIt() {
        String pause =
                "at 1,100/s response p99 was 615 ms, the queue of a pause of 500 ms had not drained at the end of the"
                        + " trial: p50 was 586 ms at the end, and 13.8 ms in the calmest second";
        String varies = "the trials vary too much for a narrower interval";
        RunFolder folder = searched(new CapacityResult(
                "a", List.of("response p99 < 300ms"), 1_000.0, 990.0, 1_100.0, pause + "; " + varies, TRIED));
        assertThat(RunView.summary(folder, false).result().conclusion().answer())
                .endsWith(pause + ".");
        assertThat(HtmlReport.of(folder)).contains(varies);
    }

    @Test
    void searchWithoutResultStatesItsReason() {
        RunFolder folder = searched(new CapacityResult(
                "a",
                List.of(),
                null,
                null,
                null,
                "no rate is sustained: even at 1,000/s achieved 91 %",
                TRIED.subList(1, 2)));
        assertThat(HtmlReport.of(folder)).contains("a: no rate is sustained").contains("even at 1,000/s achieved 91 %");
    }
}
