package weir.feature.schema;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
import weir.feature.schema.FieldDraws.Range;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.io.Io;
import weir.load.message.SerializedValues.ValueReader;

/** An Avro schema, with Avro's generic records as data. */
record AvroSchema(Schema schema) implements SchemaValues.Schema {
    private static final Range INT = Range.of(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final Range LONG = Range.of(-(1L << 62), 1L << 62);
    private static final Range DECIMAL = Range.of(-1_000_000_000_000_000L, 1_000_000_000_000_000L);

    /** The most records of one type within each other. */
    private static final int DEEPEST = 3;

    static AvroSchema parse(byte[] file) {
        try {
            return new AvroSchema(new Schema.Parser().parse(new String(file, StandardCharsets.UTF_8)));
        } catch (AvroRuntimeException e) {
            throw new IllegalArgumentException("is not an Avro schema: " + Unsupported.line(e), e);
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
    public SchemaValues.Writer writer(FieldDraws draws) {
        Supplier<@Nullable Object> data = new Builder(draws)
                .of(schema, "")
                .orElseThrow(() -> new Unsupported(
                        "describes a record that always contains a record of its own type; make the inner one optional"));
        GenericDatumWriter<Object> writer = new GenericDatumWriter<>(schema);
        return new SchemaValues.Writer() {
            private @Nullable Object drawn;
            private @Nullable BinaryEncoder encoder;

            @Override
            public void draw() {
                drawn = data.get();
            }

            @Override
            public void write(OutputStream out) throws IOException {
                encoder = EncoderFactory.get().binaryEncoder(out, encoder);
                writer.write(drawn, encoder);
                encoder.flush();
            }
        };
    }

    @Override
    public ValueReader reader(String writtenWith) {
        Schema written = new Schema.Parser().parse(writtenWith);
        GenericDatumReader<Object> reader = new GenericDatumReader<>(written);
        return new ValueReader() {
            private @Nullable BinaryDecoder decoder;

            @Override
            public void read(ByteBuffer value) {
                int start = value.arrayOffset() + value.position();
                decoder = DecoderFactory.get().binaryDecoder(value.array(), start, value.remaining(), decoder);
                var unused = Io.attempt("deserializing a value", () -> reader.read(null, decoder));
            }
        };
    }

    /** A builder of generators. A type that can only contain itself again has no generator. */
    private static final class Builder {
        private final FieldDraws draws;
        private final Map<String, Integer> depths = new HashMap<>();

        Builder(FieldDraws draws) {
            this.draws = draws;
        }

        Optional<Supplier<@Nullable Object>> of(Schema schema, String path) {
            return switch (schema.getType()) {
                case RECORD -> record(schema, path);
                case UNION -> union(schema, path);
                case ARRAY -> Optional.of(array(schema, path));
                case MAP -> Optional.of(map(schema, path));
                default -> Optional.of(scalar(schema, path));
            };
        }

        private Supplier<@Nullable Object> scalar(Schema schema, String path) {
            return switch (schema.getType()) {
                case INT -> {
                    LongSupplier number = draws.whole(path, INT);
                    yield () -> (int) number.getAsLong();
                }
                case LONG -> draws.whole(path, LONG)::getAsLong;
                case FLOAT -> {
                    DoubleSupplier number = draws.decimal(path, DECIMAL);
                    yield () -> (float) number.getAsDouble();
                }
                case DOUBLE -> draws.decimal(path, DECIMAL)::getAsDouble;
                case BYTES -> {
                    Supplier<byte[]> bytes = draws.bytes(path);
                    yield () -> ByteBuffer.wrap(bytes.get());
                }
                case STRING -> {
                    if (LogicalTypes.uuid().equals(schema.getLogicalType())) {
                        draws.other(path);
                        yield () -> new UUID(draws.random.nextLong(), draws.random.nextLong()).toString();
                    }
                    Supplier<byte[]> text = draws.letters(path);
                    yield () -> new Utf8(text.get());
                }
                default -> {
                    draws.other(path);
                    yield plain(schema);
                }
            };
        }

        private Supplier<@Nullable Object> plain(Schema schema) {
            return switch (schema.getType()) {
                case ENUM -> {
                    List<GenericData.EnumSymbol> symbols = schema.getEnumSymbols().stream()
                            .map(symbol -> new GenericData.EnumSymbol(schema, symbol))
                            .toList();
                    yield () -> symbols.get(draws.random.nextInt(symbols.size()));
                }
                case FIXED -> () -> {
                    byte[] bytes = new byte[schema.getFixedSize()];
                    draws.random.nextBytes(bytes);
                    return new GenericData.Fixed(schema, bytes);
                };
                case BOOLEAN -> draws.random::nextBoolean;
                case NULL -> () -> null;
                default -> throw new AssertionError(schema);
            };
        }

        private Optional<Supplier<@Nullable Object>> record(Schema schema, String path) {
            draws.other(path);
            int depth = depths.merge(schema.getFullName(), 1, Integer::sum);
            List<Supplier<@Nullable Object>> fields = new ArrayList<>();
            if (depth <= DEEPEST) {
                for (Schema.Field field : schema.getFields()) {
                    of(field.schema(), path.isEmpty() ? field.name() : path + "." + field.name())
                            .ifPresent(fields::add);
                }
            }
            depths.put(schema.getFullName(), depth - 1);
            int size = schema.getFields().size();
            return depth > DEEPEST || fields.size() < size
                    ? Optional.empty()
                    : Optional.of(() -> {
                        GenericData.Record record = new GenericData.Record(schema);
                        for (int i = 0; i < size; i++) {
                            record.put(i, fields.get(i).get());
                        }
                        return record;
                    });
        }

        private Optional<Supplier<@Nullable Object>> union(Schema schema, String path) {
            List<Supplier<@Nullable Object>> branches = new ArrayList<>();
            schema.getTypes().forEach(branch -> of(branch, path).ifPresent(branches::add));
            return branches.isEmpty()
                    ? Optional.empty()
                    : Optional.of(() ->
                            branches.get(draws.random.nextInt(branches.size())).get());
        }

        private Supplier<@Nullable Object> array(Schema schema, String path) {
            IntSupplier length = draws.elements(path);
            Optional<Supplier<@Nullable Object>> element = of(schema.getElementType(), path + ".*");
            if (element.isEmpty()) {
                return Collections::emptyList;
            }
            Supplier<@Nullable Object> next = element.get();
            return () -> {
                int size = length.getAsInt();
                GenericData.Array<@Nullable Object> array = new GenericData.Array<>(size, schema);
                for (int i = 0; i < size; i++) {
                    array.add(next.get());
                }
                return array;
            };
        }

        private Supplier<@Nullable Object> map(Schema schema, String path) {
            IntSupplier length = draws.elements(path);
            Optional<Supplier<@Nullable Object>> element = of(schema.getValueType(), path + ".*");
            if (element.isEmpty()) {
                return Collections::emptyMap;
            }
            Supplier<@Nullable Object> next = element.get();
            Supplier<byte[]> key = draws.keys();
            return () -> {
                int size = length.getAsInt();
                Map<Utf8, @Nullable Object> map = new HashMap<>();
                while (map.size() < size) {
                    map.put(new Utf8(key.get()), next.get());
                }
                return map;
            };
        }
    }
}
