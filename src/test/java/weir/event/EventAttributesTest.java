package weir.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conversion of event attributes, compared with the Java SDK of CloudEvents. Also makes events for other tests. */
class EventAttributesTest {
    private static final String LETTERS = "abcXYZ019 -_.:/?\"%\\äß€\uD83D\uDE00+,;=";

    /** The SDK neither encodes nor decodes values for HTTP, so it is comparable only for these letters. */
    private static final String PLAIN_LETTERS = "abcXYZ019-_.:/?\\+,;=";

    private static final String BEGIN = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"";

    private final EventAttributes attributes = new EventAttributes();

    static List<CloudEvent> events() {
        return events(LETTERS);
    }

    private static List<CloudEvent> events(String letters) {
        List<CloudEvent> events = new ArrayList<>();
        Random random = new Random(18);
        for (int i = 0; i < 300; i++) {
            CloudEventBuilder event = CloudEventBuilder.v1()
                    .withId(text(random, letters))
                    .withSource(URI.create("/weir/" + i))
                    .withType("a" + text(random, letters));
            if (random.nextBoolean()) {
                event.withSubject(text(random, letters));
            }
            if (random.nextBoolean()) {
                event.withTime(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))
                        .atOffset(ZoneOffset.UTC));
            }
            if (random.nextBoolean()) {
                event.withExtension("extension" + random.nextInt(10), text(random, letters));
            }
            if (random.nextBoolean()) {
                event.withExtension("number", random.nextInt());
            }
            byte[] data = text(random, letters).getBytes(StandardCharsets.UTF_8);
            events.add(
                    random.nextBoolean()
                            ? event.withData("text/plain; charset=utf-8", data).build()
                            : event.withData("application/octet-stream", data).build());
        }
        return events;
    }

    private static String text(Random random, String from) {
        StringBuilder text = new StringBuilder();
        int[] letters = from.codePoints().toArray();
        for (int i = 0; i < 1 + random.nextInt(12); i++) {
            text.appendCodePoint(letters[random.nextInt(letters.length)]);
        }
        return text.toString();
    }

    static SortedMap<String, String> attributesOf(CloudEvent event) {
        SortedMap<String, String> all = new TreeMap<>();
        event.getAttributeNames().forEach(name -> put(all, name, event.getAttribute(name)));
        event.getExtensionNames().forEach(name -> put(all, name, event.getExtension(name)));
        return all;
    }

    private static void put(Map<String, String> all, String name, Object value) {
        if (value instanceof Instant || value instanceof java.time.OffsetDateTime) {
            all.put(name, io.cloudevents.types.Time.writeTime((java.time.OffsetDateTime) value));
        } else if (value != null) {
            all.put(name, value.toString());
        }
    }

    static SortedMap<String, String> attributesOf(EventAttributes attributes) {
        SortedMap<String, String> all = new TreeMap<>();
        headersOf(attributes).keySet().forEach(header -> {
            String name = header.equals("content-type") ? "datacontenttype" : header.substring(3);
            all.put(name, Objects.requireNonNull(attributes.value(name)));
        });
        return all;
    }

    private static SortedMap<String, String> headersOf(EventAttributes attributes) {
        SortedMap<String, String> headers = new TreeMap<>();
        new String(attributes.lines(), 0, attributes.length(), StandardCharsets.ISO_8859_1)
                .lines()
                .forEach(line -> headers.put(line.split(": ", 2)[0], line.split(": ", 2)[1]));
        return headers;
    }

    @Test
    void attributesOfSdkHttpEventsAreRead() throws MalformedEvent {
        for (CloudEvent event : events(PLAIN_LETTERS)) {
            Map<String, String> headers = new TreeMap<>();
            HttpMessageFactory.createWriter(headers::put, body -> {}).writeBinary(event);
            attributes.clear();
            for (Map.Entry<String, String> header : headers.entrySet()) {
                attributes.fromHttp(header.getKey(), header.getValue());
            }
            attributes.check();
            assertThat(attributesOf(attributes)).isEqualTo(attributesOf(event));
        }
    }

    @Test
    void theSdkUnderstandsWhatIsWrittenForHttp() throws MalformedEvent {
        for (CloudEvent event : events(PLAIN_LETTERS)) {
            attributes.clear();
            for (Map.Entry<String, String> each : attributesOf(event).entrySet()) {
                attributes.set(each.getKey(), each.getValue());
            }
            CloudEvent read = HttpMessageFactory.createReader(headersOf(attributes), new byte[] {1})
                    .toEvent();
            assertThat(attributesOf(read)).isEqualTo(attributesOf(event));
        }
    }

    @Test
    void attributesOfSdkKafkaRecordsAreRead() throws MalformedEvent {
        for (CloudEvent event : events()) {
            ProducerRecord<Void, byte[]> record =
                    KafkaMessageFactory.createWriter("events").writeBinary(event);
            attributes.clear();
            for (Header header : record.headers()) {
                attributes.fromKafka(header.key(), header.value());
            }
            attributes.check();
            assertThat(attributesOf(attributes)).isEqualTo(attributesOf(event));
        }
    }

    @Test
    void headersOfOthersArePassedOver() throws MalformedEvent {
        attributes.fromHttp("Host", "localhost");
        attributes.fromHttp("c", "d");
        attributes.fromKafka("weir", new byte[] {1});
        attributes.fromKafka("ce_type", null);
        assertThat(attributes.length()).isZero();
        attributes.fromHttp("CE-Id", "a%20b\\");
        attributes.fromHttp("Content-Type", "text/plain");
        assertThat(attributesOf(attributes)).isEqualTo(Map.of("id", "a b\\", "datacontenttype", "text/plain"));
        byte[] id = new byte[7];
        assertThat(attributes.copy("id", id)).isEqualTo(6);
        assertThat(new String(id, 0, 6, StandardCharsets.US_ASCII)).isEqualTo("a%20b\\");
        assertThat(attributes.copy("id", new byte[5])).isEqualTo(-1);
        assertThat(attributes.copy("i", id)).isEqualTo(-1);
        assertThat(attributes.value("subject")).isNull();
    }

    @Test
    void quotesAroundAValueAreNotPartOfIt() throws MalformedEvent {
        attributes.fromHttp("ce-subject", "\"a\\\" b\"");
        assertThat(attributes.value("subject")).isEqualTo("a\" b");
    }

    @ParameterizedTest
    @CsvSource({
        "specversion, , the event has no attribute 'specversion'",
        "id, , the event has no attribute 'id'",
        "id, '', the attribute 'id' is empty",
        "source, '', the attribute 'source' is empty",
        "type, , the event has no attribute 'type'",
        "specversion, 0.3, the event has specversion 0.3; supported is 1.0",
    })
    void eventsThatAreNoneAreRefused(String name, String value, String why) throws MalformedEvent {
        for (String each : List.of("specversion", "id", "source", "type")) {
            String as = each.equals(name) ? value : "1.0";
            if (as != null) {
                attributes.fromHttp("ce-" + each, Objects.requireNonNull(as));
            }
        }
        assertThatThrownBy(attributes::check).isInstanceOf(MalformedEvent.class).hasMessage(why);
    }

    @ParameterizedTest
    @CsvSource({
        "ce-a_b, 1, the name of an attribute has letters and digits only",
        "ce-, 1, an attribute has no name",
        "Ce-ID, 1, the attribute 'id' occurs twice",
        "ce-x, 'a\u0001', the value of an attribute has a control character",
        "ce-x, \u20AC, the value of an attribute has a control character",
    })
    void hostileHeadersAreRefused(String name, String value, String why) throws MalformedEvent {
        attributes.fromHttp("ce-id", "1");
        assertThatThrownBy(() -> attributes.fromHttp(name, value))
                .isInstanceOf(MalformedEvent.class)
                .hasMessage(why);
    }

    /** The example of the HTTP binding, 3.1.3.2. */
    @Test
    void nonAsciiAttributeIsPercentEncoded() throws MalformedEvent {
        attributes.set("subject", "Euro € \uD83D\uDE00");
        assertThat(headersOf(attributes)).isEqualTo(Map.of("ce-subject", "Euro%20%E2%82%AC%20%F0%9F%98%80"));
        assertThat(attributes.value("subject")).isEqualTo("Euro € \uD83D\uDE00");
    }

    /** A reader of HTTP gets the same value back. */
    @Test
    void encodedValuesAreDecoded() throws MalformedEvent {
        EventAttributes sent = new EventAttributes();
        EventAttributes received = new EventAttributes();
        for (CloudEvent event : events()) {
            sent.clear();
            received.clear();
            for (Map.Entry<String, String> each : attributesOf(event).entrySet()) {
                sent.set(each.getKey(), each.getValue());
            }
            for (Map.Entry<String, String> header : headersOf(sent).entrySet()) {
                received.fromHttp(header.getKey(), header.getValue());
            }
            assertThat(attributesOf(received)).isEqualTo(attributesOf(event));
        }
    }

    /** No record can add a header to the request. */
    @Test
    void linesCannotBeSmuggledIn() throws MalformedEvent {
        attributes.fromKafka("ce_id", "1\r\nHost: elsewhere".getBytes(StandardCharsets.UTF_8));
        attributes.set("subject", "2\r\n\r\n");
        assertThat(headersOf(attributes))
                .isEqualTo(Map.of("ce-id", "1%0D%0AHost:%20elsewhere", "ce-subject", "2%0D%0A%0D%0A"));
        assertThatThrownBy(() -> attributes.fromKafka("content-type", "a\r\nb".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("the content type is not ASCII");
    }

    private static byte[] read(String json, EventAttributes into) throws MalformedEvent {
        return StructuredEvent.read(
                StructuredEvent.CONTENT_TYPE + "; charset=utf-8", json.getBytes(StandardCharsets.UTF_8), into);
    }

    @Test
    void structuredEventsOfTheSdkAreRead() throws MalformedEvent {
        JsonFormat format = new JsonFormat();
        for (CloudEvent event : events()) {
            attributes.clear();
            byte[] data = StructuredEvent.read(StructuredEvent.CONTENT_TYPE, format.serialize(event), attributes);
            attributes.check();
            assertThat(attributesOf(attributes)).isEqualTo(attributesOf(event));
            assertThat(data).isEqualTo(Objects.requireNonNull(event.getData()).toBytes());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                    | ''          | ",
                ", \"data\":{\"a\":[1,2.50]}                           | {\"a\":[1,2.50]} | application/json",
                ", \"data\":\"x\"                                      | \"x\"       | application/json",
                ", \"data\":\"x\", \"datacontenttype\":\"text/xml\"    | x           | text/xml",
                ", \"datacontenttype\":\"a/b+json\", \"data\":\"x\"    | \"x\"       | a/b+json",
                ", \"data_base64\":\"eA==\"                            | x           | ",
                ", \"data\":null, \"data_base64\":\"eA==\"             | x           | ",
            })
    void dataIsWhatItsContentTypeSays(String rest, String data, String contentType) throws MalformedEvent {
        byte[] read = read(BEGIN + rest + "}", attributes);
        attributes.check();
        assertThat(new String(read, StandardCharsets.UTF_8)).isEqualTo(data);
        assertThat(attributes.value("datacontenttype")).isEqualTo(contentType);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]                                         | an event must be a JSON object",
                "''                                         | an event must be a JSON object",
                "{\"id\":[1]}                               | an attribute must be a text, a boolean or an integer",
                "{\"id\":1.5}                               | an attribute must be a text, a boolean or an integer",
                "{\"Id\":1}                                 | the name of an attribute has lower case letters only",
                "{\"a-b\":1}                                | the name of an attribute has letters and digits only",
                "{\"id\":\"1\",\"id\":\"2\"}                | the attribute 'id' occurs twice",
                "{\"data\":1,\"data_base64\":\"eA==\"}      | an event must have at most one data or data_base64",
                "{\"data_base64\":\"?\"}                    | data_base64 is not base64",
                "{\"data_base64\":1}                        | data_base64 is a text",
                "{} {}                                      | an event must be one JSON object",
            })
    void whatIsNoEventIsRefused(String json, String why) {
        assertThatThrownBy(() -> read(json, new EventAttributes()))
                .isInstanceOf(MalformedEvent.class)
                .hasMessage(why);
    }

    @Test
    void truncatedEventIsRefusedAtAnyLength() {
        byte[] whole = (BEGIN + ",\"data\":{\"a\":[1,\"€\"]}}").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < whole.length; i++) {
            byte[] part = Arrays.copyOf(whole, i);
            assertThatThrownBy(() -> StructuredEvent.read(StructuredEvent.CONTENT_TYPE, part, new EventAttributes()))
                    .isInstanceOf(MalformedEvent.class);
        }
    }

    @Test
    void depthIsBounded() {
        String deep = BEGIN + ",\"data\":" + "[".repeat(100_000);
        assertThatThrownBy(() -> read(deep, new EventAttributes()))
                .isInstanceOf(MalformedEvent.class)
                .hasMessageContaining("depth");
    }

    @Test
    void otherFormatsAreNamed() {
        assertThat(StructuredEvent.is("Application/CloudEvents+json; charset=utf-8"))
                .isTrue();
        assertThat(StructuredEvent.is("application/cloudevents-batch+json")).isTrue();
        assertThat(StructuredEvent.is("application/json")).isFalse();
        assertThatThrownBy(() ->
                        StructuredEvent.read("application/cloudevents-batch+json", new byte[0], new EventAttributes()))
                .hasMessage(
                        "the content type application/cloudevents-batch+json is not supported; send application/cloudevents+json");
    }
}
