package weir.feature.schema;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;
import weir.feature.schema.FieldDraws.Drawn;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.io.Io;
import weir.load.message.SerializedValues.ValueReader;

/** An Avro schema, with Avro's generic records as data. */
record AvroSchema(Schema schema) implements SchemaValues.Schema {
    static AvroSchema parse(byte[] file) {
        try {
            return new AvroSchema(new Schema.Parser().parse(new String(file, StandardCharsets.UTF_8)));
        } catch (AvroRuntimeException e) {
            throw new IllegalArgumentException("is not an Avro schema: " + Unsupported.line(e.getMessage()), e);
        }
    }

    @Override
    public String type() {
        return "AVRO";
    }

    @Override
    public String text() {
        return schema.toString();
    }

    @Override
    public SchemaValues.Serializer serializer() {
        GenericDatumWriter<@Nullable Object> writer = new GenericDatumWriter<>(schema);
        BinaryEncoder[] reused = new BinaryEncoder[1];
        return (data, out) -> {
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, reused[0]);
            reused[0] = encoder;
            writer.write(data, encoder);
            encoder.flush();
        };
    }

    @Override
    public ValueReader reader(String writtenWith) {
        GenericDatumReader<Object> reader = new GenericDatumReader<>(new Schema.Parser().parse(writtenWith));
        BinaryDecoder[] reused = new BinaryDecoder[1];
        return value -> {
            int start = value.arrayOffset() + value.position();
            reused[0] = DecoderFactory.get().binaryDecoder(value.array(), start, value.remaining(), reused[0]);
            var unused = Io.attempt("deserializing a value", () -> reader.read(null, reused[0]));
        };
    }

    @Override
    public Drawn data(FieldDraws draws) {
        return data(schema, "", draws);
    }

    private static Drawn data(Schema schema, String path, FieldDraws draws) {
        return switch (schema.getType()) {
            case NULL -> draws.other(path, random -> null);
            case BOOLEAN -> draws.other(path, SplittableRandom::nextBoolean);
            case INT -> draws.whole(path, FieldDraws.INT, number -> (int) number);
            case LONG -> draws.whole(path, FieldDraws.LONG, number -> number);
            case FLOAT -> draws.decimal(path, FieldDraws.DECIMAL, number -> (float) number);
            case DOUBLE -> draws.decimal(path, FieldDraws.DECIMAL, number -> number);
            case BYTES -> draws.bytes(path, ByteBuffer::wrap);
            case STRING ->
                LogicalTypes.uuid().equals(schema.getLogicalType())
                        ? draws.other(path, random -> new UUID(random.nextLong(), random.nextLong()).toString())
                        : draws.letters(path, FieldDraws.LENGTHS, Utf8::new);
            case ENUM ->
                draws.value(
                        path,
                        schema.getEnumSymbols().stream()
                                .map(symbol -> new GenericData.EnumSymbol(schema, symbol))
                                .toList());
            case FIXED ->
                draws.other(path, random -> {
                    byte[] bytes = new byte[schema.getFixedSize()];
                    random.nextBytes(bytes);
                    return new GenericData.Fixed(schema, bytes);
                });
            case UNION ->
                draws.branch(schema.getTypes().stream()
                        .map(branch -> data(branch, path, draws))
                        .toList());
            case ARRAY -> {
                Drawn element = data(schema.getElementType(), path + ".*", draws);
                yield draws.list(path, FieldDraws.LENGTHS, element, list -> new GenericData.Array<>(schema, list));
            }
            case MAP -> {
                Drawn value = data(schema.getValueType(), path + ".*", draws);
                Drawn key = draws.other(path, random -> new Utf8(FieldDraws.word(random)));
                yield draws.list(path, FieldDraws.LENGTHS, value, values -> {
                    Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
                    values.forEach(each -> map.put(key.next(), each));
                    return map;
                });
            }
            case RECORD -> draws.within(schema.getFullName(), () -> record(schema, path, draws));
        };
    }

    private static Drawn record(Schema schema, String path, FieldDraws draws) {
        List<Drawn> fields = schema.getFields().stream()
                .map(field -> data(field.schema(), FieldDraws.below(path, field.name()), draws))
                .toList();
        return FieldDraws.all(fields, values -> {
            GenericData.Record record = new GenericData.Record(schema);
            for (int i = 0; i < values.size(); i++) {
                record.put(i, values.get(i));
            }
            return record;
        });
    }
}
