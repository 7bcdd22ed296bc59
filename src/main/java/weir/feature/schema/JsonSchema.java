package weir.feature.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import weir.feature.schema.FieldDraws.Drawn;
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
            "$schema",
            "$id",
            "$defs",
            "$comment",
            "definitions",
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            "additionalProperties");

    private static final List<String> LIMITS = List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");

    /** The keywords by the types of values that they limit. */
    private static final Map<String, List<String>> KEYWORDS = Map.of(
            "object", List.of("properties", "required"),
            "array", List.of("items", "minItems", "maxItems"),
            "string", List.of("minLength", "maxLength", "format"),
            "number", LIMITS,
            "integer", LIMITS,
            "boolean", List.of(),
            "null", List.of());

    private static final Map<String, Function<SplittableRandom, String>> FORMATS = Map.of(
            "uuid", random -> new UUID(random.nextLong(), random.nextLong()).toString(),
            "date-time", random -> Instant.ofEpochSecond(random.nextInt()).toString(),
            "date", random -> LocalDate.ofEpochDay(random.nextInt(40_000)).toString(),
            "email", random -> ascii(FieldDraws.word(random)) + "@example.com");

    /** The whole numbers that every reader of JSON keeps. */
    private static final Range WHOLE = Range.of(-(1L << 53), 1L << 53);

    private static final BigDecimal SMALL = new BigDecimal("0.000001");

    static JsonSchema parse(byte[] file) throws IOException {
        JsonNode schema;
        try {
            schema = JSON.readTree(file);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is not JSON: " + Unsupported.line(e.getMessage()), e);
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
    public SchemaValues.Serializer serializer() {
        return (data, out) -> JSON.writeValue(out, data);
    }

    @Override
    public ValueReader reader(String writtenWith) {
        return value -> {
            int start = value.arrayOffset() + value.position();
            var unused =
                    Io.attempt("deserializing a value", () -> JSON.readTree(value.array(), start, value.remaining()));
        };
    }

    @Override
    public Drawn data(FieldDraws draws) {
        return data(schema, "", draws);
    }

    private static Unsupported unsupported(String path, String what) {
        return new Unsupported("has " + what + (path.isEmpty() ? "" : " at '" + path + "'")
                + ", from which Weir makes no values; remove it");
    }

    private Drawn data(JsonNode part, String path, FieldDraws draws) {
        if (!part.isObject() && !part.asBoolean()) {
            throw unsupported(path, "the schema " + part);
        }
        List<String> types = types(part);
        List<String> known = new ArrayList<>(List.of("type", "enum", "const"));
        types.forEach(type -> known.addAll(KEYWORDS.getOrDefault(type, List.of())));
        for (String alone : List.of("$ref", "anyOf", "oneOf")) {
            if (part.has(alone)) {
                known.clear();
                known.add(alone);
            }
        }
        part.fieldNames().forEachRemaining(keyword -> {
            if (!NOTES.contains(keyword) && !known.contains(keyword)) {
                throw unsupported(path, "the keyword '" + keyword + "'");
            }
        });
        if (part.has("$ref")) {
            JsonNode target = target(part, path);
            return draws.within(part.get("$ref").asText(), () -> data(target, path, draws));
        }
        if (part.has("const") || part.has("enum")) {
            List<JsonNode> values = new ArrayList<>();
            part.path("enum").forEach(values::add);
            return draws.value(path, part.has("const") ? List.of(part.get("const")) : values);
        }
        if (part.has("anyOf") || part.has("oneOf")) {
            return draws.branch(branches(part, path).stream()
                    .map(branch -> data(branch, path, draws))
                    .toList());
        }
        return draws.branch(
                types.stream().map(type -> typed(type, part, path, draws)).toList());
    }

    private static List<String> types(JsonNode part) {
        List<String> types = new ArrayList<>();
        part.path("type").forEach(type -> types.add(type.asText()));
        String fallback = part.has("properties") ? "object" : part.has("items") ? "array" : "string";
        return types.isEmpty() ? List.of(part.path("type").asText(fallback)) : types;
    }

    private JsonNode target(JsonNode part, String path) {
        String reference = part.path("$ref").asText("#");
        JsonNode target = reference.startsWith("#/")
                ? schema.at(reference.substring(1))
                : reference.equals("#") ? schema : NODES.missingNode();
        if (!target.isObject()) {
            throw unsupported(path, "the reference '" + reference + "' to something outside of the file");
        }
        return target;
    }

    /** Returns the branches. A value must match exactly one of {@code oneOf}, so their types must differ. */
    private List<JsonNode> branches(JsonNode part, String path) {
        List<JsonNode> branches = new ArrayList<>();
        (part.has("anyOf") ? part.get("anyOf") : part.get("oneOf")).forEach(branches::add);
        Set<String> seen = new HashSet<>();
        for (JsonNode branch : part.has("oneOf") ? branches : List.<JsonNode>of()) {
            for (String type : types(branch.has("$ref") ? target(branch, path) : branch)) {
                if (!seen.add(type.replace("integer", "number"))) {
                    throw unsupported(path, "'oneOf' with two branches of type " + type);
                }
            }
        }
        return branches;
    }

    private Drawn typed(String type, JsonNode part, String path, FieldDraws draws) {
        return switch (type) {
            case "object" -> object(part, path, draws);
            case "array" -> {
                JsonNode items = part.has("items") ? part.get("items") : NODES.objectNode();
                yield draws.list(
                        path, sizes(part, "minItems", "maxItems", path), data(items, path + ".*", draws), list -> {
                            ArrayNode array = NODES.arrayNode(list.size());
                            list.forEach(item -> array.add((JsonNode) item));
                            return array;
                        });
            }
            case "string" -> string(part, path, draws);
            case "integer" -> draws.whole(path, range(part, path, BigDecimal.ONE), NODES::numberNode);
            case "number" -> draws.decimal(path, range(part, path, SMALL), NODES::numberNode);
            case "boolean" -> draws.other(path, random -> NODES.booleanNode(random.nextBoolean()));
            case "null" -> draws.other(path, random -> NODES.nullNode());
            default -> throw unsupported(path, "the type '" + type + "'");
        };
    }

    private static BigDecimal limit(
            JsonNode part, String keyword, BigDecimal otherwise, RoundingMode rounding, int scale) {
        return (part.has(keyword) ? part.get(keyword).decimalValue() : otherwise).setScale(scale, rounding);
    }

    /** The range of a number. {@code step} is the distance to a limit that is not included. */
    private static Range range(JsonNode part, String path, BigDecimal step) {
        int scale = step.scale();
        BigDecimal least = WHOLE.low().subtract(step);
        BigDecimal most = WHOLE.high().add(step);
        return checked(
                new Range(
                        limit(part, "minimum", least, RoundingMode.CEILING, scale)
                                .max(limit(part, "exclusiveMinimum", least, RoundingMode.FLOOR, scale)
                                        .add(step)),
                        limit(part, "maximum", most, RoundingMode.FLOOR, scale)
                                .min(limit(part, "exclusiveMaximum", most, RoundingMode.CEILING, scale)
                                        .subtract(step))),
                path);
    }

    private static Range sizes(JsonNode part, String least, String most, String path) {
        long longest = FieldDraws.LENGTHS.high().longValue();
        return checked(
                Range.of(
                        part.path(least).asLong(0),
                        Math.min(longest, part.path(most).asLong(longest))),
                path);
    }

    private static Range checked(Range range, String path) {
        if (range.low().compareTo(range.high()) > 0) {
            throw unsupported(path, "a range without a value, " + range + ",");
        }
        return range;
    }

    private static Drawn string(JsonNode part, String path, FieldDraws draws) {
        if (!part.has("format")) {
            Range lengths = sizes(part, "minLength", "maxLength", path);
            return draws.letters(path, lengths, text -> NODES.textNode(ascii(text)));
        }
        Function<SplittableRandom, String> format =
                FORMATS.get(part.get("format").asText());
        if (format == null || part.has("minLength") || part.has("maxLength")) {
            throw unsupported(path, format == null ? "the format " + part.get("format") : "a length beside 'format'");
        }
        return draws.other(path, random -> NODES.textNode(format.apply(random)));
    }

    private static String ascii(byte[] text) {
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private Drawn object(JsonNode part, String path, FieldDraws draws) {
        JsonNode properties = part.path("properties");
        List<String> names = new ArrayList<>();
        List<Drawn> fields = new ArrayList<>();
        List<String> required = new ArrayList<>();
        part.path("required").forEach(name -> required.add(name.asText()));
        properties.properties().forEach(property -> {
            String name = property.getKey();
            Drawn field = data(property.getValue(), FieldDraws.below(path, name), draws);
            if (field != FieldDraws.NEVER || required.contains(name)) {
                names.add(name);
                fields.add(field);
            }
        });
        for (String name : required) {
            if (!properties.has(name)) {
                throw unsupported(path, "the required property '" + name + "' without a schema");
            }
        }
        return FieldDraws.all(fields, values -> {
            ObjectNode object = NODES.objectNode();
            for (int i = 0; i < values.size(); i++) {
                object.set(names.get(i), (JsonNode) values.get(i));
            }
            return object;
        });
    }
}
