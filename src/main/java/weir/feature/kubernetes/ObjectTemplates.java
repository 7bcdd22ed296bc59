package weir.feature.kubernetes;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kubernetes objects from {@code objects.yaml} and the values of its placeholders. */
final class ObjectTemplates {
    private static final Pattern NAME = Pattern.compile("(\\w+)\n");
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Map<String, String> ALL = read();

    private ObjectTemplates() {}

    private static Map<String, String> read() {
        try (InputStream in = ObjectTemplates.class.getResourceAsStream("objects.yaml")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            Map<String, String> all = new HashMap<>();
            for (String object : text.split("(?m)^--- # ", -1)) {
                Matcher name = NAME.matcher(object);
                if (name.lookingAt()) {
                    all.put(name.group(1), object.substring(name.end()));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("reading objects.yaml", e);
        }
    }

    /** Omits fields whose placeholders have no value. */
    static <T> T filled(Class<T> type, Map<String, ?> values) {
        String filled = PLACE.matcher(Objects.requireNonNull(ALL.get(type.getSimpleName())))
                .replaceAll(place -> Matcher.quoteReplacement(Serialization.asJson(values.get(place.group(1)))));
        return Serialization.unmarshal(filled, type);
    }
}
