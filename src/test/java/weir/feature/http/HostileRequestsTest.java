package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.http.HttpServer.RequestLimits;
import weir.http.RawClient;

/** Hostile requests: a success answer means an accepted record, and no request stays in memory. */
@Timeout(600)
class HostileRequestsTest {
    private static final int REQUESTS = Integer.getInteger("hostile", 1_500);
    /** More bytes than the buffers of two sockets can store. */
    private static final long ENDLESS = 64 << 20;

    private static final String[] LENGTHS = {
        "Content-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 50\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: +5\r\n",
        "Content-Length:\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: identity, chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "",
    };
    private static final String[] BODIES = {
        "hello",
        "5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello",
        "ffffffff\r\nhello",
        "-5\r\nhello\r\n0\r\n\r\n",
        "",
        "\r\n\r\n\r\n",
    };

    private static byte[] request(SplittableRandom random) {
        String line = random.nextInt(8) == 0
                ? "POST /topics/orders\r\n"
                : "POST /topics/orders HTTP/1.1\r\nHost: localhost\r\n";
        String type = random.nextInt(3) == 0 ? "Content-Type: " + type(random) + "\r\n" : "";
        String more = random.nextInt(20) == 0 ? "X: " + "y".repeat(random.nextInt(40_000)) + "\r\n" : "";
        String text = line + LENGTHS[random.nextInt(LENGTHS.length)] + type + more + "\r\n"
                + BODIES[random.nextInt(BODIES.length)];
        byte[] bytes = (random.nextInt(4) == 0 ? text + text : text).getBytes(StandardCharsets.ISO_8859_1);
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(3) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    private static String type(SplittableRandom random) {
        RecordFormat[] all = RecordFormat.values();
        return all[random.nextInt(all.length)].contentType;
    }

    @Test
    void successIsAnsweredOnlyForAcceptedRequests() throws Exception {
        Duration two = Duration.ofSeconds(2);
        RequestLimits limits = GatewayTest.limits(1_000, two, two, two, 1_000);
        SplittableRandom random = new SplittableRandom(17);
        long well = 0;
        long answered = 0;
        try (GatewayUnderTest under = new GatewayUnderTest(true, GatewayUnderTest.settings(Map.of(), limits))) {
            for (int i = 0; i < REQUESTS; i++) {
                String answers = answers(under, request(random));
                well += answers.split("HTTP/1.1 200 ", -1).length - 1;
                answered += answers.split("HTTP/1.1 ", -1).length - 1;
            }
            long taken = under.gateway.counts().getOrDefault("requests", 0L);
            assertThat(well).isPositive().isLessThanOrEqualTo(taken);
            assertThat(answered).isGreaterThan(REQUESTS / 3);
            assertThat((long) under.producer.history().size())
                    .isEqualTo(under.gateway.counts().getOrDefault("records_acked", 0L));
            while (under.gateway.counts().getOrDefault("connections", 0L) > 0) {
                Thread.sleep(1);
            }
            assertThat(under.post("fine").statusCode()).isEqualTo(200);
        }
    }

    /** Some servers wait for more bytes that never arrive. The test stops waiting after a moment. */
    private static String answers(GatewayUnderTest under, byte[] request) throws IOException {
        try (RawClient raw = under.raw()) {
            raw.send(request);
            raw.socket().setSoTimeout(3);
            StringBuilder text = new StringBuilder();
            byte[] some = new byte[4_096];
            try {
                for (int n = raw.socket().getInputStream().read(some);
                        n > 0;
                        n = raw.socket().getInputStream().read(some)) {
                    text.append(new String(some, 0, n, StandardCharsets.ISO_8859_1));
                }
            } catch (SocketTimeoutException enough) {
                return text.toString();
            } catch (IOException reset) {
                return text.toString();
            }
            return text.toString();
        }
    }

    @Test
    void clientThatReadsNoAnswersIsReadNoFurther() throws IOException {
        String head = "GET /counters HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(4_000) + "\r\n\r\n";
        ByteBuffer request = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
        try (GatewayUnderTest under = GatewayUnderTest.start();
                SocketChannel client = SocketChannel.open()) {
            client.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 10);
            client.connect(under.gateway.address());
            client.configureBlocking(false);
            long written = 0;
            long since = System.nanoTime();
            while (written < ENDLESS && System.nanoTime() - since < 1_000_000_000) {
                int some = client.write(request);
                written += some;
                since = some > 0 ? System.nanoTime() : since;
                request.position(request.hasRemaining() ? request.position() : 0);
            }
            assertThat(written).isLessThan(ENDLESS);
        }
    }
}
