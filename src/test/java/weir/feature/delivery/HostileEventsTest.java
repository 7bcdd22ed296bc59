package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.feature.delivery.EventProcessSettings.Role;
import weir.http.RawClient;

/** Hostile events: each is refused, none is delivered, and none stays in memory. */
@Timeout(120)
class HostileEventsTest {
    /** {@code make claims} uses ten times as many. */
    private static final int EVENTS = Integer.getInteger("hostile", 10_000);

    private static final int BLOCK = 50;
    private static final int MEMORY = 1 << 20;
    private static final String POST = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    private static final String[] EVENTS_OF_NONE = {
        POST + "ce-specversion: 1.0\r\nce-type: t\r\nce-source: /s\r\ncontent-length: 5\r\n\r\nhello",
        POST + "ce-specversion: 0.3\r\nce-id: 1\r\nce-type: t\r\nce-source: /s\r\ncontent-length: 5\r\n\r\nhello",
        POST + "ce-specversion: 1.0\r\nce-id:\r\nce-type: t\r\nce-source: /s\r\ncontent-length: 5\r\n\r\nhello",
        POST
                + "ce-specversion: 1.0\r\nce-id: 1\r\nce-id: 2\r\nce-type: t\r\nce-source: /s\r\ncontent-length: 0\r\n\r\n",
        POST
                + "ce-specversion: 1.0\r\nce-id: 1\r\nce-a_b: 2\r\nce-type: t\r\nce-source: /s\r\ncontent-length: 0\r\n\r\n",
        POST + "content-length: 5\r\n\r\nhello",
        structured("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"ty"),
        structured("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\",\"data\":{\"x\":"),
        structured("{\"specversion\":\"1.0\",\"id\":1.5,\"source\":\"/s\",\"type\":\"t\"}"),
        structured("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\",\"data_base64\":\"*\"}"),
        structured("[".repeat(500)),
        structured(""),
        POST + "content-type: application/cloudevents-batch+json\r\ncontent-length: 2\r\n\r\n[]",
        POST + "content-type: application/cloudevents+avro\r\ncontent-length: 2\r\n\r\n[]",
    };

    private static String structured(String json) {
        return POST + "content-type: application/cloudevents+json\r\ncontent-length: " + json.length() + "\r\n\r\n"
                + json;
    }

    @Test
    void hostileEventsAreRefusedWithoutLeftovers() throws Exception {
        SplittableRandom random = new SplittableRandom(18);
        try (SubscriberUnderTest subscriber = new SubscriberUnderTest();
                EventProcessUnderTest under = EventProcessUnderTest.start(
                        Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(0, List.of(), MEMORY), subscriber.url())) {
            try (RawClient client = under.raw()) {
                for (int i = 0; i < EVENTS / BLOCK; i++) {
                    StringBuilder block = new StringBuilder();
                    for (int j = 0; j < BLOCK; j++) {
                        block.append(EVENTS_OF_NONE[random.nextInt(EVENTS_OF_NONE.length)]);
                    }
                    String answers = client.send(block.toString()).answers(BLOCK);
                    assertThat(answers.split("HTTP/1.1 4", -1)).hasSize(BLOCK + 1);
                }
            }
            assertThat(under.figure("events.refused")).isEqualTo(EVENTS);
            assertThat(under.figure("events.accepted")).isZero();
            // If a byte of these events stayed in the budget, this event would not fit.
            assertThat(under.post("x".repeat(MEMORY - 1_000)).statusCode()).isEqualTo(202);
            assertThat(subscriber.take().header("ce-id")).isEqualTo(EventProcessUnderTest.ID);
            assertThat(subscriber.events).isEmpty();
        }
    }

    @Test
    void attributesThatAreTooLargeEndTheirConnection() throws Exception {
        String large = POST + "ce-specversion: 1.0\r\nce-id: 1\r\nce-type: t\r\nce-source: /s\r\nce-large: "
                + "x".repeat(64 << 10) + "\r\ncontent-length: 0\r\n\r\n";
        try (SubscriberUnderTest subscriber = new SubscriberUnderTest();
                EventProcessUnderTest under = EventProcessUnderTest.start(
                        Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(), subscriber.url())) {
            for (int i = 0; i < 100; i++) {
                try (RawClient client = under.raw()) {
                    assertThat(client.send(large).readAll()).startsWith("HTTP/1.1 431 ");
                }
            }
            assertThat(under.figure("events.accepted")).isZero();
            assertThat(subscriber.events).isEmpty();
        }
    }
}
