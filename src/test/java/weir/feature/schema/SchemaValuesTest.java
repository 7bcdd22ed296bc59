package weir.feature.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cli.Shell;
import weir.load.engine.LoadRefused;

/** Bad input of values with a schema, and the requests to a registry. */
class SchemaValuesTest {
    @TempDir
    Path folder;

    @BeforeEach
    void writeSchemas() throws IOException {
        Files.writeString(folder.resolve("order.avsc"), Orders.AVRO);
        Files.writeString(folder.resolve("text.avsc"), "a text");
        Files.writeString(folder.resolve("order.xml"), "<order/>");
        Files.writeString(folder.resolve("text.json"), "{");
        Files.writeString(folder.resolve("list.json"), "[]");
        Files.writeString(folder.resolve("pattern.json"), """
                { "properties": { "a": { "type": "string", "pattern": "x+" } } }
                """);
        Files.writeString(folder.resolve("empty.json"), """
                { "properties": { "a": { "enum": [] } } }
                """);
        Files.writeString(folder.resolve("never.json"), """
                { "items": false }
                """);
        Files.writeString(folder.resolve("text.desc"), "a text");
        Files.writeString(folder.resolve("wide.avsc"), wide());
    }

    /** Three records, each with ten optional fields of the next one. */
    private static String wide() {
        String schema = "\"A\"";
        for (String name : List.of("C", "B", "A")) {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                String type = i == 0 ? schema : "\"" + (name.equals("C") ? "A" : name.equals("B") ? "C" : "B") + "\"";
                fields.add("{ \"name\": \"f" + i + "\", \"type\": [\"null\", " + type + "] }");
            }
            schema = "{ \"type\": \"record\", \"name\": \"" + name + "\", \"fields\": [" + String.join(", ", fields)
                    + "] }";
        }
        return schema;
    }

    private Shell check(String value) throws IOException {
        Path file = Files.writeString(folder.resolve("x.yaml"), """
                cluster: { bootstrap: "127.0.0.1:1" }
                load: { workload: deliver, rate: 100/s, value: %s }
                """.formatted(value));
        return Shell.weir("check", file.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ schema: none.avsc } | load.value.schema: '*/none.avsc' does not exist, or cannot be read",
                "{ schema: order.xml } | load.value.schema: 'order.xml' has no known ending; Weir reads .avsc, .desc,"
                        + " .json",
                "{ schema: text.avsc } | load.value.schema: 'text.avsc' is not an Avro schema: *",
                "{ schema: text.json } | load.value.schema: 'text.json' is not JSON: *",
                "{ schema: list.json } | load.value.schema: 'list.json' is not a JSON Schema, which is an object*",
                "{ schema: text.desc } | load.value.schema: 'text.desc' is not a descriptor set; make it with protoc*",
                "{ schema: pattern.json } | load.value.schema: 'pattern.json' has the keyword 'pattern' at 'a', from"
                        + " which Weir makes no values; remove it",
                "{ schema: order.avsc, fields: { custommer.id: { distinct: 5 } } } | load.value.fields: 'custommer.id'"
                        + " is no number, string, bytes, array or map of the schema*customer.id*",
                "{ schema: order.avsc, fields: { customer: { distinct: 5 } } } | load.value.fields: 'customer' is no"
                        + " number, string, bytes, array or map of the schema*",
                "{ schema: order.avsc, fields: { tags: { length: 0.5..3 } } } | load.value.fields.tags.length: '0.5..3'"
                        + " is not a range; write it like 1..500",
                "{ schema: empty.json } | load.value.schema: 'empty.json' has an enumeration without values at 'a'; write"
                        + " its values",
                "{ schema: never.json } | load.value.schema: 'never.json' has the schema false at '*', from which Weir"
                        + " makes no values; remove it",
                "{ schema: wide.avsc } | load.value.schema: 'wide.avsc' has more than 10000 fields, with those of inner"
                        + " types; write a smaller schema",
                "{ schema: order.avsc, fields: { status: { distinct: 5 } } } | load.value.fields.status.distinct: does"
                        + " not fit the type of the field; remove it",
                "{ schema: order.avsc, fields: { amount: { length: 5 } } } | load.value.fields.amount.length: does not"
                        + " fit the type of the field; write between or distinct",
                "{ schema: order.avsc, fields: { amount: { between: few } } } | load.value.fields.amount.between: 'few'"
                        + " is not a range; write it like 1..500",
                "{ schema: order.avsc, fields: { count: { between: 5..1 } } } | load.value.fields.count.between: must"
                        + " not have an end below its start, found '5..1'",
                "{ schema: order.avsc, fields: { count: { between: 0..3000000000 } } } |"
                        + " load.value.fields.count.between: must be within -2147483648..2147483647, found"
                        + " '0..3000000000'",
                "{ schema: order.avsc, fields: { count: { between: 0.5..1 } } } | load.value.fields.count.between: must"
                        + " be a range of whole numbers, found '0.5..1'",
                "{ schema: order.avsc, fields: { customer.name: { length: 1, distinct: 30 } } } |"
                        + " load.value.fields.customer.name.distinct: must be at most 26, because the field has no more"
                        + " different values, found '30'",
                "{ schema: order.avsc, registry: \"ftp://x\" } | load.value.registry: 'ftp://x' is not a server address;"
                        + " write http://HOST:PORT",
                "{ schema: order.avsc, size: 5KiB } | load.value: 'size' cannot be used with 'schema'",
            })
    void badInputIsOneLineThatNamesTheKey(String value, String expected) throws IOException {
        Shell checked = check(value);
        assertThat(checked.exit()).as(checked.err()).isEqualTo(2);
        assertThat(checked.err().lines().filter(line -> line.contains("load.value")))
                .singleElement()
                .asString()
                .matches("(?s).*" + ("\\Q" + expected + "\\E").replace("*", "\\E.*\\Q"));
    }

    @Test
    void registryThatDoesNotAnswerEndsTheCheckWithExitCodeThree() throws IOException {
        Path file = Files.writeString(folder.resolve("x.yaml"), """
                load:
                  { workload: deliver, rate: 100/s, value: { schema: order.avsc, registry: "http://127.0.0.1:1" } }
                """);
        Shell checked = Shell.weir("check", file.toString());
        assertThat(checked.exit()).as(checked.err()).isEqualTo(3);
        assertThat(checked.err())
                .contains("load.value.registry: http://127.0.0.1:1 does not answer: ")
                .contains("; start the registry, or correct the URL");
    }

    @Test
    void passwordInTheAddressOfARegistryIsRefusedAndHidden() throws IOException {
        Shell checked = check("{ schema: order.avsc, registry: \"http://me:s3cret@127.0.0.1:1\" }");
        assertThat(checked.exit()).isEqualTo(2);
        assertThat(checked.err()).contains("load.value.registry").doesNotContain("s3cret");
    }

    @Test
    void checkAsksTheRegistryWithoutAChange() throws IOException {
        try (RegistryServer registry = new RegistryServer()) {
            assertThat(values(registry).unusable()).isEmpty();
            assertThat(registry.requests)
                    .containsExactly(
                            "POST /compatibility/subjects/orders-value/versions/latest",
                            "GET /subjects",
                            "POST /compatibility/subjects/returns-value/versions/latest",
                            "GET /subjects");
            registry.status = 200;
            registry.body = "{\"is_compatible\":true}";
            assertThat(values(registry).unusable()).isEmpty();
            registry.body = "{\"is_compatible\":false}";
            assertThat(values(registry).unusable())
                    .contains("load.value.registry: the schema is not compatible with the latest version of subject"
                            + " 'orders-value' at " + registry.url()
                            + "; change the schema, or the compatibility of the subject");
            registry.status = 422;
            registry.body = "{\"error_code\":42201,\"message\":\"Invalid schema\"}";
            assertThat(values(registry).unusable())
                    .contains("load.value.registry: " + registry.url()
                            + " refuses the schema: Invalid schema (status 422)");
            registry.status = 404;
            registry.body = "{\"title\":\"Not found\"}";
            assertThat(values(registry).unusable())
                    .contains("load.value.registry: " + registry.url()
                            + " does not answer like a schema registry (status 404); correct the URL");
            assertThat(registry.schemas).isEmpty();
        }
    }

    @Test
    void sendersRegisterTheSchemaAndReadersFetchItOnceById() throws IOException {
        try (RegistryServer registry = new RegistryServer()) {
            SchemaValues values = values(registry);
            List<byte[]> made = Orders.made(values, 1, 5);
            assertThat(registry.requests)
                    .containsExactly("POST /subjects/orders-value/versions", "POST /subjects/returns-value/versions");
            assertThat(registry.schemas)
                    .singleElement()
                    .asString()
                    .contains("\"schemaType\":\"AVRO\"", "\"schema\":\"{\\\"type\\\":\\\"record\\\"");
            assertThat(made).allSatisfy(value -> assertThat(value).startsWith(0, 0, 0, 0, 7));
            registry.requests.clear();
            var reader = values.reader();
            made.forEach(value -> reader.read(ByteBuffer.wrap(value)));
            assertThat(registry.requests).containsExactly("GET /schemas/ids/7");
        }
    }

    @Test
    void registryThatRefusesTheSchemaAtTheStartEndsTheLoadWithTheReason() throws IOException {
        try (RegistryServer registry = new RegistryServer()) {
            registry.registered = 409;
            registry.body = "{\"error_code\":409,\"message\":\"Incompatible\"}";
            assertThatThrownBy(values(registry)::register)
                    .isInstanceOf(LoadRefused.class)
                    .hasMessage("load.value.registry: " + registry.url()
                            + " refuses the schema: Incompatible (status 409)");
        }
    }

    private SchemaValues values(RegistryServer registry) {
        SchemaSpec spec = new SchemaSpec(folder.resolve("order.avsc"), registry.url() + "/", new TreeMap<>());
        return SchemaValues.of(spec, List.of("orders", "returns"));
    }
}
