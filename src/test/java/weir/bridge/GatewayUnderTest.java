package weir.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.bridge.http.RequestLimits;
import weir.plan.BridgeSpec;

/** A gateway on a port of its own, before a producer that a test acknowledges by hand, and clients that speak to it. */
final class GatewayUnderTest implements AutoCloseable {
    static final String TOPIC = "orders";

    final MockProducer<byte[], byte[]> producer;
    final Gateway gateway;
    final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    GatewayUnderTest(boolean acknowledges, GatewaySettings settings) throws IOException {
        ByteArraySerializer bytes = new ByteArraySerializer();
        producer = new MockProducer<>(acknowledges, new RoundRobinPartitioner(), bytes, bytes);
        gateway = Gateway.start(settings, topics(), producer);
    }

    static GatewaySettings settings(Map<String, String> properties, RequestLimits limits) {
        return new GatewaySettings(
                "127.0.0.1",
                0,
                new TreeMap<>(properties),
                BridgeSpec.Answer.ACKED,
                limits,
                false,
                "",
                Optional.empty());
    }

    /** One that acknowledges at once. */
    static GatewayUnderTest start() throws IOException {
        return new GatewayUnderTest(true, settings(Map.of(), RequestLimits.DEFAULT));
    }

    private static KnownTopics topics() {
        Set<String> there = Set.of(TOPIC);
        return new KnownTopics() {
            @Override
            public boolean has(String topic) {
                return there.contains(topic);
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

    /** A connection on which a test writes what it likes. */
    RawConnection raw() throws IOException {
        return new RawConnection(
                new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort()));
    }

    @Override
    public void close() {
        gateway.close();
    }

    /** Bytes out and bytes in. */
    record RawConnection(Socket socket) implements AutoCloseable {
        RawConnection write(String text) throws IOException {
            return write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        RawConnection write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        }

        /** All that comes until the other side ends the connection. */
        String rest() throws IOException {
            socket.setSoTimeout(10_000);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }

        /** Reads up to the end of the answer of this number, whose bodies end with a line. */
        String answers(int count) throws IOException {
            socket.setSoTimeout(10_000);
            StringBuilder text = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (text.toString().split("}\n", -1).length <= count) {
                int next = in.read();
                if (next < 0) {
                    return text.toString();
                }
                text.append((char) next);
            }
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
