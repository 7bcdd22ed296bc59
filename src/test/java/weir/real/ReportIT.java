package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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

    /** A real browser, Debian's chromium, without a network. Its files are in a folder of the test. */
    record Chromium(Path folder) {
        /** A page after its scripts have run, and the errors of the browser. */
        record Seen(String page, List<String> complaints) {
            long count(String markup) {
                return page.split(Pattern.quote(markup), -1).length - 1L;
            }
        }

        Seen open(Path page) throws IOException, InterruptedException {
            return open(page, 1280);
        }

        Seen open(Path page, int width) throws IOException, InterruptedException {
            File dom = folder.resolve("dom.html").toFile();
            File log = folder.resolve("browser.log").toFile();
            ProcessBuilder browser = new ProcessBuilder(
                    "chromium",
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-background-networking",
                    "--host-resolver-rules=MAP * ~NOTFOUND",
                    "--user-data-dir=" + folder.resolve("profile"),
                    "--enable-logging=stderr",
                    "--virtual-time-budget=5000",
                    "--window-size=" + width + ",900",
                    "--dump-dom",
                    page.toUri().toString());
            browser.environment().put("TMPDIR", folder.toString());
            browser.redirectOutput(dom).redirectError(log);
            Process process;
            try {
                process = browser.start();
            } catch (IOException e) {
                throw new AssertionError("this test needs a browser: apt-get install chromium", e);
            }
            boolean ended = process.waitFor(90, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(ended).as("chromium shows the page within 90 s").isTrue();
            List<String> complaints = new ArrayList<>(Files.readAllLines(log.toPath()));
            complaints.removeIf(line -> !line.contains(":CONSOLE"));
            return new Seen(Files.readString(dom.toPath()), complaints);
        }

        /** Returns a copy of a page with an additional last script, which the page's policy would block. */
        Path with(Path page, String script) throws IOException {
            return Files.writeString(
                    folder.resolve("scripted.html"),
                    Files.readString(page)
                            .replaceFirst("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "")
                            .replace("</body>", "<script>" + script + "</script></body>"));
        }
    }
}
