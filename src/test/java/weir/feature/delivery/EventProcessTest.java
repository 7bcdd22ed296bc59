package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cluster.relay.LoopbackRelay;
import weir.cluster.relay.Relay;
import weir.feature.delivery.EventProcessSettings.Role;
import weir.feature.delivery.PathSpec.EventFilter;
import weir.http.Answers;
import weir.http.HttpRules;
import weir.http.Refusal;
import weir.http.RequestService.Reply;

/** A known delay on one hop of a broker in memory, which only this hop reports. */
@Timeout(30)
class EventProcessTest {
    private static final int EVENTS = 20;
    private static final double DELAY_MILLIS = 20;

    private final SubscriberUnderTest subscriber = new SubscriberUnderTest();
    private final List<EventProcessUnderTest> started = new ArrayList<>();

    EventProcessTest() throws IOException {}

    @AfterEach
    void close() {
        started.forEach(EventProcessUnderTest::close);
        subscriber.close();
    }

    private EventProcessUnderTest start(Role role) throws IOException {
        return start(role, EventProcessUnderTest.dispatch());
    }

    private EventProcessUnderTest start(Role role, PathSpec dispatch) throws IOException {
        return start(role, dispatch, subscriber.url());
    }

    private EventProcessUnderTest start(Role role, PathSpec dispatch, String next) throws IOException {
        EventProcessUnderTest under = EventProcessUnderTest.start(role, dispatch, next);
        started.add(under);
        return under;
    }

    @Test
    void memoryChannelForwardsEventsUnchanged() throws Exception {
        EventProcessUnderTest under =
                start(Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(), subscriber.url() + "/in?x=1");
        assertThat(under.post("hello", "ce-more", "a%20b", "content-type", "text/plain", "x-other", "no")
                        .statusCode())
                .isEqualTo(202);
        SubscriberUnderTest.Got got = subscriber.take();
        assertThat(got.path()).isEqualTo("/in");
        assertThat(got.text()).isEqualTo("hello");
        assertThat(got.header("ce-id")).isEqualTo(EventProcessUnderTest.ID);
        assertThat(got.header("ce-more")).isEqualTo("a%20b");
        assertThat(got.header("content-type")).isEqualTo("text/plain");
        assertThat(got.headers().contains("x-other")).isFalse();
    }

    @Test
    void aStructuredEventLeavesInBinaryMode() throws Exception {
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL);
        String json = "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"t\",\"data\":{\"x\":1.50}}";
        HttpRequest request = HttpRequest.newBuilder(under.uri("/"))
                .header("content-type", "application/cloudevents+json; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        assertThat(under.client
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(202);
        SubscriberUnderTest.Got got = subscriber.take();
        assertThat(got.text()).isEqualTo("{\"x\":1.50}");
        assertThat(got.header("ce-id")).isEqualTo("7");
        assertThat(got.header("content-type")).isEqualTo("application/json");
    }

