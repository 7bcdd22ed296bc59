package weir.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** A parser of events in the JSON format 1.0.2, which turns one object into attributes and data. */
public final class StructuredEvent {
    public static final String CONTENT_TYPE = "application/cloudevents+json";
    private static final String MEDIA_TYPE = "application/cloudevents";
    private static final int DEPTH = 200;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
            .build();

    private StructuredEvent() {}

    /** Returns true for the content type of an event, or a batch of events, in any structured format. */
    public static boolean is(CharSequence contentType) {
        return contentType.length() >= MEDIA_TYPE.length()
                && EventAttributes.startsIgnoringCase(contentType, MEDIA_TYPE);
    }

    public static byte[] read(String contentType, byte[] body, EventAttributes into) throws MalformedEvent {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!type.equals(CONTENT_TYPE)) {
            throw new MalformedEvent("the content type " + type + " is not supported; send " + CONTENT_TYPE);
        }
        try (JsonParser json = JSON.createParser(body)) {
            expect(json.nextToken() == JsonToken.START_OBJECT, "an event must be a JSON object");
            Content content = new Content();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken token = json.nextToken();
                switch (name) {
                    case "data" -> content.data(json);
                    case "data_base64" -> content.base64(json);
                    default -> attribute(name, token, json, into);
                }
            }
            expect(
                    json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null,
                    "an event must be one JSON object");
            return content.bytes(into);
        } catch (JsonProcessingException e) {
            throw new MalformedEvent("the event is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new MalformedEvent("the event cannot be read: " + e.getMessage());
        }
    }

    private static void attribute(String name, JsonToken token, JsonParser json, EventAttributes into)
            throws IOException, MalformedEvent {
        if (token != JsonToken.VALUE_NULL) {
            expect(
                    token == JsonToken.VALUE_STRING || token.isBoolean() || token == JsonToken.VALUE_NUMBER_INT,
                    "an attribute must be a text, a boolean or an integer");
            expect(name.equals(name.toLowerCase(Locale.ROOT)), "the name of an attribute has lower case letters only");
            into.set(name, json.getText());
        }
    }

    private static void expect(boolean found, String wanted) throws MalformedEvent {
        if (!found) {
            throw new MalformedEvent(wanted);
        }
    }

    /** The data of an event; the content type that gives them their meaning may come later (section 3.1.1). */
    private static final class Content {
        private byte[] written = new byte[0];
        private String text = "";
        private boolean isData;
        private boolean isText;
        private int times;

        void data(JsonParser json) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            times++;
            isData = true;
            isText = json.currentToken() == JsonToken.VALUE_STRING;
            text = isText ? json.getText() : "";
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JsonGenerator copy = JSON.createGenerator(bytes)) {
                copy.copyCurrentStructureExact(json);
            }
            written = bytes.toByteArray();
        }

        void base64(JsonParser json) throws IOException, MalformedEvent {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            times++;
            expect(json.currentToken() == JsonToken.VALUE_STRING, "data_base64 is a text");
            try {
                written = Base64.getDecoder().decode(json.getText());
            } catch (IllegalArgumentException e) {
                throw new MalformedEvent("data_base64 is not base64");
            }
        }

        byte[] bytes(EventAttributes attributes) throws MalformedEvent {
            expect(times <= 1, "an event must have at most one data or data_base64");
            String type = attributes.value("datacontenttype");
            if (type == null && isData) {
                // Data without a content type is JSON.
                attributes.set("datacontenttype", "application/json");
            }
            return isText && type != null && !isJson(type) ? text.getBytes(StandardCharsets.UTF_8) : written;
        }

        private static boolean isJson(String contentType) {
            String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            return type.endsWith("/json") || type.endsWith("+json");
        }
    }
}
