package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.RunFolder;

class WaterfallSectionTest {
    @TempDir
    Path dir;

    private SyntheticRun run(String variant) {
        return new SyntheticRun(dir, List.of(variant), 1, new double[] {10_000, 20_000, 30_000}, 12);
    }

    @Test
    void theSecondsOfAPauseAreTheSlowestAndItsStageIsNamed() {
        String html = HtmlReport.of(run("a").write());
        assertThat(html)
                .contains("Where the mean response goes", "id=\"t-brokers\"", "id=\"t-stages-0\"", "id=\"t-slow\"")
                // A pause of 60 ms in one of the six slowest seconds, which are a tenth of each step, rounded up.
                .containsPattern("in the brokers they have [0-9.]+ ms request queue more")
                .doesNotContain("told no means");
        assertThat(TextReport.of(run("b").write())).containsPattern("b, mean response [0-9.]+ ms");
    }

    @Test
    void withoutMeansNothingIsStackedAndWhatIsMissingIsSaid() {
        assertThat(HtmlReport.of(run("a").withoutMeans().write()))
                .contains("to export the attribute Mean of kafka.network:type=RequestMetrics", "p99 by Kafka")
                .doesNotContain("id=\"t-stages-0\"", "id=\"t-slow\"", "remote: replication");
    }

    @Test
    void fetchesAreThoseOfWholeLooksWhoseSecondsAreNamed() throws IOException {
        RunFolder run = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 12).write();
        Path probes = run.trials().get(0).path().resolve("probes.csv");
        for (int second = 4; second < 20; second += 5) {
            String fetches = second + ",broker-1,request.fetch.consumer.count,100\n";
            Files.writeString(probes, fetches, StandardOpenOption.APPEND);
        }
        assertThat(Contradictions.text(HtmlReport.of(run)))
                .as("of the seconds 5 to 17, looked at every five seconds")
                .contains("fetch of a consumer | mean | 200 (seconds 5 to 15) |");
    }

    @Test
    void theNameOfAVariantIsOnlyText() {
        assertThat(HtmlReport.of(run("<script>x</script>").write())).doesNotContain("<script>x</script>");
    }
}
