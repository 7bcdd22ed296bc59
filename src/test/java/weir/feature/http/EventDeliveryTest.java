package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.measure.Balances.assertCounts;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.jackson.JsonFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cluster.LoopbackKeys;
import weir.load.engine.DeadLetters;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.Ratio;
import weir.plan.Variant;
import weir.worker.Assignment;

/** Events from a sender to receivers. Single events are compared with the Java SDK of CloudEvents. */
@Timeout(30)
class EventDeliveryTest {
    @TempDir
    Path folder;

    private final EventLoad events = new EventLoad();

    private Variant variant(String load, int operations) throws IOException {
        return EventLoad.variant(folder, load, operations);
    }

    private Balance carry(Variant variant, HttpReceiving receiving, long drainMillis, String... urls) {
        return events.carry(folder, variant, receiving, drainMillis, urls);
    }

    private static HttpReceiving receiving(ReceiverSpec spec, String... holders) {
        return new HttpReceiving(ReceiverUnderTest.asked(spec, List.of(holders), true, false), System::nanoTime);
    }

    private static String url(HttpReceiving receiving) {
        return "http://127.0.0.1:" + receiving.address().getPort();
    }

    private static CloudEvent event(FakeServer.ReceivedRequest heard) {
        Map<String, String> headers = new HashMap<>();
        heard.head().lines().skip(1).filter(line -> !line.isEmpty()).forEach(line -> {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        });
        MessageReader reader =
                HttpMessageFactory.createReader(headers, heard.body().getBytes(StandardCharsets.ISO_8859_1));
        return reader.toEvent();
    }

    private static byte[] identity(CloudEvent event) {
        byte[] id = event.getId().getBytes(StandardCharsets.US_ASCII);
        byte[] identity = new byte[Identity.BYTES];
        assertThat(LoadEvent.readId(id, id.length, identity)).isTrue();
        return identity;
    }

    private static byte[] data(CloudEvent event) {
        return Objects.requireNonNull(event.getData()).toBytes();
    }

