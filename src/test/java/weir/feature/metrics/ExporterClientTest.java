package weir.feature.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.metrics.ExporterClient.ExporterAddress;
import weir.feature.metrics.ExpositionParser.Sample;

@Timeout(20)
class ExporterClientTest {
    private final LoopbackExporter exporter = new LoopbackExporter();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Sample> samples = new ArrayList<>();

    @AfterEach
    void close() {
        over.countDown();
        exporter.close();
    }

    private List<Sample> read(ExporterClient client) throws IOException {
        List<Sample> samples = new ArrayList<>();
        client.read(ExporterAddress.of(exporter.url()), name -> true, samples::add);
        return samples;
    }

    private void refused(String why) {
        try (ExporterClient client = new ExporterClient(Duration.ofSeconds(10), 1 << 20)) {
            assertThatThrownBy(() -> read(client))
                    .isInstanceOf(IOException.class)
                    .hasMessage(why);
        }
    }

    @Test
    void metricsPageIsRead() throws IOException {
        try (ExporterClient client = new ExporterClient()) {
            exporter.tells("a 1\nb{c=\"d\"} 2\n");
            assertThat(read(client)).hasSize(2);
            exporter.answers(exchange -> {
                String accepted = exchange.getRequestHeaders().getFirst("Accept");
                LoopbackExporter.send(
                        exchange,
                        accepted.startsWith("application/openmetrics-text") ? 200 : 406,
                        "application/openmetrics-text; version=1.0.0",
                        "a_total 1\n# EOF\n");
            });
            assertThat(read(client)).hasSize(1);
        }
    }

    @Test
    void responseWithoutMetricsIsRefused() {
        exporter.answers(exchange -> LoopbackExporter.send(exchange, 404, "text/plain", "gone"));
        refused("it answered with HTTP 404");
        exporter.answers(exchange -> LoopbackExporter.send(exchange, 200, "text/html; charset=utf-8", "a 1\n"));
        refused("it answered with 'text/html' instead of metrics");
        exporter.tells("a 1\n<html>\n");
        refused("line 2 is not a metric: '<html>'");
        exporter.answers(exchange -> {
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/secret");
            LoopbackExporter.send(exchange, 302, "text/plain", "");
        });
        refused("it redirects (HTTP 302); write the address of the metrics themselves");
        exporter.close();
        refused("connection refused, or unknown host name");
    }

    @Test
    void oversizedResponseIsRefused() {
        byte[] much = "a{b=\"0123456789\"} 1\n".repeat(5_000).getBytes(StandardCharsets.UTF_8);
        exporter.answers(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(much);
                }
            }
        });
        refused("its answer must be at most 1 MiB");
    }

    @Test
    void silentExporterTimesOut() {
        exporter.answers(exchange -> await());
        try (ExporterClient client = new ExporterClient(Duration.ofMillis(100), 1 << 20)) {
            assertThatThrownBy(() -> read(client)).hasMessage("it did not answer within 100 ms");
            exporter.answers(exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "text/plain");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("a 1\n".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                await();
            });
            assertThatThrownBy(() -> read(client)).hasMessage("it did not answer within 100 ms");
        }
    }

    @Test
    void closingEndsAReadThatHangs() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        exporter.answers(exchange -> {
            asked.countDown();
            await();
        });
        ExporterClient client = new ExporterClient();
        List<String> ended = new ArrayList<>();
        Thread reading = new Thread(() -> {
            try {
                read(client);
            } catch (IOException e) {
                ended.add(String.valueOf(e.getMessage()));
            }
        });
        reading.start();
        asked.await();
        client.close();
        reading.join();
        assertThat(ended).containsExactly("the reading was cancelled");
        assertThatThrownBy(() -> read(client)).as("ever after").isInstanceOf(IOException.class);
    }

    private void await() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Sample> read(String text, int chunk) throws IOException {
        samples.clear();
        ExpositionParser parser = new ExpositionParser(name -> !name.equals("unwanted"), samples::add);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.length; from += chunk) {
            parser.take(ByteBuffer.wrap(bytes, from, Math.min(chunk, bytes.length - from)));
        }
        parser.end();
        return samples;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 10_000})
    void bothFormatsAreTheSameLineByLine(int chunk) throws IOException {
        String text = """
                # HELP a_total counts "things" {
                # TYPE a_total counter
                a_total 1027 1395066363000
                a_total{topic="x",} 1.0E9
                unwanted{this is="no \\ line at all
                b { quantile = "0.99" , request="Prod\\"uce\\\\\\n" }\tNaN\r

                c{} +Inf
                d -Inf
                e{le="1"} 0.5 # {trace_id="z"} 0.1 123
                {"f.g",label="Käse"} 7
                # EOF
                h 3""";
        assertThat(read(text, chunk))
                .containsExactly(
                        new Sample("a_total", Map.of(), 1027, true),
                        new Sample("a_total", Map.of("topic", "x"), 1e9, false),
                        new Sample("b", Map.of("quantile", "0.99", "request", "Prod\"uce\\\n"), Double.NaN, false),
                        new Sample("c", Map.of(), Double.POSITIVE_INFINITY, false),
                        new Sample("d", Map.of(), Double.NEGATIVE_INFINITY, false),
                        new Sample("e", Map.of("le", "1"), 0.5, false),
                        new Sample("f.g", Map.of("label", "Käse"), 7, false),
                        new Sample("h", Map.of(), 3, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "a",
                "a x",
                "a{",
                "a{b}",
                "a{b=}1",
                "a{b=\"",
                "a{b=\"c\\",
                "a{b=\"c\"d=\"e\"} 1",
                "{\"\"} 1",
                "{} 1",
                "a{b=\"c\""
            })
    void invalidLineIsReportedWithItsNumber(String line) {
        assertThatThrownBy(() -> read("ok 1\n" + line + "\n", 3))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("line 2 is not a metric: '");
    }

    @Test
    void endlessMetricLineIsRefused() {
        assertThatThrownBy(() -> read("a".repeat(100_000), 1000))
                .isInstanceOf(IOException.class)
                .hasMessage("line 1 must have at most 65536 bytes");
    }
}
