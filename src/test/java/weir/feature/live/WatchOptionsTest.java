package weir.feature.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import weir.cli.RunWatches;
import weir.http.EventStream;
import weir.measure.Reading;
import weir.plan.SyntheticTrial;
import weir.plan.trial.Trial;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.run.PreflightException;

/**
 * The options of watching: their forms, and their errors before anything starts. Also the path of a second from the
 * measuring thread to the reader.
 */
class WatchOptionsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Trial TRIAL = SyntheticTrial.of(1, "base", 1);
    private static final int FEW = 4;

    @TempDir
    Path dir;

    private final RenderTurns pacing = new RenderTurns(() -> 0);
    private long now = 5 * SECOND;
    private final EventStream events = new EventStream(1 << 16);
    private final RunStatus place = new RunStatus(() -> 0);
    private final RenderTurns turns = new RenderTurns(() -> 0);
    private final RunPage.SecondPublisher publisher = new RunPage.SecondPublisher(FEW, events, place, turns);

    /** A command with these options, followed by files. */
    @Command(name = "try")
    private static final class Tried {
        @Mixin
        private WatchOptions watching = new WatchOptions();

        @Parameters(arity = "0..*")
        private List<String> files = List.of();

        private final StringWriter err = new StringWriter();
        private final CommandLine command;

        Tried(String... words) {
            command = new CommandLine(this).setErr(new PrintWriter(err, true));
            command.parseArgs(words);
        }

        RunWatches open() {
            RunWatches watches = new RunWatches();
            watching.watch(command, false, watches);
            return watches;
        }

        String url() {
            return err.toString().strip().replaceFirst("^live page: ", "");
        }
    }

    private static HttpResponse<String> get(String url, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "--live e.yaml",
        "e.yaml --live",
        "--live 127.0.0.1:0 e.yaml",
        "--live=127.0.0.1:0 e.yaml",
        "--live= e.yaml",
        "--live [::1]:0 e.yaml",
        "e.yaml --live --metrics 127.0.0.1:0",
    })
    void pageAddressIsOptional(String words) {
        Tried tried = new Tried(words.split(" ", -1));
        assertThat(tried.watching.asked()).isTrue();
        assertThat(tried.files).containsExactly("e.yaml");
        try (RunWatches watches = tried.open()) {
            assertThat(watches).isNotNull();
            assertThat(tried.err.toString()).contains("live page: http://");
        }
    }

    @Test
    void existingFileIsNotParsedAsAnAddress() throws IOException {
        String file = Files.writeString(dir.resolve("experiment"), "").toString();
        Tried tried = new Tried("--live", file);
        assertThat(tried.files).containsExactly(file);
        assertThat(tried.watching.asked()).isTrue();
    }

    @Test
    void thePageIsServedUntilTheWatchesAreClosed() throws IOException, InterruptedException {
        Tried tried = new Tried("--live");
        String url;
        try (RunWatches watches = tried.open()) {
            url = tried.url();
            assertThat(url).matches("http://127\\.0\\.0\\.1:\\d+/");
            assertThat(URI.create(url).getPort()).isLessThan(32_768);
            assertThat(get(url).body()).contains("No measurement yet");
            assertThat(watches).isNotNull();
        }
        assertThatThrownBy(() -> get(url)).isInstanceOf(IOException.class);
    }

    @Test
    void noServerListensWithoutTheOption() {
        Tried tried = new Tried("e.yaml");
        try (RunWatches watches = tried.open()) {
            assertThat(watches.any()).isFalse();
        }
        assertThat(tried.err.toString()).isEmpty();
    }

    @Test
    void tooLongTokenIsRefusedAndNotTruncated() throws IOException {
        Path file = Files.writeString(dir.resolve("token"), "x".repeat(5_000));
        assertThatThrownBy(() -> new Tried("--live", "--token-file", file.toString()).open())
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("' must hold one token of visible characters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--live=foo | --live: 'foo' has no port; write HOST:PORT, such as 127.0.0.1:8090, or nothing for"
                        + " 127.0.0.1 and a free port",
                "--live localhost e.yaml | --live: 'localhost' has no port; write HOST:PORT, such as"
                        + " 127.0.0.1:8090, or nothing for 127.0.0.1 and a free port",
                "--live 8090 e.yaml | --live: '8090' is not an address; write HOST:PORT, such as 127.0.0.1:8090, or"
                        + " nothing for 127.0.0.1 and a free port",
                "e.yaml --live http://127.0.0.1:8090/ | --live: 'http://127.0.0.1:8090/' has no port; write"
                        + " HOST:PORT, such as 127.0.0.1:8090, or nothing for 127.0.0.1 and a free port",
                "--live=any | --live: 'any' has no port; write HOST:PORT, such as 127.0.0.1:8090, or nothing for"
                        + " 127.0.0.1 and a free port",
                "--live=:99999 | --live: ':99999' is not an address; write HOST:PORT, such as 127.0.0.1:8090, or"
                        + " nothing for 127.0.0.1 and a free port",
                "--live 0.0.0.0:0 | --live: '0.0.0.0:0' is an address that other machines can reach; give --token-file,"
                        + " or listen on 127.0.0.1",
                "--token-file nowhere --live | --token-file: 'nowhere' cannot be read",
                "--token-file /dev/zero --live | --token-file: '/dev/zero' must hold one token of visible characters",
                "--token-file nowhere | --token-file: requires --live or --metrics; add one of them",
                "--metrics foo | --metrics: 'foo' has no port; write HOST:PORT, such as 127.0.0.1:9464",
                "--metrics 0.0.0.0:0 | --metrics: '0.0.0.0:0' is an address that other machines can reach; give"
                        + " --token-file, or listen on 127.0.0.1",
            })
    void badInputIsALineThatBeginsWithItsOption(String words, String line) {
        Tried tried = new Tried(words.strip().split(" ", -1));
        assertThatThrownBy(tried::open).isInstanceOf(ParameterException.class).hasMessage(line.strip());
        assertThat(tried.err.toString()).isEmpty();
    }

    @Test
    void takenPortIsReportedBeforeTheRun() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Tried tried = new Tried("--live", "127.0.0.1:" + taken.getLocalPort());
            assertThatThrownBy(tried::open)
                    .isInstanceOf(PreflightException.class)
                    .hasMessageMatching(
                            "--live: '127\\.0\\.0\\.1:\\d+' cannot be used: .*Address already in use; write another"
                                    + " port, or no address for a free one");
        }
    }

    @Test
    void metricsAreServedUntilTheWatchesAreClosed() throws IOException, InterruptedException {
        Tried tried = new Tried("--metrics", "127.0.0.1:0");
        String url;
        try (RunWatches watches = tried.open()) {
            url = tried.err.toString().strip().replaceFirst("^metrics: ", "");
            assertThat(url).matches("http://127\\.0\\.0\\.1:\\d+/metrics");
            assertThat(get(url).body()).contains("weir_build_info{version=");
            assertThat(watches).isNotNull();
        }
        assertThatThrownBy(() -> get(url)).isInstanceOf(IOException.class);
    }

    @Test
    void takenMetricsPortFailsBeforeThePageIsServed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Tried tried = new Tried("--live", "--metrics", "127.0.0.1:" + taken.getLocalPort());
            assertThatThrownBy(tried::open)
                    .isInstanceOf(PreflightException.class)
                    .hasMessageMatching(
                            "--metrics: '127\\.0\\.0\\.1:\\d+' cannot be used: .*Address already in use; write"
                                    + " another port, or 0 for a free one");
            assertThat(tried.err.toString()).isEmpty();
        }
    }

    @Test
    void tokenAllowsRequestsFromOtherMachines() throws IOException, InterruptedException {
        Path token = Files.writeString(dir.resolve("token"), "open-sesame\n");
        Tried tried = new Tried("--live", "0.0.0.0:0", "--token-file", token.toString());
        try (RunWatches watches = tried.open()) {
            assertThat(watches).isNotNull();
            assertThat(tried.url()).matches("http://localhost:\\d+/");
            String url = tried.url().replace("localhost", "127.0.0.1");
            assertThat(get(url).statusCode()).isEqualTo(401);
            assertThat(get(url, "Authorization", "Bearer open-sesame").statusCode())
                    .isEqualTo(200);
        }
    }

    /** Returns the share of time that making these reports takes, each as soon as it is allowed. */
    private double share(long tookNanos, int reports, boolean urgent) {
        long began = now;
        for (int i = 0; i < reports; i++) {
            now += pacing.waits(now, urgent);
            pacing.made(now, tookNanos, 1_000);
        }
        return (double) tookNanos * reports / (now - began);
    }

    @Test
    void theFirstReportIsMadeAtOnce() {
        assertThat(pacing.waits(now, false)).isZero();
    }

    @Test
    void cheapReportIsRenewedEveryFiveSecondsOrAfterAnEvent() {
        pacing.made(now, SECOND / 100, 1_000);
        assertThat(pacing.waits(now, false)).isEqualTo(5 * SECOND);
        assertThat(pacing.waits(now, true)).isEqualTo(SECOND);
        assertThat(pacing.waits(now + 2 * SECOND, true)).isZero();
    }

    @Test
    void slowFirstReportDoesNotDelayLaterOnes() {
        pacing.made(now, SECOND, 300_000);
        assertThat(pacing.waits(now, true)).isEqualTo(SECOND);
    }

    @Test
    void reportsTakeAHundredthOfACoreInALongRun() {
        pacing.made(now, RenderTurns.AHEAD.toNanos(), 0);
        assertThat(share(2 * SECOND, 50, true)).isCloseTo(0.01, within(0.001));
        assertThat(share(SECOND / 10, 500, true)).isCloseTo(0.01, within(0.001));
    }

    @Test
    void sendingTimeCountsButDoesNotRestartTheWait() {
        pacing.made(now, RenderTurns.AHEAD.toNanos(), 0);
        assertThat(pacing.waits(now, true)).isEqualTo(SECOND);
        pacing.spent(now, SECOND);
        assertThat(pacing.waits(now, true)).isEqualTo(100 * SECOND);
        pacing.spent(now + 100 * SECOND, 0);
        assertThat(pacing.waits(now + 100 * SECOND, false)).isZero();
    }

    @Test
    void readerThatMissesSecondsGetsAReportWithoutTheUsualWait() {
        pacing.made(now, RenderTurns.AHEAD.toNanos() + 3 * SECOND, 0);
        assertThat(pacing.waits(now, true)).isEqualTo(300 * SECOND);
        assertThat(pacing.waitsOutOfTurn(now)).isEqualTo(RenderTurns.LOST.toNanos());
        assertThat(pacing.waitsOutOfTurn(now + RenderTurns.LOST.toNanos())).isZero();
    }

    @Test
    void sendingReportsTakesNoMoreThanThirtyKilobytesASecond() {
        pacing.made(now, 1, 1_000_000);
        pacing.made(now, 1, 3_000_000);
        assertThat(pacing.waits(now, true)).isEqualTo(Duration.ofSeconds(100).toNanos());
    }

    private static WindowRow row(int second) {
        return WindowRows.of(second, 2, 10, 10, 0, 10, Map.of(), 0, 0);
    }

    private void offer(int seconds) {
        for (int second = 0; second < seconds; second++) {
            publisher.window(TRIAL, row(second));
        }
    }

    @Test
    void measuringThreadOnlyQueuesSeconds() {
        AtomicInteger read = new AtomicInteger();
        RunPage page = new RunPage(read::incrementAndGet, () -> {});
        EventStream heard = page.streams().get(0);
        int before = read.get();
        for (int second = 0; second < RunPage.SecondPublisher.MOST + 10; second++) {
            page.reading(TRIAL, new Reading(second, "broker-1", "cpu.cores", 1));
            page.window(TRIAL, row(second));
        }
        assertThat(heard.last()).as("nothing is told or made").isZero();
        assertThat(read).as("no time is read, for nothing is timed").hasValue(before);
        page.close();
        assertThat(heard.has(0)).as("too many are dropped, and told of").isFalse();
    }

    @Test
    void everySecondIsPublishedOnceToReaders() {
        offer(3);
        publisher.publish(true);
        publisher.publish(true);
        assertThat(events.last()).isEqualTo(3);
        assertThat(events.has(0)).isTrue();
        assertThat(turns.take()).as("a report is wanted").isTrue();
    }

    @Test
    void secondsWithoutReadersAreSkippedAndLaterReadersReload() {
        offer(1);
        publisher.publish(false);
        long before = events.last();
        offer(1);
        publisher.publish(false);
        assertThat(events.has(before)).isFalse();
        offer(1);
        long now = events.last();
        publisher.publish(true);
        assertThat(events.has(now)).as("from now on all are there").isTrue();
        assertThat(events.last()).isEqualTo(now + 1);
    }

    @Test
    void fullQueueMakesEveryReaderReloadTheReport() {
        turns.want(false);
        assertThat(turns.take()).isTrue();
        turns.made(0, RenderTurns.AHEAD.toNanos() * 100, 0);
        offer(FEW + 1);
        long before = events.last();
        publisher.publish(true);
        assertThat(events.last()).as("one event for all").isEqualTo(before + 1);
        assertThat(events.has(before)).isFalse();
        offer(1);
        publisher.publish(true);
        assertThat(events.last()).as("the next is told again").isEqualTo(before + 2);
    }

    @Test
    void stateIsPublishedOnlyAfterAChange() {
        publisher.publish(true);
        place.addEvent("a");
        place.addEvent("b");
        publisher.publish(true);
        publisher.publish(true);
        assertThat(events.last()).isEqualTo(1);
    }
}
