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

/** A real browser, Debian's chromium, without a network. Its files are in a folder of the test. */
public record Chromium(Path folder) {
    /** A page after its scripts have run, and the errors of the browser. */
    public record Seen(String page, List<String> complaints) {
        public long count(String markup) {
            return page.split(Pattern.quote(markup), -1).length - 1L;
        }
    }

    public Seen open(Path page) throws IOException, InterruptedException {
        return open(page, 1280);
    }

    public Seen open(Path page, int width) throws IOException, InterruptedException {
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
    public Path with(Path page, String script) throws IOException {
        return Files.writeString(
                folder.resolve("scripted.html"),
                Files.readString(page)
                        .replaceFirst("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "")
                        .replace("</body>", "<script>" + script + "</script></body>"));
    }
}
