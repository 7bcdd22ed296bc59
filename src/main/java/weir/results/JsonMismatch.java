package weir.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The mistake in a JSON text, described for people who do not know our classes. */
final class JsonMismatch {
    private JsonMismatch() {}

    static String told(JsonProcessingException e) {
        if (!(e instanceof JsonMappingException mapping)) {
            return "it is no JSON: " + e.getOriginalMessage();
        }
        String place = place(mapping.getPath());
        if (e instanceof ValueInstantiationException) {
            return place
                    + (e.getCause() instanceof IllegalArgumentException reason
                            ? ": " + reason.getMessage()
                            : " is incomplete");
        }
        if (e instanceof MismatchedInputException mismatched) {
            return place + " needs to be " + kind(mismatched.getTargetType());
        }
        return place + ": " + e.getOriginalMessage();
    }

    private static String place(List<JsonMappingException.Reference> path) {
        String place = path.stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining());
        return place.isEmpty() ? "the whole" : place.startsWith(".") ? place.substring(1) : place;
    }

    private static String kind(@Nullable Class<?> type) {
        if (type == null || Map.class.isAssignableFrom(type) || type.isRecord()) {
            return "an object with all its names";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> String.valueOf(constant).toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        return Map.of(
                        Long.class, "a whole number",
                        long.class, "a whole number",
                        Integer.class, "a whole number",
                        int.class, "a whole number",
                        Double.class, "a number",
                        double.class, "a number",
                        boolean.class, "true or false",
                        String.class, "a text")
                .getOrDefault(type, "something else");
    }
}
