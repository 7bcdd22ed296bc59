package weir.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The differences of a stored file from the same object, computed again. */
public final class JsonComparison {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Texts that are verdicts or names. Other texts are sentences, whose words differ between releases. */
    private static final Set<String> DECIDED =
            Set.of("verdict", "level", "type", "outcome", "variant", "name", "metric", "a", "b", "to", "of");

    private static final double ROUNDING = 1e-12;

    private final boolean sentences;
    private final Set<String> omitted;
    private final Consumer<Difference> out;
    private long compared;

    /** One value; {@code where} is its path in the file. */
    public record Difference(String where, String found, String expected) {}

    private JsonComparison(boolean sentences, Set<String> omitted, Consumer<Difference> out) {
        this.sentences = sentences;
        this.omitted = Set.copyOf(omitted);
        this.out = out;
    }

    /**
     * Passes on each difference, and returns the number of compared values.
     *
     * @param sentences false for files of another release, whose sentences and keys may differ
     * @param omitted the keys that are not compared
     */
    public static long of(
            Path file, Object expected, boolean sentences, Set<String> omitted, Consumer<Difference> out) {
        JsonNode found = RunFiles.reading(RunFiles.own(file), () -> {
            try {
                return MAPPER.readTree(Files.readString(file, StandardCharsets.UTF_8));
            } catch (JsonProcessingException e) {
                throw new UnreadableRunException(file + ": is not JSON: " + e.getOriginalMessage());
            }
        });
        try {
            JsonComparison comparison = new JsonComparison(sentences, omitted, out);
            comparison.compare("", "", found, MAPPER.readTree(ResultJson.write(expected)));
            return comparison.compared;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("reading the JSON of " + expected.getClass(), e);
        }
    }

    private void compare(String where, String key, JsonNode found, JsonNode expected) {
        if (found.isObject() && expected.isObject()) {
            Set<String> keys = new LinkedHashSet<>();
            found.fieldNames().forEachRemaining(keys::add);
            expected.fieldNames().forEachRemaining(keys::add);
            keys.removeAll(omitted);
            keys.removeIf(name -> !sentences && !(found.has(name) && expected.has(name)));
            keys.forEach(name ->
                    compare(where.isEmpty() ? name : where + "." + name, name, found.path(name), expected.path(name)));
        } else if (found.isArray() && expected.isArray()) {
            int size = Math.max(found.size(), expected.size());
            for (int i = 0; i < size; i++) {
                compare(where + "[" + i + "]", key, found.path(i), expected.path(i));
            }
        } else if (sentences || !(found.isTextual() || expected.isTextual()) || DECIDED.contains(key)) {
            compared++;
            if (!same(found, expected)) {
                out.accept(new Difference(where, text(found), text(expected)));
            }
        }
    }

    private static boolean same(JsonNode found, JsonNode expected) {
        if (found.isNumber() && expected.isNumber()) {
            double apart = Math.abs(found.asDouble() - expected.asDouble());
            return apart <= ROUNDING * Math.abs(expected.asDouble());
        }
        return found.equals(expected) || (absent(found) && absent(expected));
    }

    private static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull() || (node.isContainerNode() && node.isEmpty());
    }

    private static String text(JsonNode node) {
        String text = node.isMissingNode() ? "nothing" : node.toString();
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }
}
