package weir.feature.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.host.Ports;
import weir.judge.trial.JudgedTrial;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.real.Door;
import weir.results.RunFolder;

/** A real Prometheus that scrapes a real run and answers the queries of the dashboards. */
@Execution(ExecutionMode.CONCURRENT)
class MetricsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EXPERIMENT = """
            name: scraped
            cluster: { heap: 256MiB, jvm: [-XX:TieredStopAtLevel=1] }
            topics: { orders: { partitions: 2 } }
            load: { workload: deliver, rate: 500/s, value: { size: 100B } }
            warmup: 2s
            measure: 14s
            during: { command: { at: 1s, for: 2s, run: "sleep 9" } }
            """;

    /** The query about a search, a kind of run that is not tested here. */
    private static final Pattern ELSEWHERE = Pattern.compile("weir_tried_operations");

    private static final Pattern VARIABLE = Pattern.compile("\\$(job|broker|topic|variant)");

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Process> started = new ArrayList<>();

    /** Starts a Prometheus that scrapes one address every second. */
    private int prometheus(int target, String... flags) throws IOException {
        int port = new Ports().getAsInt();
        Path home = Files.createTempDirectory(folder, "prometheus");
        // The shipped file with the test's target.
        String shipped = Files.readString(Path.of("deploy/prometheus/prometheus.yml"));
        assertThat(shipped).contains("127.0.0.1:9464");
        Path config = Files.writeString(home.resolve("prometheus.yml"), shipped.replace(":9464", ":" + target));
        List<String> command = new ArrayList<>(List.of(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--log.level=warn"));
        command.addAll(List.of(flags));
        started.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log.txt").toFile())
                .start());
        return port;
    }

    /** Returns the last minute and a half of an expression, second by second, as a panel draws it. */
    private JsonNode query(int port, String expression) throws Exception {
        long now = System.currentTimeMillis() / 1000;
        String asked = "http://127.0.0.1:" + port + "/api/v1/query_range?step=1&start=" + (now - 90) + "&end=" + now
                + "&query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
        HttpResponse<String> answer =
                client.send(HttpRequest.newBuilder(URI.create(asked)).build(), HttpResponse.BodyHandlers.ofString());
        JsonNode read = JSON.readTree(answer.body());
        assertThat(read.path("status").asText())
                .as(expression + ": " + answer.body())
                .isEqualTo("success");
        return read.path("data").path("result");
    }

    /** Returns the last value of an expression with one series. */
    private double last(int port, String expression) throws Exception {
        JsonNode result = query(port, expression);
        assertThat(result).as(expression).hasSize(1);
        JsonNode values = result.get(0).path("values");
        return values.get(values.size() - 1).get(1).asDouble();
    }

    private static List<String> queries(Path dashboard) throws IOException {
        List<String> all = new ArrayList<>();
        JsonNode board = JSON.readTree(dashboard.toFile());
        board.path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> all.add(target.path("expr").asText())));
        board.path("annotations").path("list").forEach(annotation -> {
            if (annotation.has("expr")) {
                all.add(annotation.path("expr").asText());
            }
        });
        return all;
    }

    /** Returns the query of Grafana if a user selects all values. */
    private static String asked(String expression) {
        return VARIABLE.matcher(expression).replaceAll(".*").replace("$__rate_interval", "4s");
    }

    @Test
    void everyPanelHasItsSeriesAndCountersMatchTheLedger() throws Exception {
        Door door = new Door(folder.toRealPath());
        int port = new Ports().getAsInt();
        int plain = prometheus(port);
        int natives = prometheus(port, "--enable-feature=native-histograms");
        try {
            Door.Running run = door.start(
                    "run",
                    "--metrics",
                    "127.0.0.1:" + port,
                    door.file("scraped.yaml", EXPERIMENT).toString());
            Door.Ended ended = run.end();
            assertThat(ended.err()).contains("metrics: http://127.0.0.1:" + port + "/metrics");

            Set<String> without = new TreeSet<>();
            int panels = 0;
            try (Stream<Path> dashboards = Files.list(Path.of("deploy/grafana/dashboards"))) {
                for (Path dashboard : dashboards.toList()) {
                    for (String expression : queries(dashboard)) {
                        panels++;
                        if (query(plain, asked(expression)).isEmpty()) {
                            without.add(expression);
                        }
                    }
                }
            }
            assertThat(panels).isGreaterThan(70);
            assertThat(without)
                    .as("queries without a series")
                    .singleElement()
                    .asString()
                    .containsPattern(ELSEWHERE);

            try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
                JudgedTrial trial = JudgedTrial.of(
                        RunFolder.open(runs.findFirst().orElseThrow()).trials().get(0));
                for (Count count : List.of(Count.DUE, Count.SENT, Count.ACKED, Count.FAILED, Count.RECEIVED)) {
                    assertThat(last(plain, "weir_records_" + count.word() + "_total{phase=\"measure\"}"))
                            .as("%s", count)
                            .isEqualTo((double) trial.result().figures().orZero(count));
                }
                String due = "weir_records_due_total{phase=\"measure\"}[80s]";
                assertThat(last(plain, "max_over_time(" + due + ") - min_over_time(" + due + ")"))
                        .as("the growth of a counter, from before its first record")
                        .isEqualTo((double) trial.result().figures().orZero(Count.DUE));
                double acked = trial.result().figures().orZero(Count.ACKED);
                assertThat(last(plain, "weir_response_seconds_count{phase=\"measure\"}"))
                        .isEqualTo(acked);
                assertThat(last(natives, "histogram_count(weir_response_seconds{phase=\"measure\"})"))
                        .as("the native histogram")
                        .isEqualTo(acked);
                assertThat(last(natives, "histogram_quantile(0.5, weir_response_seconds{phase=\"measure\"})"))
                        .as("p50 of the native histogram")
                        .isCloseTo(
                                Objects.requireNonNull(trial.result()
                                                .figures()
                                                .latency(LatencyKind.RESPONSE)
                                                .p50())
                                        / 1e3,
                                withinPercentage(10));
                double all = last(plain, "sum(weir_records_acked_total)");
                // A slow broker is not read for up to ten seconds, and may end meanwhile.
                assertThat(last(plain, "kafka_server_brokertopicmetrics_messagesin_total{topic=\"orders\"}"))
                        .as("the broker's own count")
                        .isBetween(all - 10.5 * 500, all * 1.01);
            }
        } finally {
            for (Process process : started) {
                process.destroy();
                assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    @Tag("long")
    void theBrokersOfANamedClusterAreServedUntilItIsStopped() throws Exception {
        Door door = new Door(folder.toRealPath());
        Door.Ended up = door.weir("cluster start --name shown --metrics 127.0.0.1:0 --set cluster.heap=256MiB --set"
                .concat(" cluster.jvm=[\"-XX:TieredStopAtLevel=1\"]")
                .split(" ", -1));
        try {
            assertThat(up.exit()).as(up.err()).isZero();
            Matcher told = Pattern.compile("metrics: (http://\\S+)").matcher(up.err());
            assertThat(told.find()).as(up.err()).isTrue();
            HttpRequest scrape =
                    HttpRequest.newBuilder(URI.create(told.group(1))).build();
            assertThat(client.send(scrape, HttpResponse.BodyHandlers.ofString()).body())
                    .as("the first answer")
                    .contains("kafka_server_replicamanager_leadercount{broker_id=\"1\"}")
                    .contains("weir_broker_up{broker_id=\"1\"} 1.0");
            assertThat(door.weir("cluster", "status").out()).contains("1 of 1 processes run, metrics served");
            assertThat(door.weir("cluster", "stop", "--name", "shown").exit()).isZero();
            assertThatThrownBy(() -> client.send(scrape, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        } finally {
            var unused = door.weir("cluster", "stop", "--all");
        }
    }
}
