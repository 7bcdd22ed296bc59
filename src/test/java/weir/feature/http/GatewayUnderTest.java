package weir.feature.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.feature.http.Gateway.GatewayCounters;
import weir.feature.http.Gateway.KnownTopics;
import weir.http.HttpServer.RequestLimits;
import weir.http.RawClient;
import weir.plan.property.ResolvedSecrets;

/** A gateway on its own port, with a producer that the test acknowledges by hand, and with clients. */
final class GatewayUnderTest implements AutoCloseable {
    static final String TOPIC = "orders";
    static final int PARTITIONS = 3;

    /** Topics without metadata in the producer. */
    final Set<String> unknown = ConcurrentHashMap.newKeySet();

    /** The answers to the next questions for a number of partitions, before the usual answer. */
    final Queue<CompletableFuture<Integer>> numbers = new ConcurrentLinkedQueue<>();

    final GatewayCounters counters = new GatewayCounters();
    final MockProducer<byte[], byte[]> producer;
    final Gateway gateway;
    final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    GatewayUnderTest(boolean acknowledges, GatewaySettings settings) throws IOException {
        ByteArraySerializer bytes = new ByteArraySerializer();
        producer = new MockProducer<>(acknowledges, new RoundRobinPartitioner(), bytes, bytes) {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
                if (unknown.contains(record.topic())) {
                    callback.onCompletion(null, new TimeoutException("not present in metadata"));
                    return new CompletableFuture<>();
                }
                return super.send(record, callback);
            }

            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                if (unknown.contains(topic)) {
                    throw new TimeoutException("not present in metadata");
                }
                return List.of();
            }
        };
        gateway = Gateway.start(settings, topics(), producer, counters);
    }

    static GatewaySettings settings(Map<String, String> properties, RequestLimits limits) {
        return settings(properties, GatewaySpec.Answer.ACKED, limits, "", Path.of(""));
    }

    /** {@code certificate} is a file with a certificate and its key; empty without TLS. */
    static GatewaySettings settings(
            Map<String, String> properties,
            GatewaySpec.Answer answer,
            RequestLimits limits,
            String token,
            Path certificate) {
        return new GatewaySettings(
                "127.0.0.1",
                0,
                new TreeMap<>(properties),
                answer,
                limits,
                false,
                token,
                certificate,
                certificate,
                ResolvedSecrets.NONE);
    }

    /** Starts a gateway whose producer acknowledges at once. */
    static GatewayUnderTest start() throws IOException {
        return new GatewayUnderTest(true, settings(Map.of(), RequestLimits.DEFAULT));
    }

    private KnownTopics topics() {
        Set<String> there = Set.of(TOPIC, "others");
        return new KnownTopics() {
            @Override
            public boolean has(String topic) {
                return there.contains(topic);
            }

            @Override
            public CompletionStage<Integer> partitions(String topic, int partition) {
                CompletableFuture<Integer> next = numbers.poll();
                return next == null ? CompletableFuture.completedFuture(PARTITIONS) : next;
            }

            @Override
            public void close() {}
        };
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + path))
                .timeout(Duration.ofSeconds(10));
    }

    HttpResponse<String> post(String body, String... headers) throws IOException, InterruptedException {
        return send(posting(body, headers));
    }

    CompletableFuture<HttpResponse<String>> postAsync(String body, String... headers) {
        return client.sendAsync(posting(body, headers), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest posting(String body, String... headers) {
        HttpRequest.Builder request = request("/topics/" + TOPIC);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    RawClient raw() throws IOException {
        return new RawClient(gateway.address());
    }

    @Override
    public void close() {
        gateway.close();
    }
}
