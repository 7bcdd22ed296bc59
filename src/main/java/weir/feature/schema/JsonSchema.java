package weir.feature.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import weir.feature.schema.FieldDraws.Range;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.io.Io;
import weir.load.message.SerializedValues.ValueReader;

/** A JSON Schema with some of the keywords of JSON Schema, and JSON trees as data. */
record JsonSchema(JsonNode schema) implements SchemaValues.Schema {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The keywords that limit no value that Weir makes. */
    private static final Set<String> NOTES = Set.of(
            "$schema", "$id", "$defs", "$comment", "definitions", "title", "description", "default", "examples",
            "deprecated", "readOnly", "writeOnly", "additionalProperties");

    /** The keywords by the types of values that they limit. */
    private static final Map<String, Set<String>> KEYWORDS = Map.of(
            "object", Set.of("properties", "required"),
            "array", Set.of("items", "minItems", "maxItems"),
            "string", Set.of("minLength", "maxLength", "format"),
            "number", Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
            "", Set.of("type", "enum", "const", "$ref", "anyOf", "oneOf"));

    private static final int LONGEST = 1 << 20;
    /** The whole numbers that every reader of JSON keeps. */
    private static final Range WHOLE = Range.of(-(1L << 53), 1L << 53);

    private static final BigDecimal SMALL = new BigDecimal("0.000001");

    /** The most schemas of one reference within each other. */
    private static final int DEEPEST = 3;

    static JsonSchema parse(byte[] file) throws IOException {
        JsonNode schema;
        try {
            schema = JSON.readTree(file);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is not JSON: " + Unsupported.line(e), e);
        }
        if (!schema.isObject()) {
            throw new IllegalArgumentException("is not a JSON Schema, which is an object with keywords such as type");
        }
        return new JsonSchema(schema);
    }

    @Override
    public String type() {
        return "JSON";
    }

    @Override
    public String text() {
        return schema.toString();
    }

    @Override
    public SchemaValues.Writer writer(FieldDraws draws) {
        Supplier<JsonNode> data = new Builder(draws, schema)
                .of(schema, "")
                .orElseThrow(() -> new Unsupported(
                        "describes a value that always contains a value of its own type; make the inner one optional"));
        return new SchemaValues.Writer() {
            private JsonNode drawn = NODES.nullNode();

            @Override
            public void draw() {
                drawn = data.get();
            }

            @Override
            public void write(OutputStream out) throws IOException {
                JSON.writeValue(out, drawn);
            }
        };
    }

    @Override
    public ValueReader reader(String writtenWith) {
        return value -> {
            int start = value.arrayOffset() + value.position();
            var unused = Io.attempt(
                    "deserializing a value", () -> JSON.readTree(value.array(), start, value.remaining()));
        };
    }

    /** A builder of generators. A schema whose values always contain themselves has no generator. */
    private static final class Builder {
        private final FieldDraws draws;
        private final JsonNode root;
        private final Map<String, Integer> depths = new HashMap<>();

        Builder(FieldDraws draws, JsonNode root) {
            this.draws = draws;
            this.root = root;
        }

        private static Unsupported unsupported(String path, String what) {
            return new Unsupported("has " + what + (path.isEmpty() ? "" : " at '" + path + "'")
                    + ", from which Weir makes no values; remove it");
        }

