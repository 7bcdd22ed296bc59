package weir.feature.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random data of JSON Schemas, which another library validates. */
class JsonSchemaTest {
    static final String ORDER = """
            { "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
              "required": ["id", "customer", "amount"],
              "additionalProperties": false,
              "properties": {
                "id": { "type": "string", "format": "uuid" },
                "customer": { "$ref": "#/$defs/customer" },
                "amount": { "type": "number", "minimum": 1, "exclusiveMaximum": 500 },
                "count": { "type": "integer", "exclusiveMinimum": 2.5, "maximum": 4 },
                "status": { "enum": ["NEW", "PAID", 3] },
                "kind": { "const": "order" },
                "code": { "type": "string", "minLength": 2, "maxLength": 3 },
                "note": { "type": ["string", "null"] },
                "tags": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 2 },
                "at": { "type": "string", "format": "date-time" },
                "day": { "type": "string", "format": "date" },
                "mail": { "type": "string", "format": "email" },
                "gift": { "type": "boolean" },
                "size": { "oneOf": [ { "type": "integer" }, { "type": "string" } ] },
                "parent": { "anyOf": [ { "$ref": "#" }, { "type": "null" } ] } },
              "$defs": { "customer": { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "integer", "minimum": 0 }, "friends": { "type": "array", "items":
                  { "$ref": "#/$defs/customer" } } } } } }
            """;

    @TempDir
    Path folder;

    @Test
    void valuesAreValidAndFollowTheirHints() throws IOException {
        SchemaValues made = Orders.values(
                folder,
                "order.json",
                ORDER,
                Map.of(
                        "customer.id", Orders.hint(30, "10..99", ""),
                        "amount", Orders.hint(0, "100..200", ""),
                        "note", Orders.hint(0, "", "1"),
                        "customer.friends", Orders.hint(0, "", "0..1")));
        ObjectMapper json = new ObjectMapper();
        var schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(ORDER);
        List<Double> amounts = new ArrayList<>();
        Set<Long> customers = new HashSet<>();
        Set<String> parents = new HashSet<>();
        var reader = made.reader();
        for (byte[] value : Orders.made(made, 5, 1_000)) {
            reader.read(ByteBuffer.wrap(value));
            assertThat(value).startsWith(0, 0, 0, 0, 1);
            JsonNode order = json.readTree(value, 5, value.length - 5);
            assertThat(schema.validate(
                            order, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true))))
                    .as(order.toString())
                    .isEmpty();
            assertThat(order).hasSize(15);
            amounts.add(order.get("amount").asDouble());
            customers.add(order.get("customer").get("id").asLong());
            parents.add(order.get("parent").getNodeType().name());
            assertThat(order.get("note").asText()).matches("[a-z]|null");
        }
        // The standard deviation of a mean of 1,000 even draws from 100 is 0.9.
        assertThat(amounts.stream().mapToDouble(amount -> amount).average().orElseThrow())
                .isCloseTo(150, within(4.0));
        assertThat(customers).hasSize(30).allMatch(id -> id >= 10 && id <= 99);
        assertThat(parents).containsExactlyInAnyOrder("OBJECT", "NULL");
    }

    @Test
    void registryGetsTheSchemaOfTheFile() throws IOException {
        JsonSchema schema = JsonSchema.parse(ORDER.getBytes(StandardCharsets.UTF_8));
        assertThat(new ObjectMapper().readTree(schema.text())).isEqualTo(new ObjectMapper().readTree(ORDER));
        assertThat(schema.type()).isEqualTo("JSON");
    }
}
