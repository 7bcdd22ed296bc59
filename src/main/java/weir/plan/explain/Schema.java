package weir.plan.explain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Tree;

/** The JSON Schema of the experiment file, for editors. */
public final class Schema {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String DEFINITIONS = "#/$defs/";
    private static final Set<ScalarType> NUMBERS = Set.of(
            ScalarType.INTEGER,
            ScalarType.NUMBER,
            ScalarType.COUNT,
            ScalarType.RECORDS,
            ScalarType.DECIMAL,
            ScalarType.FACTOR,
            ScalarType.SIZE,
            ScalarType.SIZES,
            ScalarType.TEXT,
            ScalarType.PROPERTY);

    private static final Map<String, Object> NULL = Map.of("type", "null");

    private final Map<String, Object> definitions = new LinkedHashMap<>();

    private Schema() {}

    public static String json() {
        try {
            return JSON.writeValueAsString(new Schema().root()) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing the schema", e);
        }
    }

    private Map<String, Object> root() {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "Weir experiment");
        root.put("description", "An experiment on Apache Kafka: the cluster, the load and the questions to answer.");
        root.putAll(section(Keys.ROOT));
        root.put("$defs", definitions);
        return root;
    }

    private Map<String, Object> schema(KeyDescription key) {
        Map<String, Object> schema = new LinkedHashMap<>();
        String fallback = key.hasDefault() && key.fallback() instanceof Tree.Text text ? text.text() : "";
        if (!key.meaning().isEmpty()) {
            schema.put("description", described(key, fallback));
        }
        List<Object> forms = new ArrayList<>();
        if (key.type() != ScalarType.NONE && !key.list()) {
            forms.add(value(key.type(), key.allowed()));
        }
        if (key.list() || key.maybeList()) {
            Map<String, Object> list = new LinkedHashMap<>(Map.of("type", "array"));
            list.put("items", Keys.below(key).isEmpty() ? value(key.type(), key.allowed()) : section(key));
            forms.add(list);
        }
        if (key.section() && !key.list() && !(key.maybeList() && !key.free())) {
            forms.add(section(key));
        }
        forms.add(NULL);
        schema.put("anyOf", forms);
        if (!fallback.isEmpty()) {
            schema.put("default", fallback);
        }
        if (!key.texts("write").isEmpty()) {
            schema.put("examples", key.texts("write"));
        }
        return schema;
    }

    private static String described(KeyDescription key, String fallback) {
        StringBuilder text = new StringBuilder(key.meaning());
        text.append(fallback.isEmpty() ? "" : ". Default: " + fallback);
        text.append(key.with().isEmpty() ? "" : ". Only with " + key.with());
        text.append(key.without().isEmpty() ? "" : ". Not with " + String.join(" or ", key.without()));
        key.requires().forEach(row -> text.append(". Requires ").append(row.line()));
        return text.append('.').toString();
    }

    private Map<String, Object> reference(KeyDescription key) {
        String name = key.path().replace(Keys.ANY_NAME, "NAME");
        if (!definitions.containsKey(name)) {
            // The name is reserved first, because a key may contain itself.
            definitions.put(name, NULL);
            definitions.put(name, schema(key));
        }
        return Map.of("$ref", DEFINITIONS + name);
    }

    private Map<String, Object> section(KeyDescription key) {
        Map<String, Object> section = new LinkedHashMap<>(Map.of("type", "object"));
        Map<String, Object> properties = new LinkedHashMap<>();
        Keys.below(key).forEach((name, child) -> {
            if (name.equals(Keys.ANY_NAME)) {
                section.put("additionalProperties", reference(child));
            } else if (!child.template()) {
                properties.put(name, reference(child));
            }
        });
        if (!properties.isEmpty()) {
            section.put("properties", properties);
        }
        if (key.free()) {
            section.put("additionalProperties", property(key));
            if (key.by() == ScalarType.CAVEAT) {
                section.put("propertyNames", Map.of("enum", CaveatType.words()));
            }
        } else if (!key.names()) {
            section.put("additionalProperties", false);
        }
        return section;
    }

    private static Map<String, Object> property(KeyDescription key) {
        List<Object> anyOf = new ArrayList<>(List.of(value(key.of(), List.of()), NULL));
        if (key.of() == ScalarType.PROPERTY) {
            anyOf.add(Map.of("type", "boolean"));
            Map<String, Object> plugin = new LinkedHashMap<>(Map.of("type", "object"));
            plugin.put("description", "Only under plugin. Weir passes this property on and does not check it.");
            anyOf.add(plugin);
        }
        return Map.of("anyOf", anyOf);
    }

    private static Map<String, Object> value(ScalarType type, List<String> allowed) {
        if (!allowed.isEmpty()) {
            List<Object> words = new ArrayList<>();
            // 1 and "1" are the same word in a plan, but two values in JSON. The same applies to true and "true".
            allowed.forEach(word -> {
                words.add(word);
                if (word.matches("[0-9]+")) {
                    words.add(Integer.parseInt(word));
                } else if (ScalarType.BOOLEAN.pattern().contains(word)) {
                    words.add(Boolean.parseBoolean(word));
                }
            });
            return Map.of("enum", words);
        }
        if (type == ScalarType.ANY || type == ScalarType.BOOLEAN) {
            return type == ScalarType.ANY ? Map.of() : Map.of("type", "boolean");
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", NUMBERS.contains(type) ? List.of("string", "number") : "string");
        if (!type.pattern().isEmpty()) {
            schema.put("pattern", "^(" + type.pattern() + ")$");
        }
        return schema;
    }
}
