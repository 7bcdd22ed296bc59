package weir.feature.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.http.LiveAnswer;
import weir.http.LiveRequest;
import weir.http.LiveServer;
import weir.http.LiveServer.LiveHandler;
import weir.http.Refusal;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.report.HtmlReport;
import weir.report.RunView;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.run.FakeLab;
import weir.run.RunListener;
import weir.run.RunListeners;
import weir.run.RunOptions;
import weir.run.Runner;

/** The page of a run on the test's clock: in the middle of the run, and at the end. */
class WatchedRunTest {
    private static final String TWO = """
            question: "Which <b>one</b>?"
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 6s
            variants: { a: {}, b: { load: { rate: 500/s } } }
            """;

    @TempDir
    Path dir;

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger stopped = new AtomicInteger();
    private Runnable whenTimeIsRead = () -> {};
    private final RunPage page = new RunPage(this::time, stopped::incrementAndGet);
    private FakeLab lab = new FakeLab(Path.of(""));

    @BeforeEach
    void open() {
        lab = new FakeLab(dir.resolve("state"));
    }

    private long time() {
        whenTimeIsRead.run();
        return clock.get();
    }

    private RunFolder run(String plan) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options = new RunOptions(dir.resolve("runs"), true, 0, 0, RunOptions.NEW, "test", "weir run e.yaml");
        RunListener user = question -> true;
        RunResult result = new Runner(experiment, options, new RunListeners(user, List.of(page)), notes -> lab).run();
        return RunFolder.open(Path.of(result.run()));
    }

    private String ask(String method, String path, Map<String, String> query, Map<String, String> headers) {
        LiveRequest request = new LiveRequest(method, path, new TreeMap<>(query), new TreeMap<>(headers));
        LiveHandler handler = Objects.requireNonNull(page.paths().get(path));
        try {
            handler.resource().checkMethod(method);
        } catch (Refusal why) {
            return why.status() + " " + why.getMessage();
        }
        LiveAnswer.Whole whole = (LiveAnswer.Whole) handler.answer(request);
        return whole.status() + " " + whole.text();
    }

    private String parts(long since) {
        return ask("GET", "/parts", Map.of("since", String.valueOf(since)), Map.of());
    }

    private static String main(String html) {
        return html.substring(html.indexOf("<main>"), html.indexOf("</main>"));
    }

    /** Returns the data of all events of this name, as a late client receives them. */
    private List<String> heard(String event) throws IOException, InterruptedException {
        List<String> data = new ArrayList<>();
        try (LiveServer server = LiveServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "", page.paths(), page.streams())) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(server.url() + "events")).build();
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                    HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofInputStream())
                            .body(),
                    StandardCharsets.UTF_8))) {
                String name = "";
                String line = "";
                while (!name.equals("over") || !line.startsWith("data: ")) {
                    line = String.valueOf(lines.readLine());
                    name = line.startsWith("event: ") ? line.substring(7) : name;
                    if (line.startsWith("data: ") && name.equals(event)) {
                        data.add(line.substring(6));
                    }
                }
            }
        }
        return data;
    }

    @Test
    void theLastStateOfThePageIsTheReport() throws IOException {
        RunFolder folder = run(TWO);
        String report = Files.readString(HtmlReport.write(folder));
        page.end(folder);
        assertThat(main(parts(0))).hasSizeGreaterThan(10_000).isEqualTo(main(report));
        assertThat(ask("GET", "/", Map.of(), Map.of()))
                .contains(main(report))
                .contains("The run is over. This page shows its report: " + folder.report())
                .doesNotContain("id=\"live-stop\"");
    }

    @Test
    void earlierReportDoesNotReplaceTheFinalOne() throws IOException {
        RunFolder folder = run(TWO);
        String report = Files.readString(HtmlReport.write(folder));
        lab = new FakeLab(dir.resolve("another"));
        AtomicInteger read = new AtomicInteger();
        lab.in(2, 5, () -> {
            // First when the report begins, then when it is made and about to be shown.
            whenTimeIsRead = () -> {
                if (read.incrementAndGet() == 2) {
                    page.end(folder);
                }
            };
            page.render();
            whenTimeIsRead = () -> {};
        });
        run(TWO);
        assertThat(read.get()).isGreaterThan(2);
        assertThat(main(parts(0))).isEqualTo(main(report));
    }

    @Test
    void pageWithoutScriptsIsWatchedUntilItsRefreshStops() throws IOException {
        assertThat(page.watched()).isFalse();
        assertThat(ask("GET", "/", Map.of(), Map.of())).contains("http-equiv=\"refresh\"");
        assertThat(page.watched()).isTrue();
        clock.addAndGet(Duration.ofSeconds(29).toNanos());
        assertThat(page.watched()).isTrue();
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(page.watched()).isFalse();
        ask("GET", "/", Map.of(), Map.of());
        listen("0");
        clock.addAndGet(Duration.ofSeconds(4).toNanos());
        assertThat(page.watched())
                .as("one with scripts listens, or is not there any more")
                .isFalse();

        ask("GET", "/", Map.of(), Map.of());
        page.end(run(TWO));
        long began = clock.get();
        ask("GET", "/", Map.of(), Map.of());
        page.awaitReaders();
        assertThat(clock).as("it has the report").hasValue(began);
        assertThat(ask("GET", "/", Map.of(), Map.of()))
                .contains("The run is over")
                .doesNotContain("http-equiv=\"refresh\"");
    }

    @Test
    void endWaitsUntilAPageWithoutScriptsCanReload() throws IOException {
        RunFolder folder = run(TWO);
        ask("GET", "/", Map.of(), Map.of());
        page.end(folder);
        long began = clock.get();
        whenTimeIsRead = () -> clock.addAndGet(Duration.ofSeconds(4).toNanos());
        page.awaitReaders();
        assertThat(clock.get() - began).isGreaterThan(Duration.ofSeconds(10).toNanos());
    }

    private LiveAnswer listen(String after) {
        LiveRequest request = new LiveRequest("GET", "/events", new TreeMap<>(Map.of("after", after)), new TreeMap<>());
        return Objects.requireNonNull(page.paths().get("/events")).answer(request);
    }

    @Test
    void pageIsRenderedOnceForConcurrentReaders() throws IOException {
        RunFolder folder = run(TWO);
        page.render();
        whenTimeIsRead = () -> clock.addAndGet(Duration.ofMillis(10).toNanos());
        LiveHandler handler = Objects.requireNonNull(page.paths().get("/"));
        LiveRequest request = new LiveRequest("GET", "/", new TreeMap<>(), new TreeMap<>());
        LiveAnswer first = handler.answer(request);
        assertThat(handler.answer(request)).isSameAs(first);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        LiveAnswer later = handler.answer(request);
        assertThat(later).isNotSameAs(first);
        page.end(folder);
        assertThat(((LiveAnswer.Whole) handler.answer(request)).text())
                .as("another state is shown at once")
                .contains("The run is over");
    }

    @Test
    void unreadableReportDoesNotFailTheRun() throws IOException {
        RunFolder folder = run(TWO);
        Path plan = folder.path().resolve("experiment.json");
        Files.writeString(plan, "{");
        page.end(folder);
        assertThat(parts(0)).contains("This page cannot show its report").contains("report.html");
        page.render();
        assertThat(parts(0)).doesNotContain("cannot read the results so far");
        page.render();
        assertThat(parts(0)).contains("cannot read the results so far");
    }

    @Test
    void stateNumbersNeverDecrease() throws IOException, InterruptedException {
        listen("0");
        for (int second = 1; second < 8; second++) {
            lab.in(2, second, () -> {
                page.note("something");
                page.render();
            });
        }
        page.end(run(TWO));
        List<Long> numbers = new ArrayList<>();
        for (String state : heard("state")) {
            Matcher number = Pattern.compile("^\\{\"number\":(\\d+),").matcher(state);
            assertThat(number.find()).as(state).isTrue();
            numbers.add(Long.parseLong(number.group(1)));
        }
        assertThat(numbers).hasSizeGreaterThan(6).isSorted();
        assertThat(parts(0)).contains("<title>e · Weir</title>");
    }

    @Test
    void publishedSecondsMatchTheRunFolder() throws IOException, InterruptedException {
        listen("0");
        RunFolder folder = run(TWO);
        page.end(folder);
        List<String> seconds = heard("second");
        List<WindowRow> rows = folder.trials().stream()
                .flatMap(trial -> trial.windows().stream())
                .toList();
        assertThat(seconds).hasSameSizeAs(rows);
        Pattern acked = Pattern.compile("\\[\"acked\",\"c1 solid\",(\\d+)]");
        for (int i = 0; i < rows.size(); i++) {
            assertThat(seconds.get(i))
                    .startsWith("{\"number\":" + (i < rows.size() / 2 ? "1,\"trial\":\"a" : "2,\"trial\":\"b")
                            + " 1 (unfinished)\",\"x\":" + (int) rows.get(i).second() + ",");
            Matcher found = acked.matcher(seconds.get(i));
            assertThat(found.find()).as(seconds.get(i)).isTrue();
            assertThat(Double.parseDouble(found.group(1)))
                    .isEqualTo(rows.get(i).acked() / rows.get(i).seconds());
        }
    }

    @Test
    void latePageReadsEarlierSecondsFromTheRunFolder() throws IOException {
        run(TWO);
        page.render();
        assertThat(page.streams().get(0).has(0)).isFalse();
        assertThat(parts(0)).contains("id=\"time\"");
    }

    @Test
    void firstAnswerHasFinishedTrialsAndTheRunningOne() throws IOException {
        List<String> seen = new ArrayList<>();
        // The page was made once, when the run began, and has had no reader since.
        lab.in(1, 1, () -> {
            page.render();
            seen.add(ask("GET", "/", Map.of(), Map.of()));
        });
        lab.in(2, 5, () -> {
            seen.add(ask("GET", "/", Map.of(), Map.of()));
            seen.add(ask("GET", "/", Map.of(), Map.of()));
            seen.add(parts(0));
        });
        run(TWO);
        assertThat(seen.get(0)).contains(RunView.NOTHING_YET).doesNotContain("Nothing was measured");
        assertThat(seen.subList(1, 4))
                .allSatisfy(html -> assertThat(html)
                        .contains("\"label\":\"a 1\"")
                        .contains("\"label\":\"b 1 (unfinished)\"")
                        .as("several who ask at once")
                        .contains("data-version=\"2\"")
                        .doesNotContain(RunView.NOTHING_YET));
    }

    @Test
    void firstAnswerOfAResumedRunHasTheEarlierTrials() throws IOException {
        Experiment experiment =
                PlanReader.read(Files.writeString(dir.resolve("e.yaml"), "name: e\n" + TWO), Overrides.NONE);
        RunListener user = question -> true;
        RunOptions fresh = new RunOptions(dir.resolve("runs"), true, 0, 0, RunOptions.NEW, "test", "weir run e.yaml");
        Runner runner = new Runner(experiment, fresh, user, notes -> lab);
        lab.in(2, 3, runner::interrupt);
        Path cut = Path.of(runner.run().run());
        lab = new FakeLab(dir.resolve("another"));
        List<String> seen = new ArrayList<>();
        lab.in(2, 1, () -> seen.add(ask("GET", "/", Map.of(), Map.of())));
        RunOptions resumed = new RunOptions(dir.resolve("runs"), true, 0, 0, cut, "test", "weir run e.yaml");
        new Runner(experiment, resumed, new RunListeners(user, List.of(page)), notes -> lab).run();
        assertThat(seen).singleElement().asString().contains("\"label\":\"a 1\"");
    }

    @Test
    @NeedsFeature("profile")
    void profiledTrialSecondsAreNotDrawnInMeasuredTrials() throws IOException, InterruptedException {
        listen("0");
        RunFolder folder = run(TWO + "profile: { of: [workers] }\n");
        page.end(folder);
        assertThat(folder.profiled()).hasSize(2);
        assertThat(heard("second"))
                .hasSize(folder.trials().stream()
                        .mapToInt(trial -> trial.windows().size())
                        .sum());
    }

    @Test
    void pageDuringARunShowsTheCurrentReport() throws IOException {
        List<String> seen = new ArrayList<>();
        lab.in(2, 5, () -> {
            page.render();
            seen.add(parts(0));
        });
        run(TWO);
        assertThat(seen)
                .singleElement()
                .asString()
                .contains("trial 2 of 2, b: measure")
                .contains("Which &lt;b&gt;one&lt;/b&gt;?")
                .contains("id=\"comparison\"")
                .contains("\"label\":\"a 1\"")
                .contains("\"label\":\"b 1 (unfinished)\"")
                .as("a trial that runs was not ended before its time")
                .doesNotContain(CaveatType.named("interrupted").toString());
    }

    @Test
    void runningSearchTrialIsDrawnWithEarlierAttempts() throws IOException {
        lab.capacity = 5_000;
        List<String> seen = new ArrayList<>();
        lab.in(4, 4, () -> {
            page.render();
            seen.add(parts(0));
        });
        run("search: { capacity: { limits: [response p99 < 100ms], from: 500/s, warmup: 1s, measure: 5s } }\n");
        assertThat(seen)
                .isNotEmpty()
                .first()
                .asString()
                .contains("search for base, trying ")
                .contains("id=\"search\"")
                .contains("id=\"time\"")
                .contains("\"label\":\"base 4 (unfinished)\"");
    }

    @Test
    void onlyPartsThatHaveChangedAreSentAgain() throws IOException {
        List<String> seen = new ArrayList<>();
        lab.in(2, 5, () -> {
            page.render();
            page.render();
            seen.add(parts(1));
            seen.add(parts(2));
            seen.add(parts(99));
        });
        run(TWO);
        assertThat(seen.get(0))
                .as("nothing is new")
                .contains("<section id=\"ledger\" data-kept>")
                .hasSizeLessThan(5_000);
        assertThat(seen.get(1)).isEqualTo(seen.get(0));
        assertThat(seen.get(2)).as("a version that was never made").doesNotContain("data-kept");
        assertThat(ask("GET", "/parts", Map.of("since", "1", "run", "another"), Map.of()))
                .as("a page of another run")
                .doesNotContain("data-kept");
    }

    @Test
    void onlyThePageOfTheRunStopsItAndOnlyByPost() throws IOException {
        String html = ask("GET", "/", Map.of(), Map.of());
        Matcher token = Pattern.compile("data-token=\"([^\"]+)\"").matcher(html);
        assertThat(token.find()).isTrue();
        Map<String, String> right = Map.of("host", "127.0.0.1:1", "x-weir-stop", token.group(1));
        assertThat(ask("GET", "/stop", Map.of(), right)).startsWith("405");
        assertThat(ask("POST", "/stop", Map.of(), Map.of("host", "127.0.0.1:1")))
                .startsWith("403");
        Map<String, String> foreign = new TreeMap<>(right);
        foreign.put("origin", "http://127.0.0.1:2");
        assertThat(ask("POST", "/stop", Map.of(), foreign)).startsWith("403");
        foreign.remove("origin");
        foreign.put("sec-fetch-site", "cross-site");
        assertThat(ask("POST", "/stop", Map.of(), foreign)).startsWith("403");
        assertThat(stopped).hasValue(0);
        assertThat(ask("POST", "/stop", Map.of(), right)).startsWith("202");
        assertThat(stopped).hasValue(1);
        assertThat(ask("POST", "/stop", Map.of(), right)).startsWith("202");
        assertThat(stopped).as("pressed on another tab, too").hasValue(1);
        page.end(run(TWO));
        assertThat(ask("POST", "/stop", Map.of(), right)).startsWith("202");
        assertThat(stopped).as("there is nothing to stop any more").hasValue(1);
    }

    @Test
    void notesAndCaveatsAreEscapedOnThePage() throws IOException, InterruptedException {
        page.note("<script>alert(1)</script>\nsecond line");
        page.caveat(Caveat.of(CaveatType.named("shared-cores"), null, "1 & 2"));
        assertThat(ask("GET", "/", Map.of(), Map.of()))
                .contains("<li>&lt;script&gt;alert(1)&lt;/script&gt;</li>")
                .contains("<li>doubt: shared-cores: 1 &amp; 2</li>")
                .doesNotContain("<script>alert")
                .doesNotContain("second line");
        page.close();
        assertThat(heard("state")).first().asString().contains("\\u003cscript\\u003e");
    }

    @Test
    void runWithoutAReportIsReportedOnThePage() throws IOException, InterruptedException {
        page.close();
        assertThat(heard("over")).singleElement().asString().contains("The run ended without a report");
        assertThat(ask("GET", "/", Map.of(), Map.of())).contains("No measurement yet");
    }

    @Test
    void pagePolicyAllowsOnlyItsOwnServer() {
        assertThat(ask("GET", "/", Map.of(), Map.of()))
                .contains("default-src &#39;none&#39;;")
                .contains("connect-src &#39;self&#39;")
                .contains("<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>");
    }

    @Test
    void pageIsServedBeforeTheRunHasAFolder() {
        page.render();
        assertThat(parts(0)).contains("data-version=\"0\"").contains("No measurement yet");
    }
}