    @ParameterizedTest
    @CsvSource({
        "RAW, 'size: 100B', application/octet-stream, false",
        "RAW, 'content: planes', application/octet-stream, true",
        "STRUCTURED, 'size: 100B', application/octet-stream, false",
        "STRUCTURED, 'content: planes', text/plain, true"
    })
    void everyMessageIsAnEventThatTheSdkUnderstands(
            HttpSpec.Request asked, String value, String contentType, boolean text) throws IOException {
        events.form = asked;
        assertThat(JsonFormat.CONTENT_TYPE).isEqualTo("application/cloudevents+json");
        String load = "rate: max, key: sequence, value: { " + value + " }";
        Set<Long> sent = new HashSet<>();
        try (FakeServer server = new FakeServer((number, heard) -> FakeServer.answer("204 No Content"))) {
            Balance balance =
                    carry(variant(load, 20), receiving(ReceiverSpec.PLAIN), 1, server.url() + "/ns/broker/?a=b");
            assertCounts(balance, "acked 20, lost 20");
            for (FakeServer.ReceivedRequest heard : server.heard) {
                assertThat(heard.line()).isEqualTo("POST /ns/broker/?a=b HTTP/1.1");
                CloudEvent event = event(heard);
                byte[] identity = identity(event);
                sent.add(Identity.sequence(identity));
                assertThat(event.getSpecVersion()).hasToString("1.0");
                assertThat(event.getSource()).hasToString("/weir");
                assertThat(event.getType()).isEqualTo("weir.event");
                assertThat(event.getDataContentType()).isEqualTo(contentType);
                assertThat(event.getExtension("partitionkey")).isNotNull();
                assertThat(Identity.runTag(identity)).isEqualTo(EventLoad.RUN_TAG);
                byte[] data = data(event);
                if (text) {
                    assertThat(new String(data, StandardCharsets.UTF_8)).matches("[ -~]+");
                } else {
                    assertThat(data).hasSize(100);
                    assertThat(Arrays.copyOf(data, Identity.BYTES)).isEqualTo(identity);
                }
            }
        }
        assertThat(sent).hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({"RAW, 8192B", "STRUCTURED, 8192B", "RAW, 40000B", "RAW, 10B"})
    void eventSentDirectlyToTheReceiverIsTimed(HttpSpec.Request asked, String size) throws IOException {
        events.form = asked;
        HttpReceiving receiving = receiving(ReceiverSpec.PLAIN);
        String load = "rate: 2000/s, producers: 2, connections: 4, value: { size: " + size + " }";
        Balance balance = carry(variant(load, 400), receiving, 5_000, url(receiving));
        assertCounts(balance, "acked 400, received 400, parked 0, lost 0, unread 0, duplicated 0, foreign 0");
        Numbers sum = events.engineLoad.numbers();
        Latency e2e = Objects.requireNonNull(sum.latency(LatencyKind.E2E));
        Latency response = Objects.requireNonNull(sum.latency(LatencyKind.RESPONSE));
        assertThat(e2e.count()).isEqualTo(400);
        // An event is received before it is answered.
        assertThat(e2e.meanMillis()).isPositive().isLessThan(response.meanMillis());
    }

    @Test
    void failingReceiverIsReportedApartFromALosingOne() throws IOException {
        HttpReceiving receiving =
                receiving(new ReceiverSpec("", Duration.ZERO, new Ratio(0.5), "", Path.of(""), Path.of("")));
        Balance balance = carry(variant("rate: max", 200), receiving, 1_000, url(receiving));
        assertThat(balance.of(Count.FAILED)).isBetween(50L, 150L);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(200 - balance.of(Count.FAILED));
        assertThat(balance.of(Count.LOST)).isZero();
        assertThat(events.told).anyMatch(event -> event.contains("HTTP 500"));
    }

    @Test
    void eventsAreReceivedUnderTls() throws IOException {
        LoopbackKeys keys = LoopbackKeys.in(folder);
        Path both = Path.of(keys.server().getOrDefault("ssl.keystore.location", ""));
        HttpReceiving receiving = receiving(new ReceiverSpec("", Duration.ZERO, new Ratio(0), "secret", both, both));
        String trusted = keys.client().getOrDefault("ssl.truststore.location", "");
        events.token = "secret";
        Balance balance = carry(
                variant("rate: max, http: { tls: " + trusted + " }", 100),
                receiving,
                1_000,
                url(receiving).replace("http:", "https:"));
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(100);
    }

    /** A channel that accepts events, stores them for some queries, and then parks some and drops the others. */
    private static final class Channel {
        private final AtomicInteger held = new AtomicInteger();
        private final AtomicInteger looks = new AtomicInteger();
        private final int mostLooks;
        private final int parks;

        Channel(int mostLooks, int parks) {
            this.mostLooks = mostLooks;
            this.parks = parks;
        }

        @Nullable String answer(FakeServer.ReceivedRequest heard) {
            if (heard.line().startsWith("POST")) {
                held.incrementAndGet();
                return FakeServer.answer("202 Accepted");
            }
            boolean over = held.get() == 100 && looks.incrementAndGet() > mostLooks;
            return FakeServer.answer(
                    "200 OK",
                    over ? "{\"held\":0,\"parked\":" + parks + "}" : "{\"held\":" + held.get() + ",\"parked\":0}");
        }
    }

    @Test
    void drainWaitsForHeldEventsUntilParkedOrDropped() throws IOException {
        Channel channel = new Channel(5, 30);
        try (FakeServer server = new FakeServer((number, heard) -> channel.answer(heard))) {
            Balance balance =
                    carry(variant("rate: max", 100), receiving(ReceiverSpec.PLAIN, server.url()), 20_000, server.url());
            assertCounts(balance, "acked 100, received 0, parked 30, lost 70");
            assertThat(channel.looks).hasValueGreaterThan(5);
        }
    }

    @Test
    void eventsHeldAfterTheDrainAreUnread() throws IOException {
        Channel channel = new Channel(Integer.MAX_VALUE, 0);
        try (FakeServer server = new FakeServer((number, heard) -> channel.answer(heard))) {
            Balance balance =
                    carry(variant("rate: max", 100), receiving(ReceiverSpec.PLAIN, server.url()), 50, server.url());
            assertCounts(balance, "unread 100, lost 0");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 100, 0, 99", "false, 100, 99, 0"})
    void deadLettersAreKnownByTheirIdsUnlessTheyCannotBeRead(boolean whole, int sent, long unread, long lost)
            throws IOException {
        DeadLetters letters = new DeadLetters() {
            @Override
            public boolean read(Consumer<byte[]> into, long deadlineNanos) {
                for (int tag : List.of(EventLoad.RUN_TAG, EventLoad.RUN_TAG + 1)) {
                    byte[] identity = new byte[Identity.BYTES];
                    Identity.write(identity, tag, 0, tag - EventLoad.RUN_TAG, 0);
                    into.accept(identity);
                }
                return whole;
            }
        };
        HttpReceiving receiving = new HttpReceiving(
                new HttpReceiving.Asked(
                        new Assignment.Receiving("127.0.0.1:0", List.of(), true, false, ""),
                        ReceiverSpec.PLAIN,
                        1,
                        true,
                        Optional.of(letters)),
                System::nanoTime);
        try (FakeServer server = new FakeServer((number, heard) -> FakeServer.answer("202 Accepted"))) {
            Balance balance = carry(variant("rate: max", sent), receiving, 50, server.url());
            assertThat(balance.of(Count.PARKED)).isEqualTo(1);
            assertThat(balance.of(Count.UNREAD)).isEqualTo(unread);
            assertThat(balance.of(Count.LOST)).isEqualTo(lost);
        }
    }
}
