package weir.feature.schema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.feature.schema.FieldDraws.Drawn;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.io.Io;
import weir.load.message.SerializedValues;
import weir.load.message.ValueSource;

/**
 * Values in the wire format of Confluent's serializers: a zero byte, the four bytes of the schema's id in the registry,
 * and the serialized data.
 */
final class SchemaValues implements SerializedValues {
    private static final String SCHEMA = "load.value.schema: ";
    private static final String REGISTRY = "load.value.registry: ";
    private static final int MAGIC = 0;
    private static final int ID_END = 1 + Integer.BYTES;
    private static final int SAMPLED = 200;

    /** A schema of one language. */
    interface Schema {
        /** The registry's word for the language. */
        String type();

        /** The schema as the registry stores it. */
        String text();

        /** Composes random data; fails for a type that the language has but Weir does not. */
        Drawn data(FieldDraws draws);

        Serializer serializer();

        /** Creates a reader of data that was written with a schema of the registry. */
        ValueReader reader(String writtenWith);
    }

    /** A serializer of one sender. */
    interface Serializer {
        void write(@Nullable Object data, OutputStream out) throws IOException;
    }

    private interface Language {
        Schema parse(byte[] file) throws IOException;
    }

    private static final Map<String, Language> LANGUAGES = Map.of(
            ".avsc", AvroSchema::parse,
            ".json", JsonSchema::parse,
            ".desc", ProtobufSchema::parse);

    private final Schema schema;
    private final SchemaSpec spec;
    private final List<String> subjects;
    private final Registry registry;
    private int id;

    private SchemaValues(Schema schema, SchemaSpec spec, List<String> topics) {
        this.schema = schema;
        this.spec = spec;
        this.subjects = topics.stream().map(topic -> topic + "-value").toList();
        this.registry = spec.registry().isEmpty() ? new Registry.InMemory() : new Registry.Http(spec.registry());
    }

    static SchemaValues of(SchemaSpec spec, List<String> topics) {
        String name = String.valueOf(spec.schema().getFileName());
        String ending = name.substring(Math.max(0, name.lastIndexOf('.'))).toLowerCase(Locale.ROOT);
        Language language = LANGUAGES.get(ending);
        if (language == null) {
            throw new IllegalArgumentException(SCHEMA + "'" + name + "' has no known ending; Weir reads "
                    + String.join(", ", LANGUAGES.keySet().stream().sorted().toList()));
        }
        Schema schema;
        try {
            schema = language.parse(Files.readAllBytes(spec.schema()));
        } catch (IOException e) {
            // The reader of the experiment says the same.
            throw new UncheckedIOException(SCHEMA + "'" + spec.schema() + "' does not exist, or cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(SCHEMA + "'" + name + "' " + e.getMessage(), e);
        }
        SchemaValues values = new SchemaValues(schema, spec, topics);
        var unused = values.data(0);
        return values;
    }

    private Drawn data(long seed) {
        FieldDraws draws = new FieldDraws(spec.fields(), seed);
        try {
            Drawn data = schema.data(draws);
            draws.checkPaths();
            if (data != FieldDraws.NEVER) {
                return data;
            }
            throw new Unsupported("describes a value that always contains another value of its type; make the inner"
                    + " value optional");
        } catch (Unsupported e) {
            throw new IllegalArgumentException(SCHEMA + "'" + spec.schema().getFileName() + "' " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> unusable() {
        return subjects.stream()
                .map(subject -> registry.refused(subject, schema))
                .flatMap(Optional::stream)
                .map(problem -> REGISTRY + problem)
                .findFirst();
    }

    @Override
    public void register() {
        for (String subject : subjects) {
            id = registry.register(subject, schema);
        }
    }

    @Override
    public ValueSource.Serialized source(long seed) {
        Drawn data = data(seed);
        Serializer serializer = schema.serializer();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] id = ByteBuffer.allocate(Integer.BYTES).putInt(this.id).array();
        return new ValueSource.Serialized() {
            private @Nullable Object drawn;

            @Override
            public void draw() {
                drawn = data.next();
            }

            @Override
            public byte[] serialize() {
                out.reset();
                out.write(MAGIC);
                out.writeBytes(id);
                Io.attempt("serializing a value", () -> serializer.write(drawn, out));
                return out.toByteArray();
            }
        };
    }

    @Override
    public ValueReader reader() {
        Map<Integer, ValueReader> byId = new HashMap<>();
        return value -> {
            if (value.remaining() < ID_END || value.get(value.position()) != MAGIC) {
                throw new IllegalStateException("a value does not begin with a zero byte and the id of a schema");
            }
            int writtenWith = value.getInt(value.position() + 1);
            ByteBuffer data = value.slice(value.position() + ID_END, value.remaining() - ID_END);
            byId.computeIfAbsent(writtenWith, of -> schema.reader(registry.schema(of)))
                    .read(data);
        };
    }

    @Override
    public double meanBytes() {
        ValueSource.Serialized sampled = source(0);
        long bytes = 0;
        for (int i = 0; i < SAMPLED; i++) {
            bytes += sampled.next(i).length;
        }
        return (double) bytes / SAMPLED;
    }
}
