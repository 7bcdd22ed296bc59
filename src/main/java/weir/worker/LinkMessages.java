package weir.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.SortedMap;
import weir.plan.Property;

/** What commands and replies say, as JSON. */
final class LinkMessages {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LinkMessages() {}

    /** Numbered, so that a stop cannot hit the stage after the one it was meant for. */
    record Run(int number, LoadPhase stage, long startNanos) {}

    record Stop(int number) {}

    record Limit(long nanos) {}

    record Sent(long endNanos, long unresolved) {}

    record Read(long endNanos, long unread, List<Long> positions) {}

    record Verify(long nanos, List<Long> reached) {}

    record End(List<Property> properties, SortedMap<String, String> jvm, SortedMap<String, Object> metrics) {}

    static String write(Object message) {
        try {
            return JSON.writeValueAsString(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing a " + message.getClass().getSimpleName(), e);
        }
    }

    static <T> T read(String text, Class<T> type) {
        try {
            return JSON.readValue(text, type);
        } catch (JsonProcessingException e) {
            // Its message quotes what it read, which may hold secrets.
            throw new IllegalStateException("what came is no " + type.getSimpleName());
        }
    }
}
