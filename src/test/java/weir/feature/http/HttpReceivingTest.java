package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.feature.http.ReceiverUnderTest.asked;
import static weir.feature.http.ReceiverUnderTest.event;
import static weir.feature.http.ReceiverUnderTest.id;
import static weir.feature.http.ReceiverUnderTest.post;
import static weir.feature.http.ReceiverUnderTest.structured;
import static weir.measure.Balances.assertCounts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.http.HttpRules;
import weir.http.RawClient;
import weir.load.OneInbox;
import weir.load.engine.LogView;
import weir.load.message.Identity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.plan.Ratio;
import weir.worker.Assignment;

@Timeout(30)
class HttpReceivingTest {
    private static final String ACCEPTED = "202 Accepted";

    private ReceiverUnderTest under = new ReceiverUnderTest();
    private RawClient client = under.client();

    HttpReceivingTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        client.close();
        under.close();
    }

    private void restart(ReceiverUnderTest next) throws IOException {
        close();
        under = next;
        client = under.client();
    }

    private static ReceiverSpec spec(Duration delay, double fail, String token) {
        return new ReceiverSpec("", delay, new Ratio(fail), token, Path.of(""), Path.of(""));
    }

    @Test
    void fragmentedEventIsReceivedWhenComplete() throws Exception {
        assertThat(client.drip(event(0)).answer()).isEqualTo(ACCEPTED);
        String chunked = "POST / HTTP/1.1\r\nHost: localhost\r\nce-id: " + id(1)
                + "\r\nce-specversion: 1.0\r\nce-source: /a\r\n"
                + "ce-type: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        assertThat(client.send(chunked).answer()).isEqualTo(ACCEPTED);
        String whole = event(2);
        client.send(whole.substring(0, whole.length() - 1));
        assertThat(under.receiving.ends()).containsExactly(2);
        assertThat(client.send(whole.substring(whole.length() - 1)).answer()).isEqualTo(ACCEPTED);
        Balance balance = under.balance(4);
        assertCounts(balance, "received 3, lost 1, foreign 0");
        assertThat(under.box.bytes()).isEqualTo(6 + 5 + 6);
        assertThat(under.box.timed()).isEqualTo(3);
        assertThat(under.box.position(0)).isEqualTo(3);
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        client.send(event(0) + event("", "no id") + event(1) + "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + event(1));
        assertThat(answers(client, 5))
                .containsExactly(ACCEPTED, "400 Bad Request the attribute 'id' is empty", ACCEPTED, "200 OK", ACCEPTED);
        Balance balance = under.balance(2);
        assertCounts(balance, "received 2, duplicated 1");
        assertThat(under.figures())
                .containsEntry("receiver.events-total", 3.0)
                .containsEntry("receiver.requests-refused-total", 1.0);
    }

    private static List<String> answers(RawClient client, int count) throws IOException {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(client.answer());
        }
        return answers;
    }

    @Test
    void receiverAnswersExpectContinueAndClosesOnRequest() throws Exception {
        String waits = event(0).replace("Host: ", "Expect: 100-continue\r\nConnection: close\r\nHost: ");
        int body = waits.indexOf("data 0");
        assertThat(client.send(waits.substring(0, body)).answer()).isEqualTo("100 Continue");
        client.send(waits.substring(body) + event(1));
        assertThat(answers(client, 2)).containsExactly(ACCEPTED, "");
        assertThat(under.balance(1).of(Count.RECEIVED)).isEqualTo(1);
    }

    @Test
    void jsonEventIsIdentifiedByItsIdOrItsData() throws Exception {
        byte[] data = new byte[100];
        Identity.write(data, OneInbox.RUN_TAG, 0, 1, System.nanoTime());
        String encoded = Base64.getEncoder().encodeToString(data);
        client.send(structured("{\"specversion\":\"1.0\",\"id\":\"" + id(0)
                + "\",\"source\":\"/s\",\"type\":\"t\",\"data\":{\"a\":1}}"));
        client.send(structured("{\"specversion\":\"1.0\",\"id\":\"A-1\",\"source\":\"/s\",\"type\":\"t\","
                + "\"data_base64\":\"" + encoded + "\"}"));
        client.send(event("A-1", new String(data, StandardCharsets.ISO_8859_1)));
        client.send(event("A-2", "an event of another program") + event("A-3", "short"));
        assertThat(answers(client, 5)).containsOnly(ACCEPTED);
        Balance balance = under.balance(2);
        assertCounts(balance, "received 2, duplicated 1, foreign 2");
        assertThat(under.box.bytes()).isEqualTo(7 + 100);
    }

    static Stream<String> hostile() {
        String none = "ce-specversion: 1.0\r\nce-source: /a\r\nce-type: b";
        String well = "ce-id: " + id(0) + "\r\n" + none;
        return Stream.of(
                "400 " + post("data", none),
                "400 " + post("data", well.replace("1.0", "0.3")),
                "400 " + post("data", well.replace("ce-source", "ce-sauce")),
                "400 " + post("data", well, "ce-id: " + id(1)),
                "400 " + post("data", well, "ce-no_name: 1"),
                "400 " + post("data", well, "ce-: 1"),
                "431 " + post("data", well, "ce-long: " + "x".repeat(64 << 10)),
                "431 " + post("data", well, "x: 1\r\n".repeat(101).strip()),
                "414 " + "POST /" + "x".repeat(64 << 10),
                "413 " + post("data", well).replace("Content-Length: 4", "Content-Length: 4194305"),
                "413 "
                        + "POST / HTTP/1.1\r\nHost: localhost\r\n" + well
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n500000\r\n"
                        + "x".repeat(0x500000),
                "400 " + "POST / HTTP/1.1\r\nHost: localhost\r\n" + well
                        + "\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
                "400 " + post("data", well, "Transfer-Encoding: chunked"),
                "400 " + post("data", well).replace("Content-Length: 4", "Content-Length: four"),
                "400 " + "no request at all\r\n\r\n",
                "405 " + post("data", well).replace("POST", "PUT"),
                "405 " + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "400 " + structured("{\"specversion\":\"1.0\",\"id\":\"" + id(0) + "\",\"source\":\"/s\",\"ty"),
                "400 " + structured("{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"t\"}"),
                "400 " + structured("[]"),
                "400 " + structured("{\"a\":".repeat(1_000)),
                "400 " + post("[]", "Content-Type: application/cloudevents-batch+json"));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void invalidEventIsRefusedAndNotCounted(String expected) throws Exception {
        String answer = client.send(expected.substring(4)).answer();
        assertThat(answer).startsWith(expected.substring(0, 4)).hasSizeBetween(10, 260);
        try (RawClient other = under.client()) {
            assertThat(other.send(event(0)).answer()).isEqualTo(ACCEPTED);
        }
        Balance balance = under.balance(1);
        assertThat(balance.of(Count.RECEIVED) + balance.of(Count.FOREIGN)).isEqualTo(1);
        assertThat(under.box.position(0)).isEqualTo(1);
    }

    @Test
    void eventOfADisconnectedClientIsNotReceived() throws Exception {
        for (String whole : List.of(event(0), structured("{\"id\":\"" + id(0) + "\"}"))) {
            try (RawClient client = under.client()) {
                client.send(whole.substring(0, whole.length() - 1));
            }
        }
        try (RawClient other = under.client()) {
            assertThat(other.send(event(1)).answer()).isEqualTo(ACCEPTED);
        }
        assertThat(under.balance(2).of(Count.RECEIVED)).isEqualTo(1);
    }

    @Test
    void delayedAnswersDoNotBlockOtherEvents() throws Exception {
        Duration delay = Duration.ofMillis(250);
        restart(new ReceiverUnderTest(spec(delay, 0, "")));
        List<RawClient> clients = new ArrayList<>();
        long begun = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            clients.add(under.client().send(event(i) + event("", "")));
        }
        assertThat(answers(clients.get(0), 2)).containsExactly(ACCEPTED, "400 Bad Request the attribute 'id' is empty");
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(delay.toNanos());
        for (RawClient client : clients.subList(1, 5)) {
            assertThat(client.answer()).isEqualTo(ACCEPTED);
            client.close();
        }
        // One after the other they would take five times as long.
        assertThat(System.nanoTime() - begun).isLessThan(5 * delay.toNanos());
        clients.get(0).close();
        assertThat(under.balance(5).of(Count.RECEIVED)).isEqualTo(5);
    }

    @Test
    void configuredFailureShareIsRefusedAndNotReceived() throws Exception {
        int events = 2_000;
        SplittableRandom random = new SplittableRandom(ReceiverUnderTest.SEED);
        List<String> expected = IntStream.range(0, events)
                .mapToObj(i -> random.nextDouble() < 0.25 ? "500 Internal Server Error" : ACCEPTED)
                .toList();
        long taken = expected.stream().filter(ACCEPTED::equals).count();
        restart(new ReceiverUnderTest(spec(Duration.ZERO, 0.25, "")));
        StringBuilder all = new StringBuilder();
        IntStream.range(0, events).forEach(i -> all.append(event(i)));
        client.send(all.toString());
        assertThat(answers(client, events)).isEqualTo(expected);
        assertThat(taken).isBetween(1_400L, 1_600L);
        assertThat(under.figures()).containsEntry("receiver.requests-failed-total", (double) (events - taken));
        assertThat(under.balance(events).of(Count.RECEIVED)).isEqualTo(taken);
    }

    @Test
    void receiverRefusesEventsWithoutItsToken() throws Exception {
        restart(new ReceiverUnderTest(spec(Duration.ZERO, 0, "open sesame")));
        client.send(event(0) + event(0).replace("Host", "Authorization: Bearer closed\r\nHost"));
        client.send(event(0).replace("Host", "Authorization: Bearer open sesame\r\nHost"));
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(answers(client, 4))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("401 "),
                        second -> assertThat(second).startsWith("401 "),
                        third -> assertThat(third).isEqualTo(ACCEPTED),
                        fourth -> assertThat(fourth).isEqualTo("200 OK"));
    }

    @Test
    void clientsMayConnectBeforeTheReader() throws IOException {
        HttpReceiving receiving =
                new HttpReceiving(asked(ReceiverSpec.PLAIN, List.of(), true, false), System::nanoTime);
        try (Socket early =
                new Socket(receiving.address().getAddress(), receiving.address().getPort())) {
            assertThat(early.isConnected()).isTrue();
            String taken = "127.0.0.1:" + receiving.address().getPort();
            HttpReceiving.Asked same = new HttpReceiving.Asked(
                    new Assignment.Receiving(taken, List.of(), true, false, ""),
                    ReceiverSpec.PLAIN,
                    1,
                    true,
                    Optional.empty());
            assertThatThrownBy(() -> new HttpReceiving(same, System::nanoTime))
                    .hasMessageStartingWith("load.listen: the receiver cannot listen on " + taken + ": ");
        } finally {
            receiving.close();
            receiving.close();
        }
        assertThatThrownBy(() -> new Socket(
                                receiving.address().getAddress(),
                                receiving.address().getPort())
                        .close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void endOffsetIsArrivedPlusHeldEvents() throws Exception {
        AtomicReference<String> told = new AtomicReference<>("{\"held\":3,\"parked\":2}");
        FakeServer holder = new FakeServer((number, heard) -> FakeServer.answer("200 OK", String.valueOf(told.get())));
        List<String> holders = List.of(holder.url(), holder.url() + "/");
        for (boolean inMemory : List.of(true, false)) {
            told.set("{\"held\":3,\"parked\":2}");
            restart(new ReceiverUnderTest(asked(spec(Duration.ZERO, 0, ""), holders, inMemory, false), () -> 0));
            assertThat(under.receiving.ends()).containsExactly(6);
            client.send(event(0)).answer();
            assertThat(under.receiving.logEnds()).containsExactly(7);
            assertThat(under.figures()).containsEntry("receiver.held", 6.0).containsEntry("receiver.parked-total", 4.0);
            told.set("{\"held\":-1,\"parked\":1}");
            assertThat(under.receiving.logEnds()).containsExactly(-1);
            // Another process had parked the first events.
            assertThat(under.figures()).containsEntry("receiver.parked-total", 6.0);
            told.set("{\"other\":1}");
            assertThat(under.receiving.logEnds()).containsExactly(-1);
            if (!inMemory) {
                holder.close();
                assertThat(under.receiving.logEnds()).containsExactly(-1);
            }
        }
    }

    @Test
    void endedMemoryProcessHoldsNoEvents() throws Exception {
        // A socket that is bound and does not listen, so that no other test can take its port.
        try (Socket ended = new Socket()) {
            ended.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            List<String> holders = List.of("http://127.0.0.1:" + ended.getLocalPort());
            restart(new ReceiverUnderTest(asked(ReceiverSpec.PLAIN, holders, true, false), () -> 0));
            assertThat(under.receiving.logEnds()).containsExactly(0);
        }
    }

    @Test
    void foreignPathIsReadUntilNothingArrives() throws Exception {
        AtomicLong now = new AtomicLong(1);
        long second = 1_000_000_000;
        restart(new ReceiverUnderTest(asked(ReceiverSpec.PLAIN, List.of(), false, true), now::get));
        assertThat(under.receiving.ends()).containsExactly(-1);
        now.addAndGet(10 * second);
        assertThat(under.receiving.logEnds()).containsExactly(-1);
        now.addAndGet(2 * second);
        client.send(event(0)).answer();
        now.addAndGet(2 * second);
        assertThat(under.receiving.logEnds()).containsExactly(-1);
        now.addAndGet(second);
        assertThat(under.receiving.logEnds()).containsExactly(LogView.UNREPORTED);
    }

    @Test
    void onlyOneWorkerReceives() {
        HttpReceiving.Asked first = asked(ReceiverSpec.PLAIN, List.of("http://127.0.0.1:1"), true, false);
        HttpReceiving other = new HttpReceiving(
                new HttpReceiving.Asked(first.path(), first.spec(), 1, false, first.deadLetters()), System::nanoTime);
        assertThat(other.ends()).containsExactly(0);
        assertThat(other.logEnds()).containsExactly(0);
        assertThat(other.partitions()).containsExactly("receiver-0");
        other.report((metric, value) -> assertThat(Map.of(metric, value)).isEmpty());
        other.close();
    }

    @Test
    void receiverFollowsTheCommonHttpRules() throws Exception {
        HttpRules.holdAt(under.port(), "/healthz", "/");
        assertThat(under.balance(0).of(Count.RECEIVED)).isZero();
    }

    @Test
    void silentClientsDoNotBlockOtherConnections() throws Exception {
        HttpRules.silentClientsTakeNoPlace(under.receiving.address(), 1_024, "/healthz");
    }
}
