package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.report.HtmlReport;
import weir.report.SyntheticRun;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.SearchResults;

class PartitionsSectionTest {
    private static final CapacityResult ONE = new CapacityResult(
            "a",
            List.of(),
            330_000.0,
            320_000.0,
            350_000.0,
            "at 350,000/s achieved 91 %",
            List.of(new Attempt(1, 330_000, 3, Attempt.Outcome.SUSTAINED, "")));

    @TempDir
    Path dir;

    private static PartitionTrial trial(
            int number, int partitions, @Nullable Double offered, double carried, Attempt.Outcome outcome) {
        String why = outcome == Attempt.Outcome.SUSTAINED ? "" : "achieved <79> %";
        return new PartitionTrial(
                partitions,
                offered,
                carried,
                new Attempt(number, offered == null ? carried : offered, 9, outcome, why));
    }

    private static PartitionsResult found(double share, @Nullable Integer partitions, @Nullable Integer high) {
        return new PartitionsResult(
                "a",
                "10M/s",
                10e6,
                List.of(),
                ONE,
                List.of(trial(2, 1, null, 800_000, Attempt.Outcome.SUSTAINED)),
                900_000.0,
                null,
                null,
                List.of(
                        trial(3, 1, null, 300_000, Attempt.Outcome.SUSTAINED),
                        trial(4, 2, null, 390_000, Attempt.Outcome.SUSTAINED)),
                List.of(
                        trial(5, 2, share * 10e6, share * 10e6, Attempt.Outcome.SUSTAINED),
                        trial(6, 1, share * 10e6, 280_000, Attempt.Outcome.REFUSED)),
                share,
                partitions,
                29,
                high,
                false,
                "with 1 achieved <79> %");
    }

    private RunFolder folder(PartitionsResult found) {
        RunFolder folder = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 3)
                .killed()
                .write();
        folder.found(SearchResults.NONE.with(found));
        return folder;
    }

    private static String unwrapped(RunFolder folder) {
        return TextReport.of(folder).replaceAll("\\s+", " ");
    }

    @Test
    void sectionShowsTheNumberItsBasisAndItsTrials() {
        RunFolder folder = folder(found(0.035, 31, 32));
        assertThat(RunFolder.open(folder.path()).found().of(PartitionsResult.class))
                .containsExactly(found(0.035, 31, 32));
        String html = HtmlReport.of(folder);
        assertThat(html)
                .contains(">Partitions</h2>")
                .contains("30.3", "11.1", "[320,000, 350,000]", "above 2 × P or 2 × T", "[29, 32]")
                .contains("Does the rate grow in proportion to the partitions?", "65 %")
                .contains("with 1 achieved &lt;79&gt; %")
                .doesNotContain("<79>");
        assertThat(unwrapped(folder))
                .contains(
                        "10M/s needs 31 partitions [29, 32]; one partition accepts 330,000/s [320,000, 350,000], and one consumer")
                .contains("tried at 350,000/s, the 3.5 % of the rate that this machine carries")
                .contains("1 did not, 2 sustained it")
                .contains("2 partitions carry 1.30× the rate of one");
    }

    @Test
    void noNumberIsReportedIfNoTrialSustainsTheRate() {
        assertThat(unwrapped(folder(found(1, null, null))))
                .contains("More than 28 partitions would be needed for 10M/s; one partition accepts");
    }
}
