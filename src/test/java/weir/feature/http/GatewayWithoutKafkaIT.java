package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.host.ProcessAction;
import weir.http.HttpServer.RequestLimits;
import weir.real.Kafkas;
import weir.real.OwnKafka;

/** A gateway whose Kafka goes away and comes back. */
@Tag("alone")
@Timeout(120)
class GatewayWithoutKafkaIT {
    private static final Duration BLOCK = Duration.ofSeconds(2);
    private static final Duration DELIVERY = Duration.ofSeconds(3);
    private static final String REST = "application/vnd.kafka.json.v2+json";

    @TempDir
    private Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static GatewaySettings settings(String bootstrap) {
        Map<String, String> producer = Map.of(
                "bootstrap.servers",
                bootstrap,
                "max.block.ms",
                String.valueOf(BLOCK.toMillis()),
                "delivery.timeout.ms",
                String.valueOf(DELIVERY.toMillis()),
                "request.timeout.ms",
                "1000",
                "linger.ms",
                "0");
        return GatewayUnderTest.settings(producer, RequestLimits.DEFAULT);
    }

    private CompletableFuture<HttpResponse<String>> post(Gateway gateway, String topic, String type, String body) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.address().getPort() + "/topics/" + topic))
                        .header("Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private int health(Gateway gateway) throws IOException, InterruptedException {
        URI at = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/healthz");
        return client.send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    @Test
    void requestsFailTogetherThenAtOnceUntilKafkaIsBack() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(Files.createDirectory(folder.resolve("kafka")), Kafkas.of("4.4.0", 1))) {
            String bootstrap = kafka.cluster().bootstrap();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
                admin.createTopics(List.of(new NewTopic("used", 1, (short) 1), new NewTopic("unused", 1, (short) 1)))
                        .all()
                        .get(20, TimeUnit.SECONDS);
            }
            Gateway gateway = Gateway.start(settings(bootstrap));
            try (gateway) {
                assertThat(post(gateway, "used", "text/plain", "x").get().statusCode())
                        .isEqualTo(200);
                long asked = System.nanoTime();
                HttpResponse<String> absent = post(
                                gateway, "used", REST, "{\"records\":[{\"value\":1,\"partition\":7}]}")
                        .get();
                assertThat(absent.statusCode()).as(absent.body()).isEqualTo(404);
                assertThat(since(asked)).isLessThan(BLOCK);

                kafka.cluster().act(ProcessAction.KILL, 1);
                long begun = System.nanoTime();
                List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    all.add(post(gateway, i % 2 == 0 ? "used" : "unused", "text/plain", "x"));
                }
                all.add(post(gateway, "unused", "application/x-ndjson", "x\n".repeat(20)));
                for (CompletableFuture<HttpResponse<String>> one : all) {
                    assertThat(one.get().statusCode()).as(one.get().body()).isEqualTo(503);
                }
                assertThat(since(begun)).isLessThan(DELIVERY.plus(BLOCK));
                // At the latest by the gateway's own question: the client may forget its metadata before a request
                // times out.
                while (health(gateway) != 503) {
                    LockSupport.parkNanos(50_000_000);
                }
                asked = System.nanoTime();
                assertThat(post(gateway, "used", "text/plain", "x").get().statusCode())
                        .isEqualTo(503);
                assertThat(since(asked)).isLessThan(Duration.ofSeconds(1));

                kafka.cluster().restart(1);
                while (health(gateway) != 200) {
                    LockSupport.parkNanos(50_000_000);
                }
                assertThat(post(gateway, "unused", "text/plain", "x").get().statusCode())
                        .isEqualTo(200);

                kafka.cluster().act(ProcessAction.KILL, 1);
                CompletableFuture<HttpResponse<String>> last = post(gateway, "used", "text/plain", "x");
                begun = System.nanoTime();
                gateway.close();
                assertThat(since(begun)).isLessThan(Duration.ofSeconds(10));
                assertThat(last).isDone();
            }
        }
    }
}
