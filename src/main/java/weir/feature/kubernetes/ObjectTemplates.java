package weir.feature.kubernetes;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.io.Io;

/** Kubernetes objects from {@code objects.yaml} and the values of its placeholders. */
final class ObjectTemplates {
    private static final Pattern NAME = Pattern.compile("(\\w+)\n");
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Map<String, String> ALL = read();

    private ObjectTemplates() {}

    private static Map<String, String> read() {
        Map<String, String> all = new HashMap<>();
        for (String object : Io.resource("/weir/feature/kubernetes/objects.yaml").split("(?m)^--- # ", -1)) {
            Matcher name = NAME.matcher(object);
            if (name.lookingAt()) {
                all.put(name.group(1), object.substring(name.end()));
            }
        }
        return all;
    }

    /** Omits fields whose placeholders have no value. */
    static <T> T filled(Class<T> type, Map<String, ?> values) {
        String filled = PLACE.matcher(Objects.requireNonNull(ALL.get(type.getSimpleName())))
                .replaceAll(place -> Matcher.quoteReplacement(Serialization.asJson(values.get(place.group(1)))));
        return Serialization.unmarshal(filled, type);
    }
}
