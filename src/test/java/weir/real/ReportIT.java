package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.report.HtmlReport;
import weir.report.SyntheticRun;
import weir.results.RunFolder;

/** Reports in a real browser: Debian's chromium, without a network. */
class ReportIT {
    @TempDir
    Path dir;

    private Chromium.Seen open(Path page) throws IOException, InterruptedException {
        return new Chromium(dir).open(page);
    }

    @Test
    void browserDrawsEveryTimeChartWithoutErrors() throws Exception {
        RunFolder folder = SyntheticRun.loadCurve(dir).write();
        Chromium.Seen seen = open(HtmlReport.write(folder));
        assertThat(seen.complaints()).isEmpty();
        // The failures are in another trial than the one that is shown first.
        assertThat(seen.count("data-chart=")).isEqualTo(9);
        assertThat(seen.count("<canvas")).isEqualTo(8);
        assertThat(seen.count("class=\"u-over\"")).isEqualTo(8);
        assertThat(seen.page()).contains("<html lang=\"en\" class=\"js\">");
    }

    @Test
    void contentSecurityPolicyBlocksForeignCode() throws Exception {
        Path report = HtmlReport.write(SyntheticRun.loadCurve(dir).write());
        String html = Files.readString(report);
        Path forged = dir.resolve("forged.html");
        Files.writeString(
                forged,
                html.replace("<main>", "<main><script>document.title='forged'</script><img src=http://127.0.0.1:1/>"));
        Chromium.Seen seen = open(forged);
        assertThat(seen.page()).doesNotContain("<title>forged");
        assertThat(seen.complaints()).anyMatch(line -> line.contains("Content Security Policy"));
    }

    @Test
    void doubtsThatAreFoldedOnAScreenAreOpenOnPaper() throws Exception {
        Path report = HtmlReport.write(SyntheticRun.loadCurve(dir).write());
        String html = Files.readString(report);
        Path printed = new Chromium(dir).with(report, "dispatchEvent(new Event('beforeprint'))");
        assertThat(html).contains("<details class=\"caveat doubt\">");
        assertThat(open(printed).page())
                .contains("<details class=\"caveat doubt\" open=\"\">")
                .doesNotContain("<details class=\"caveat doubt\">");
    }

    @Test
    @Tag("long")
    void twoTrialsOfAnHourFitIntoAMegabyteAndStillDraw() throws Exception {
        RunFolder folder = SyntheticRun.hours(dir, 1).write();
        Path report = HtmlReport.write(folder);
        // An empty page takes 0.6 of this limit; six trials of an hour take 1.3.
        assertThat(Files.size(report)).isLessThan(1 << 20);
        Chromium.Seen seen = open(report);
        assertThat(seen.complaints()).isEmpty();
        assertThat(seen.count("<canvas")).isEqualTo(8);
    }
}
