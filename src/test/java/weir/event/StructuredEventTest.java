package weir.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.CloudEvent;
import io.cloudevents.jackson.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuredEventTest {
    private static final String BEGIN = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"";

    private static byte[] read(String json, EventAttributes into) throws MalformedEvent {
        return StructuredEvent.read(
                StructuredEvent.CONTENT_TYPE + "; charset=utf-8", json.getBytes(StandardCharsets.UTF_8), into);
    }

    @Test
    void whatTheSdkWritesIsUnderstood() throws MalformedEvent {
        JsonFormat format = new JsonFormat();
        EventAttributes attributes = new EventAttributes();
        for (CloudEvent event : EventAttributesTest.events()) {
            attributes.clear();
            byte[] data = StructuredEvent.read(StructuredEvent.CONTENT_TYPE, format.serialize(event), attributes);
            attributes.check();
            assertThat(EventAttributesTest.attributesOf(attributes)).isEqualTo(EventAttributesTest.attributesOf(event));
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
        EventAttributes attributes = new EventAttributes();
        byte[] read = read(BEGIN + rest + "}", attributes);
        attributes.check();
        assertThat(new String(read, StandardCharsets.UTF_8)).isEqualTo(data);
        assertThat(attributes.value("datacontenttype")).isEqualTo(contentType);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]                                         | an event is a JSON object",
                "''                                         | an event is a JSON object",
                "{\"id\":[1]}                               | an attribute is a text, a boolean or an integer",
                "{\"id\":1.5}                               | an attribute is a text, a boolean or an integer",
                "{\"Id\":1}                                 | the name of an attribute has lower case letters only",
                "{\"a-b\":1}                                | the name of an attribute has letters and digits only",
                "{\"id\":\"1\",\"id\":\"2\"}                | the attribute 'id' is there twice",
                "{\"data\":1,\"data_base64\":\"eA==\"}      | an event has one data or one data_base64",
                "{\"data_base64\":\"?\"}                    | data_base64 is not base64",
                "{\"data_base64\":1}                        | data_base64 is a text",
                "{} {}                                      | an event is one JSON object",
            })
    void whatIsNoEventIsRefused(String json, String why) {
        assertThatThrownBy(() -> read(json, new EventAttributes()))
                .isInstanceOf(MalformedEvent.class)
                .hasMessage(why);
    }

    @Test
    void aTruncatedEventIsRefusedWhereverItEnds() {
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
                        "an event as application/cloudevents-batch+json is not understood; known is application/cloudevents+json");
    }
}