    @Test
    void channelHoldsUnansweredEvents() throws Exception {
        subscriber.answersLater();
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL);
        under.post("a");
        under.post("b");
        Reply first = subscriber.take().reply();
        Reply second = subscriber.take().reply();
        assertThat(under.get("/held")).isEqualTo("{\"held\":2,\"parked\":0}\n");
        first.answer(Answers.queued());
        under.await("events.held", 1);
        assertThat(under.get("/held")).isEqualTo("{\"held\":1,\"parked\":0}\n");
        second.answer(Answers.queued());
        under.await("events.delivered", 2);
        assertThat(under.get("/held")).isEqualTo("{\"held\":0,\"parked\":0}\n");
    }

    @Test
    void fullChannelAnswers429AndKeepsConnections() throws Exception {
        subscriber.answersLater();
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(0, List.of(), 20_000));
        String body = "x".repeat(4_000);
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer = under.post(body);
            answers.add(answer.statusCode());
            if (answer.statusCode() == 429) {
                assertThat(answer.headers().firstValue("retry-after")).hasValue("1");
                assertThat(answer.headers().firstValue("connection")).isEmpty();
            }
        }
        assertThat(answers).containsOnly(202, 429);
        long taken = answers.stream().filter(status -> status == 202).count();
        assertThat(taken).isEqualTo(4);
        assertThat(under.figure("events.full")).isEqualTo(16);
        assertThat(under.figure("events.held")).isEqualTo(4);
        for (int i = 0; i < taken; i++) {
            Reply next = subscriber.take().reply();
            next.answer(Answers.queued());
        }
        under.await("events.held", 0);
        subscriber.answers(Answers.queued());
        assertThat(under.post(body).statusCode()).isEqualTo(202);
    }

    @Test
    void deadLetterIsSentToItsSinkWithTheReason() throws Exception {
        subscriber.answers(reply -> reply.answer(Answers.refused(Refusal.bad("no such order"))));
        try (SubscriberUnderTest sink = new SubscriberUnderTest();
                EventProcessUnderTest under = new EventProcessUnderTest(EventProcessUnderTest.settings(
                        Role.MEMORY_CHANNEL,
                        EventProcessUnderTest.dispatch(3, List.of(), 1 << 20),
                        sink.url(),
                        subscriber.url()))) {
            under.post("hello");
            SubscriberUnderTest.Got got = sink.take();
            assertThat(got.header("ce-id")).isEqualTo(EventProcessUnderTest.ID);
            assertThat(got.header("ce-knativeerrordest")).isEqualTo(subscriber.url());
            assertThat(got.header("ce-knativeerrorcode")).isEqualTo("400");
            assertThat(new String(
                            Base64.getDecoder().decode(got.header("ce-knativeerrordata")), StandardCharsets.UTF_8))
                    .contains("no such order");
            assertThat(got.text()).isEqualTo("hello");
            under.await("events.parked", 1);
            assertThat(under.get("/held")).isEqualTo("{\"held\":0,\"parked\":1}\n");
            assertThat(subscriber.events).hasSize(1);
        }
    }

    @Test
    void ingressDecrementsTtlAndForwardsAnswers() throws Exception {
        EventProcessUnderTest under = start(Role.INGRESS);
        assertThat(under.post("a").statusCode()).isEqualTo(202);
        assertThat(subscriber.take().header("ce-weirttl")).isEqualTo("255");
        under.post("a", "ce-weirttl", "7");
        assertThat(subscriber.take().header("ce-weirttl")).isEqualTo("6");
        HttpResponse<String> looped = under.post("a", "ce-weirttl", "0");
        assertThat(looped.statusCode()).isEqualTo(400);
        assertThat(looped.body()).contains("has passed too many brokers");
        assertThat(under.post("a", "ce-weirttl", "x").statusCode()).isEqualTo(400);
        subscriber.answers(Answers.passedOn(429, "7", new byte[0]));
        HttpResponse<String> full = under.post("a");
        assertThat(full.statusCode()).isEqualTo(429);
        assertThat(full.headers().firstValue("retry-after")).hasValue("7");
        subscriber.answers(reply -> reply.answer(Answers.refused(Refusal.bad("no such order"))));
        HttpResponse<String> refused = under.post("a");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("no such order");
        assertThat(under.figure("events.accepted")).isEqualTo(2);
        assertThat(under.figure("events.full")).isEqualTo(1);
    }

    @Test
    void ingressAnswers503IfItsNextHopIsDown() throws Exception {
        String gone;
        try (SubscriberUnderTest next = new SubscriberUnderTest()) {
            gone = next.url();
        }
        try (EventProcessUnderTest under =
                EventProcessUnderTest.start(Role.INGRESS, EventProcessUnderTest.dispatch(), gone)) {
            HttpResponse<String> answer = under.post("a");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("retry-after")).hasValue("1");
        }
    }

    @Test
    void filterForwardsMatchingEvents() throws Exception {
        EventFilter kind = new EventFilter.Exact(new TreeMap<>(Map.of("kind", "a")));
        EventProcessUnderTest under = start(Role.FILTER, EventProcessUnderTest.dispatch(0, List.of(kind), 1 << 20));
        assertThat(under.post("no", "ce-kind", "b").statusCode()).isEqualTo(202);
        assertThat(under.post("no").statusCode()).isEqualTo(202);
        assertThat(under.post("yes", "ce-kind", "a").statusCode()).isEqualTo(202);
        assertThat(subscriber.take().text()).isEqualTo("yes");
        assertThat(under.figure("events.filtered")).isEqualTo(2);
        assertThat(under.figure("events.delivered")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, ce-id, 400",
        "POST, ce-type, 400",
        "GET, , 405",
        "PUT, , 405",
    })
    void requestWithoutAnEventIsRefused(String method, String missing, int status) throws Exception {
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL);
        HttpRequest.Builder request = HttpRequest.newBuilder(under.uri("/x"));
        for (String name : List.of("ce-id", "ce-type", "ce-source", "ce-specversion")) {
            if (!name.equals(missing)) {
                request.header(name, name.equals("ce-specversion") ? "1.0" : "v");
            }
        }
        request.method(method, HttpRequest.BodyPublishers.noBody());
        assertThat(under.client
                        .send(request.build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(status);
        assertThat(under.figure("events.refused")).isEqualTo(1);
        assertThat(subscriber.events).isEmpty();
    }

    @Test
    void closingChannelDeliversItsHeldEvents() throws Exception {
        subscriber.answersLater();
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(0, List.of(), 1 << 20));
        under.post("a");
        Reply first = subscriber.take().reply();
        Thread closing = new Thread(under::close);
        closing.start();
        first.answer(Answers.queued());
        closing.join(5_000);
        assertThat(closing.isAlive()).isFalse();
        assertThat(under.figure("events.delivered")).isEqualTo(1);
    }

    @Test
    void figuresSplitTheTimeByPart() throws Exception {
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL);
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(under.postAsync("x", "ce-n", "" + i));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(202);
        }
        under.await("events.delivered", 50);
        var look = under.look();
        for (String at : List.of("in", "handed", "out", "answered")) {
            assertThat(look).containsEntry("age." + at + ".count", 50.0);
        }
        assertThat(look.get("age.in.ms")).isLessThanOrEqualTo(look.get("age.handed.ms"));
        assertThat(look.get("age.handed.ms")).isLessThan(look.get("age.out.ms"));
        assertThat(look.get("age.out.ms")).isLessThan(look.get("age.answered.ms"));
        assertThat(under.figure("age.answered.ms") - under.figure("age.handed.ms"))
                .isCloseTo(
                        under.figure("part.waiting.ms") + under.figure("part.delivering.ms"),
                        Percentage.withPercentage(1));
        assertThat(look).containsEntry("part.delivering.count", 50.0).containsEntry("age.fetched.count", 0.0);
    }

    @Test
    void onlyEventsDueInTheMeasuredSpanHaveAnAge() throws Exception {
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL);
        under.process.limitTimes(0, 0);
        // This event is due at 4 ns.
        under.post("in no span");
        under.await("events.delivered", 1);
        assertThat(under.look()).containsEntry("age.out.count", 0.0).containsEntry("part.waiting.count", 0.0);
        under.process.limitTimes(4, 5);
        under.post("in the span");
        under.await("events.delivered", 2);
        assertThat(under.look()).containsEntry("age.out.count", 1.0).containsEntry("part.waiting.count", 1.0);
        under.process.limitTimes(5, 6);
        under.post("before the span");
        under.await("events.delivered", 3);
        assertThat(under.figure("age.out.count")).isEqualTo(1);
    }

    @Test
    void eventProcessFollowsTheCommonHttpRules() throws Exception {
        EventProcessUnderTest under = start(Role.MEMORY_CHANNEL);
        HttpRules.holdAt(under.process.address().getPort(), "/healthz", "/any");
        assertThat(subscriber.events).isEmpty();
    }

    @Test
    void delayOfOneHopAppearsOnlyInThatHop() throws Exception {
        EventProcessUnderTest filter = start(Role.FILTER);
        EventProcessUnderTest channel = start(
                Role.MEMORY_CHANNEL,
                EventProcessUnderTest.dispatch(),
                filter.uri("/").toString());
        try (LoopbackRelay slow = LoopbackRelay.before(channel.process.address().getPort())) {
            EventProcessUnderTest ingress =
                    start(Role.INGRESS, EventProcessUnderTest.dispatch(), "http://127.0.0.1:" + slow.port() + "/");
            send(ingress, channel, EVENTS);
            Map<String, Double> before = ages(ingress, channel, filter);
            slow.relay().delay(Relay.Direction.REQUESTS, Duration.ofMillis((long) DELAY_MILLIS));
            send(ingress, channel, 2 * EVENTS);
            Map<String, Double> after = ages(ingress, channel, filter);
            after.replaceAll((hop, sum) -> (sum - before.getOrDefault(hop, 0.0)) / EVENTS);

            assertThat(after.get("→ channel")).isBetween(DELAY_MILLIS, 2 * DELAY_MILLIS);
            after.remove("→ channel");
            assertThat(after).allSatisfy((hop, mean) -> assertThat(mean).as(hop).isBetween(0.0, DELAY_MILLIS / 2));
        }
    }

    /** Sends events one after the other, each due when it is sent. Returns after {@code inAll} deliveries. */
    private static void send(EventProcessUnderTest ingress, EventProcessUnderTest channel, int inAll) throws Exception {
        for (int i = 0; i < EVENTS; i++) {
            HttpRequest event = HttpRequest.newBuilder(ingress.uri("/"))
                    .headers("ce-source", "/weir", "ce-type", "t", "ce-specversion", "1.0")
                    .header(
                            "ce-id",
                            EventProcessUnderTest.ID.substring(0, 32)
                                    + HexFormat.of().toHexDigits(System.nanoTime()))
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            assertThat(ingress.client
                            .send(event, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(202);
        }
        channel.await("events.delivered", inAll);
    }

    /** Returns the sums of the ages between two checkpoints, in milliseconds. */
    private static Map<String, Double> ages(
            EventProcessUnderTest ingress, EventProcessUnderTest channel, EventProcessUnderTest filter) {
        Map<String, Double> in = ingress.look();
        Map<String, Double> held = channel.look();
        Map<String, Double> out = filter.look();
        Map<String, Double> hops = new TreeMap<>();
        hops.put("ingress", between(in, "in", in, "out"));
        hops.put("→ channel", between(in, "out", held, "in"));
        hops.put("channel", between(held, "in", held, "out"));
        hops.put("→ filter", between(held, "out", out, "in"));
        hops.put("filter", between(out, "in", out, "out"));
        return hops;
    }

    private static double between(Map<String, Double> one, String from, Map<String, Double> other, String to) {
        return other.getOrDefault("age." + to + ".ms", 0.0) - one.getOrDefault("age." + from + ".ms", 0.0);
    }
}
