package weir.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.NeedsFeature;
import weir.plan.Golden;
import weir.plan.Plans;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.syntax.YamlTree;

class SchemaTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    @NeedsFeature
    void checkedInSchemaIsCurrent() {
        Golden.assertSame("docs/experiment.schema.json", Schema.json());
    }

    @Test
    @NeedsFeature
    void schemaAcceptsEveryValidExperiment() throws IOException {
        JsonNode schema = new JsonMapper().readTree(Schema.json());
        for (String folder : new String[] {"experiments", "src/test/resources/weir/plan/fixtures"}) {
            for (Path file : Plans.files(folder, "")) {
                assertThat(accepts(schema, schema, json(Files.readString(file))))
                        .as(file.toString())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "laod: {}",
                "load: { rate: 1000 }",
                "load: { rtae: 1/s }",
                "variants: { a: { likes: b } }",
                "measure: 60",
                "topics: { t: { partitions: many } }",
                "short: { short: {} }",
                "load: { workload: delver }",
                "verify: maybe",
                "cluster: { within: { cpu: lots } }"
            })
    void schemaRefusesWhatWeirRefuses(String yaml) throws IOException {
        JsonNode schema = new JsonMapper().readTree(Schema.json());
        assertThat(accepts(schema, schema, json(yaml))).isFalse();
        assertThat(Plans.problems(yaml)).isNotEmpty();
    }

    /** Supports only the part of JSON Schema that Weir's schema uses. */
    private static boolean accepts(JsonNode root, JsonNode schema, JsonNode value) {
        if (schema.has("$ref")) {
            String name = schema.path("$ref").asText().substring("#/$defs/".length());
            return accepts(root, root.path("$defs").path(name), value);
        }
        if (schema.has("anyOf")) {
            boolean any = false;
            for (JsonNode form : schema.path("anyOf")) {
                any |= accepts(root, form, value);
            }
            return any;
        }
        if (schema.has("enum")) {
            boolean any = false;
            for (JsonNode word : schema.path("enum")) {
                any |= word.asText().equals(value.asText()) && word.getNodeType() == value.getNodeType();
            }
            return any;
        }
        if (!hasType(schema.path("type"), value)) {
            return false;
        }
        if (schema.has("pattern")
                && value.isTextual()
                && !value.asText().matches(schema.path("pattern").asText())) {
            return false;
        }
        for (JsonNode item : value.isArray() ? value : NODES.arrayNode()) {
            if (!accepts(root, schema.path("items"), item)) {
                return false;
            }
        }
        for (var entry : value.properties()) {
            JsonNode known = schema.path("properties").path(entry.getKey());
            JsonNode other = schema.path("additionalProperties");
            boolean refused = known.isMissingNode() && (other.isMissingNode() ? false : !other.isObject());
            if (refused || !accepts(root, known.isMissingNode() ? other : known, entry.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasType(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            boolean any = false;
            for (JsonNode each : type) {
                any |= hasType(each, value);
            }
            return any;
        }
        return switch (type.asText()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            default -> true;
        };
    }

    private static JsonNode json(String yaml) {
        Tree tree = YamlTree.parse(Origin.Source.of("x", yaml), yaml, "", new Findings())
                .orElseThrow();
        return json(tree);
    }

    private static JsonNode json(Tree tree) {
        if (tree instanceof Tree.Section section) {
            ObjectNode node = NODES.objectNode();
            section.entries().forEach((key, value) -> node.set(key, json(value)));
            return node;
        }
        if (tree instanceof Tree.Items items) {
            return NODES.arrayNode()
                    .addAll(items.items().stream().map(SchemaTest::json).toList());
        }
        Tree.Text text = (Tree.Text) tree;
        if (text.isNull()) {
            return NODES.nullNode();
        }
        if (!text.quoted() && (text.text().equals("true") || text.text().equals("false"))) {
            return NODES.booleanNode(text.text().equals("true"));
        }
        boolean number = !text.quoted() && text.text().matches("-?[0-9]+(\\.[0-9]+)?");
        return number ? NODES.numberNode(new java.math.BigDecimal(text.text())) : NODES.textNode(text.text());
    }
}
