package weir.feature.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.real.ChromiumTab;
import weir.real.Door;
import weir.real.SharedKafka;
import weir.run.Exit;

/** The page of a run in a real browser, from its first second until it is the report. */
@ExtendWith(SharedKafka.class)
class LivePageIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final Pattern URL = Pattern.compile("live page: (\\S+)");
    /** Short in form, without the measurements before the trials. The test stops the run long before its end. */
    private static final String WATCHED = """
            name: watched
            question: "Is it <b>bold</b>?"
            load: { rate: 500/s, producers: 1, consumers: 1, workload: deliver }
            warmup: 1s
            measure: 1m
            short: { measure: 5m }
            """;

    @TempDir
    Path dir;

    private static Path report(Path runs) throws IOException {
        try (Stream<Path> folders = Files.list(runs)) {
            List<Path> one = folders.filter(Files::isDirectory).toList();
            assertThat(one).hasSize(1);
            return one.get(0).resolve("report.html");
        }
    }

    @Test
    void runIsWatchedAndStoppedFromThePageWhichKeepsItsReport(SharedKafka.Clusters clusters) throws Exception {
        Door door = new Door(dir);
        Path file = door.file("watched.yaml", WATCHED);
        Door.Running run = door.start(
                "run",
                "--live",
                file.toString(),
                "--short",
                "--yes",
                "--bootstrap-server",
                clusters.one().bootstrap());
        try (ChromiumTab tab = ChromiumTab.open(dir)) {
            run.awaitErr("live page: ", "\n");
            Matcher url = URL.matcher(Files.readString(run.err()));
            assertThat(url.find()).isTrue();
            tab.size(1280, 900);
            tab.go(url.group(1));
            tab.await("document.getElementById('live-status').textContent === 'trial 1 of 1, base: measure'", TIMEOUT);
            tab.await("document.querySelectorAll('canvas').length > 5", TIMEOUT);
            tab.await("document.querySelector('.question').textContent === 'Is it <b>bold</b>?'", TIMEOUT);
            tab.await(
                    "/^\\d+ of 300 s, about 5 min left$/.test(document.getElementById('live-time').textContent)",
                    TIMEOUT);
            tab.value("(window.before = window.weir.last(), 0)");
            tab.await("window.weir.last() >= window.before + 3", TIMEOUT);

            tab.size(360, 740);
            tab.await("document.documentElement.scrollWidth <= 360", TIMEOUT);
            assertThat(tab.value("document.getElementById('live-stop').getBoundingClientRect().right <= 360"))
                    .isEqualTo("true");

            tab.go(url.group(1));
            tab.await("window.before === undefined && document.querySelectorAll('canvas').length > 5", TIMEOUT);
            assertThat(tab.value("window.weir.last() >= 3"))
                    .as("a page that comes late")
                    .isEqualTo("true");

            // The run ends while the browser loads an earlier report.
            tab.value("(window.ask = window.fetch, window.fetch = (...all) => window.ask(...all)"
                    + ".then(answer => new Promise(done => setTimeout(() => done(answer), 1000))), 0)");
            tab.value("document.getElementById('live-stop').click()");
            assertThat(tab.value("document.getElementById('live-stop').textContent"))
                    .isEqualTo("Press again to stop");
            tab.value("document.getElementById('live-stop').click()");
            tab.await("document.getElementById('live-status').textContent.startsWith('The run is over')", TIMEOUT);
            tab.await("document.getElementById('live-stop') === null", TIMEOUT);
            tab.await(
                    "document.querySelector('main').innerText.includes('Unfinished, so there is no answer')"
                            + " && !document.querySelector('main').innerText.includes('So far: ')",
                    TIMEOUT);
            assertThat(tab.value("document.getElementById('live-link').textContent"))
                    .as("the last state was fetched")
                    .isEmpty();
            assertThat(tab.value("document.title")).isEqualTo("watched · Weir");
            Door.Ended ended = run.end();
            assertThat(ended.exit()).as(ended.err()).isEqualTo(Exit.INTERRUPTED.code());
            assertThat(ended.err()).contains("stopped from the live page");

            String text = tab.value("document.querySelector('main').innerText");
            assertThat(tab.complaints()).isEmpty();
            tab.go(report(dir.resolve("runs")).toUri().toString());
            tab.await(
                    "document.getElementById('live') === null && document.querySelectorAll('canvas').length > 5",
                    TIMEOUT);
            assertThat(text)
                    .contains("Is it <b>bold</b>?")
                    .isEqualTo(tab.value("document.querySelector('main').innerText"));
        } finally {
            run.process().destroy();
        }
    }
}