        Optional<Supplier<JsonNode>> of(JsonNode schema, String path) {
            schema.fieldNames().forEachRemaining(keyword -> {
                if (!NOTES.contains(keyword)
                        && KEYWORDS.values().stream().noneMatch(known -> known.contains(keyword))) {
                    throw unsupported(path, "the keyword '" + keyword + "'");
                }
            });
            for (String whole : List.of("$ref", "const", "enum", "anyOf", "oneOf")) {
                if (schema.has(whole)) {
                    schema.fieldNames().forEachRemaining(beside -> {
                        if (!beside.equals(whole)
                                && !NOTES.contains(beside)
                                && !(beside.equals("type") && whole.matches("const|enum"))) {
                            throw unsupported(path, "'" + beside + "' beside '" + whole + "'");
                        }
                    });
                }
            }
            if (schema.has("$ref")) {
                return reference(schema.get("$ref").asText(), path);
            }
            if (schema.has("anyOf") || schema.has("oneOf")) {
                return branches(schema, path);
            }
            if (schema.has("const") || schema.has("enum")) {
                draws.other(path);
                List<JsonNode> values = new ArrayList<>();
                schema.path("enum").forEach(values::add);
                if (values.isEmpty()) {
                    values.add(schema.path("const"));
                }
                return Optional.of(() -> values.get(draws.random.nextInt(values.size())));
            }
            List<String> types = types(schema);
            List<Supplier<JsonNode>> each = new ArrayList<>();
            types.forEach(type -> typed(type, schema, path).ifPresent(each::add));
            return one(each);
        }

        private static List<String> types(JsonNode schema) {
            List<String> types = new ArrayList<>();
            schema.path("type").forEach(type -> types.add(type.asText()));
            if (schema.path("type").isTextual()) {
                types.add(schema.path("type").asText());
            }
            return types.isEmpty()
                    ? List.of(schema.has("properties") ? "object" : schema.has("items") ? "array" : "string")
                    : types;
        }

        private Optional<Supplier<JsonNode>> one(List<Supplier<JsonNode>> branches) {
            return branches.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            branches.size() == 1
                                    ? branches.get(0)
                                    : () -> branches.get(draws.random.nextInt(branches.size()))
                                            .get());
        }

        private Optional<Supplier<JsonNode>> reference(String reference, String path) {
            JsonNode target = reference.startsWith("#/")
                    ? root.at(reference.substring(1))
                    : reference.equals("#") ? root : NODES.missingNode();
            if (!target.isObject()) {
                throw unsupported(path, "the reference '" + reference + "' to something outside of the file");
            }
            int depth = depths.merge(reference, 1, Integer::sum);
            Optional<Supplier<JsonNode>> made = depth > DEEPEST ? Optional.empty() : of(target, path);
            depths.put(reference, depth - 1);
            return made;
        }

        private Optional<Supplier<JsonNode>> branches(JsonNode schema, String path) {
            List<Supplier<JsonNode>> each = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (JsonNode branch : schema.has("anyOf") ? schema.get("anyOf") : schema.get("oneOf")) {
                JsonNode target = branch.has("$ref")
                        ? root.at(branch.get("$ref").asText().substring(1))
                        : branch;
                for (String type : types(target)) {
                    if (!seen.add(type.equals("integer") ? "number" : type) && schema.has("oneOf")) {
                        throw unsupported(path, "'oneOf' with two branches of type " + type);
                    }
                }
                of(branch, path).ifPresent(each::add);
            }
            return one(each);
        }

        private Optional<Supplier<JsonNode>> typed(String type, JsonNode schema, String path) {
            return switch (type) {
                case "object" -> object(schema, path);
                case "array" -> array(schema, path);
                case "string" -> Optional.of(string(schema, path));
                case "integer" -> {
                    LongSupplier number = draws.whole(path, range(schema, path, BigDecimal.ONE, WHOLE));
                    yield Optional.of(() -> NODES.numberNode(number.getAsLong()));
                }
                case "number" -> {
                    DoubleSupplier number = draws.decimal(path, range(schema, path, SMALL, WHOLE));
                    yield Optional.of(() -> NODES.numberNode(number.getAsDouble()));
                }
                case "boolean" -> {
                    draws.other(path);
                    yield Optional.of(() -> NODES.booleanNode(draws.random.nextBoolean()));
                }
                case "null" -> {
                    draws.other(path);
                    yield Optional.of(NODES::nullNode);
                }
                default -> throw unsupported(path, "the type '" + type + "'");
            };
        }

