package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.relay.LoopbackRelay;
import weir.cluster.relay.Relay;
import weir.feature.delivery.RungSettings.Role;

/** A known delay on one hop of a broker in memory is told of that hop, and of no other. */
@Timeout(30)
class HopTimesTest {
    private static final int EVENTS = 20;
    private static final double DELAY_MILLIS = 20;

    @Test
    void delayOfOneHopShowsThereAndNowhereElse() throws Exception {
        try (SubscriberUnderTest subscriber = new SubscriberUnderTest();
                RungUnderTest filter = RungUnderTest.start(Role.FILTER, RungUnderTest.dispatch(), subscriber.url());
                RungUnderTest channel = RungUnderTest.start(
                        Role.MEMORY_CHANNEL,
                        RungUnderTest.dispatch(),
                        filter.uri("/").toString());
                LoopbackRelay slow = LoopbackRelay.before(channel.rung.address().getPort());
                RungUnderTest ingress = RungUnderTest.start(
                        Role.INGRESS, RungUnderTest.dispatch(), "http://127.0.0.1:" + slow.port() + "/")) {
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

    /** One after the other, each due when it is sent; returns when so many have been delivered in all. */
    private static void send(RungUnderTest ingress, RungUnderTest channel, int inAll) throws Exception {
        for (int i = 0; i < EVENTS; i++) {
            HttpRequest event = HttpRequest.newBuilder(ingress.uri("/"))
                    .headers("ce-source", "/weir", "ce-type", "t", "ce-specversion", "1.0")
                    .header(
                            "ce-id",
                            RungUnderTest.ID.substring(0, 32) + HexFormat.of().toHexDigits(System.nanoTime()))
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            assertThat(ingress.client
                            .send(event, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(202);
        }
        channel.await("events.delivered", inAll);
    }

    /** The sums of what passed between two checkpoints, in milliseconds. */
    private static Map<String, Double> ages(RungUnderTest ingress, RungUnderTest channel, RungUnderTest filter) {
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
