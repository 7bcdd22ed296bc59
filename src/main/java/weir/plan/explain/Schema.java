package weir.plan.explain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
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

    private final ObjectNode definitions = JSON.createObjectNode();

    private Schema() {}

    public static String json() {
        try {
            return JSON.writeValueAsString(new Schema().root()) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing the schema", e);
        }
    }

    private ObjectNode root() {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "Weir experiment");
        root.put("description", "An experiment on Apache Kafka: the cluster, the load and the questions to answer.");
        properties(root, Keys.ROOT);
        root.set("$defs", definitions);
        return root;
    }

    private ObjectNode schema(KeyDescription key) {
        ObjectNode schema = JSON.createObjectNode();
        if (!key.meaning().isEmpty()) {
            schema.put("description", described(key));
        }
        List<JsonNode> forms = new ArrayList<>();
        boolean plain = key.type() != ScalarType.NONE;
        if (plain && !key.list()) {
            forms.add(value(key.type(), key.allowed()));
        }
        if (key.list() || key.maybeList()) {
            ObjectNode list = JSON.createObjectNode().put("type", "array");
            list.set("items", Keys.below(key).isEmpty() ? value(key.type(), key.allowed()) : section(key));
            forms.add(list);
        }
        if (key.section() && !key.list() && !(key.maybeList() && !key.free())) {
            forms.add(section(key));
        }
        forms.add(JSON.createObjectNode().put("type", "null"));
        ArrayNode anyOf = schema.putArray("anyOf");
        forms.forEach(anyOf::add);
        if (key.hasDefault()
                && key.fallback() instanceof Tree.Text t
                && !t.text().isEmpty()) {
            schema.put("default", t.text());
        }
        key.texts("write").forEach(schema.withArray("examples")::add);
        if (key.texts("write").isEmpty()) {
            schema.remove("examples");
        }
        return schema;
    }

    private static String described(KeyDescription key) {
        StringBuilder text = new StringBuilder(key.meaning());
        if (key.hasDefault()
                && key.fallback() instanceof Tree.Text t
                && !t.text().isEmpty()) {
            text.append(". Default: ").append(t.text());
        }
        if (!key.with().isEmpty()) {
            text.append(". Only with ").append(key.with());
        }
        if (!key.without().isEmpty()) {
            text.append(". Not with ").append(key.without());
        }
        key.requires().forEach(row -> text.append(". Requires ").append(row.line()));
        return text.append('.').toString();
    }

    private ObjectNode section(KeyDescription key) {
        ObjectNode section = JSON.createObjectNode();
        properties(section, key);
        return section;
    }

    private ObjectNode reference(KeyDescription key) {
        String name = key.path().replace(Keys.ANY_NAME, "NAME");
        if (!definitions.has(name)) {
            // The name is reserved first, because a key may contain itself.
            ObjectNode definition = definitions.putObject(name);
            definition.setAll(schema(key));
        }
        return JSON.createObjectNode().put("$ref", DEFINITIONS + name);
    }

    private void properties(ObjectNode section, KeyDescription key) {
        section.put("type", "object");
        ObjectNode properties = JSON.createObjectNode();
        Keys.below(key).forEach((name, child) -> {
            if (name.equals(Keys.ANY_NAME)) {
                section.set("additionalProperties", reference(child));
            } else if (!child.template()) {
                properties.set(name, reference(child));
            }
        });
        if (!properties.isEmpty()) {
            section.set("properties", properties);
        }
        if (key.free()) {
            section.set("additionalProperties", property(key));
            if (key.by() == ScalarType.CAVEAT) {
                ArrayNode words = section.putObject("propertyNames").putArray("enum");
                CaveatType.words().forEach(words::add);
            }
        } else if (!key.names()) {
            section.put("additionalProperties", false);
        }
    }

    private static ObjectNode property(KeyDescription key) {
        ObjectNode schema = JSON.createObjectNode();
        ArrayNode anyOf = schema.putArray("anyOf");
        anyOf.add(value(key.of(), List.of()));
        anyOf.add(JSON.createObjectNode().put("type", "null"));
        if (key.of() == ScalarType.PROPERTY) {
            anyOf.add(JSON.createObjectNode().put("type", "boolean"));
            ObjectNode plugin = JSON.createObjectNode().put("type", "object");
            plugin.put("description", "Only under plugin. Weir passes this property on and does not check it.");
            anyOf.add(plugin);
        }
        return schema;
    }

    private static ObjectNode value(ScalarType type, List<String> allowed) {
        ObjectNode schema = JSON.createObjectNode();
        if (!allowed.isEmpty()) {
            ArrayNode words = schema.putArray("enum");
            // 1 and "1" are the same word in a plan, but two values in JSON. The same applies to true and "true".
            allowed.forEach(word -> {
                words.add(word);
                if (word.matches("[0-9]+")) {
                    words.add(Integer.parseInt(word));
                } else if (ScalarType.BOOLEAN.pattern().contains(word)) {
                    words.add(Boolean.parseBoolean(word));
                }
            });
            return schema;
        }
        if (type == ScalarType.ANY) {
            return schema;
        }
        if (type == ScalarType.BOOLEAN) {
            return schema.put("type", "boolean");
        }
        if (NUMBERS.contains(type)) {
            schema.putArray("type").add("string").add("number");
        } else {
            schema.put("type", "string");
        }
        if (!type.pattern().isEmpty()) {
            schema.put("pattern", "^(" + type.pattern() + ")$");
        }
        return schema;
    }
}