        /** The range of a number. {@code step} is the distance to a limit that is not included. */
        private static Range range(JsonNode schema, String path, BigDecimal step, Range type) {
            int scale = step.scale();
            BigDecimal low = type.low();
            BigDecimal high = type.high();
            if (schema.has("minimum")) {
                low = schema.get("minimum").decimalValue().setScale(scale, RoundingMode.CEILING);
            }
            if (schema.has("exclusiveMinimum")) {
                low = low.max(schema.get("exclusiveMinimum").decimalValue().setScale(scale, RoundingMode.FLOOR).add(step));
            }
            if (schema.has("maximum")) {
                high = schema.get("maximum").decimalValue().setScale(scale, RoundingMode.FLOOR);
            }
            if (schema.has("exclusiveMaximum")) {
                high = high.min(
                        schema.get("exclusiveMaximum").decimalValue().setScale(scale, RoundingMode.CEILING).subtract(step));
            }
            return checked(new Range(low, high), path);
        }

        private static Range checked(Range range, String path) {
            if (range.low().compareTo(range.high()) > 0) {
                throw unsupported(path, "a range without a value, " + range + ",");
            }
            return range;
        }

        private static Range sizes(JsonNode schema, String least, String most, String path) {
            return checked(
                    Range.of(
                            schema.path(least).asLong(0),
                            Math.min(LONGEST, schema.path(most).asLong(LONGEST))),
                    path);
        }

        private Supplier<JsonNode> string(JsonNode schema, String path) {
            String format = schema.path("format").asText("");
            if (format.isEmpty()) {
                Supplier<byte[]> text = draws.letters(path, sizes(schema, "minLength", "maxLength", path));
                return () -> NODES.textNode(ascii(text.get()));
            }
            if (schema.has("minLength") || schema.has("maxLength")) {
                throw unsupported(path, "a length beside 'format'");
            }
            draws.other(path);
            return switch (format) {
                case "uuid" -> () ->
                    NODES.textNode(new UUID(draws.random.nextLong(), draws.random.nextLong()).toString());
                case "date-time" -> () -> NODES.textNode(
                        Instant.ofEpochSecond(draws.random.nextInt()).toString());
                case "date" -> () ->
                    NODES.textNode(LocalDate.ofEpochDay(draws.random.nextInt(40_000)).toString());
                case "email" -> () -> NODES.textNode(ascii(draws.keys().get()) + "@example.com");
                default -> throw unsupported(path, "the format '" + format + "'");
            };
        }

        private static String ascii(byte[] text) {
            return new String(text, StandardCharsets.ISO_8859_1);
        }

        private Optional<Supplier<JsonNode>> object(JsonNode schema, String path) {
            draws.other(path);
            Map<String, Supplier<JsonNode>> fields = new LinkedHashMap<>();
            schema.path("properties").properties().forEach(property -> {
                String below = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
                of(property.getValue(), below).ifPresent(field -> fields.put(property.getKey(), field));
            });
            for (JsonNode required : schema.path("required")) {
                String name = required.asText();
                if (!schema.path("properties").has(name)) {
                    throw unsupported(path, "the required property '" + name + "' without a schema");
                }
                if (!fields.containsKey(name)) {
                    return Optional.empty();
                }
            }
            return Optional.of(() -> {
                ObjectNode object = NODES.objectNode();
                fields.forEach((name, field) -> object.set(name, field.get()));
                return object;
            });
        }

        private Optional<Supplier<JsonNode>> array(JsonNode schema, String path) {
            Range sizes = sizes(schema, "minItems", "maxItems", path);
            IntSupplier length = draws.length(path, sizes, FieldDraws.ELEMENTS);
            Optional<Supplier<JsonNode>> items =
                    of(schema.has("items") ? schema.get("items") : NODES.objectNode(), path + ".*");
            if (items.isEmpty()) {
                return sizes.low().signum() > 0 ? Optional.empty() : Optional.of(NODES::arrayNode);
            }
            Supplier<JsonNode> item = items.get();
            return Optional.of(() -> {
                ArrayNode array = NODES.arrayNode();
                for (int rest = length.getAsInt(); rest > 0; rest--) {
                    array.add(item.get());
                }
                return array;
            });
        }
    }
}
