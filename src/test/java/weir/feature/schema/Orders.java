package weir.feature.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import weir.feature.schema.SchemaSpec.FieldHint;
import weir.load.message.SerializedValues;

/** Schemas of orders for tests, and values of them. */
final class Orders {
    /** All types of Avro, with a record that may contain one of its own type. */
    static final String AVRO = """
            { "type": "record", "name": "Order", "namespace": "shop", "fields": [
              { "name": "id", "type": { "type": "string", "logicalType": "uuid" } },
              { "name": "customer", "type": { "type": "record", "name": "Customer", "fields": [
                { "name": "id", "type": "long" },
                { "name": "name", "type": "string" },
                { "name": "email", "type": ["null", "string"] } ] } },
              { "name": "amount", "type": "double" },
              { "name": "discount", "type": "float" },
              { "name": "count", "type": "int" },
              { "name": "status", "type": { "type": "enum", "name": "Status", "symbols": ["NEW", "PAID", "SENT"] } },
              { "name": "tags", "type": { "type": "array", "items": "string" } },
              { "name": "stock", "type": { "type": "map", "values": "long" } },
              { "name": "hash", "type": { "type": "fixed", "name": "Hash", "size": 8 } },
              { "name": "raw", "type": "bytes" },
              { "name": "at", "type": { "type": "long", "logicalType": "timestamp-millis" } },
              { "name": "gift", "type": "boolean" },
              { "name": "none", "type": "null" },
              { "name": "change", "type": ["null", "Order"] },
              { "name": "parts", "type": { "type": "array", "items": "Order" } },
              { "name": "choice", "type": ["int", "long", "float", "double", "string", "bytes", "Customer", "Hash"] }
            ] }
            """;

    private Orders() {}

    static FieldHint hint(long distinct, String between, String length) {
        return new FieldHint(distinct, between, length);
    }

    static SchemaValues values(Path folder, String name, String schema, Map<String, FieldHint> hints) {
        try {
            Path file = Files.writeString(folder.resolve(name), schema);
            return SchemaValues.of(new SchemaSpec(file, "", new TreeMap<>(hints)), List.of("orders"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns values of a registered schema. */
    static List<byte[]> made(SerializedValues values, long seed, int count) {
        values.register();
        var source = values.source(seed);
        return IntStream.range(0, count).mapToObj(source::next).toList();
    }
}
