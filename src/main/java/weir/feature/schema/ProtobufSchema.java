package weir.feature.schema;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weir.feature.schema.FieldDraws.Range;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.io.Io;
import weir.load.message.SerializedValues.ValueReader;

/**
 * The first message of the last file of a descriptor set, with Protobuf's dynamic messages as data. The registry gets
 * the file as Base64.
 */
record ProtobufSchema(FileDescriptorProto file, Descriptor message) implements SchemaValues.Schema {
    private static final Range INT = Range.of(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final Range UNSIGNED = Range.of(0, Integer.MAX_VALUE);
    private static final Range LONG = Range.of(-(1L << 62), 1L << 62);
    private static final Range UNSIGNED_LONG = Range.of(0, 1L << 62);
    private static final Range DECIMAL = Range.of(-1_000_000_000_000_000L, 1_000_000_000_000_000L);

    /** The files that every registry knows. */
    private static final Map<String, FileDescriptor> KNOWN = Map.of(
            "google/protobuf/timestamp.proto", TimestampProto.getDescriptor(),
            "google/protobuf/duration.proto", DurationProto.getDescriptor(),
            "google/protobuf/wrappers.proto", WrappersProto.getDescriptor());

    /** The most messages of one type within each other. */
    private static final int DEEPEST = 3;

    /** The indexes of the first message, in the short form. */
    private static final int FIRST_MESSAGE = 0;

    static ProtobufSchema parse(byte[] set) {
        try {
            List<FileDescriptorProto> files = FileDescriptorSet.parseFrom(set).getFileList();
            if (files.isEmpty() || files.get(files.size() - 1).getMessageTypeCount() == 0) {
                throw new IllegalArgumentException("is not a descriptor set with a message; make it with protoc"
                        + " --include_imports --descriptor_set_out");
            }
            return of(files.get(files.size() - 1));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "is not a descriptor set; make it with protoc --include_imports --descriptor_set_out", e);
        }
    }

    private static ProtobufSchema of(FileDescriptorProto file) {
        List<FileDescriptor> imports = new ArrayList<>();
        for (String name : file.getDependencyList()) {
            FileDescriptor known = KNOWN.get(name);
            if (known == null) {
                throw new IllegalArgumentException(
                        "imports '" + name + "'; write all messages into one file, or import only "
                                + String.join(", ", KNOWN.keySet().stream().sorted().toList()));
            }
            imports.add(known);
        }
        try {
            FileDescriptor built = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
            return new ProtobufSchema(file, built.getMessageTypes().get(0));
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException("is not a Protobuf schema: " + Unsupported.line(e), e);
        }
    }

    @Override
    public String type() {
        return "PROTOBUF";
    }

    @Override
    public String text() {
        return Base64.getEncoder().encodeToString(file.toByteArray());
    }

    @Override
    public SchemaValues.Writer writer(FieldDraws draws) {
        Supplier<DynamicMessage> data = new Builder(draws)
                .message(message, "")
                .orElseThrow(() -> new Unsupported("describes a message that always contains a message of its own"
                        + " type; make the inner one optional"));
        return new SchemaValues.Writer() {
            private DynamicMessage drawn = DynamicMessage.getDefaultInstance(message);

            @Override
            public void draw() {
                drawn = data.get();
            }

            @Override
            public void write(OutputStream out) throws IOException {
                out.write(FIRST_MESSAGE);
                drawn.writeTo(out);
            }
        };
    }

    @Override
    public ValueReader reader(String writtenWith) {
        // Applications decode with their own classes. A registry may answer with another form of the schema.
        return value -> {
            if (value.get() != FIRST_MESSAGE) {
                throw new IllegalStateException("a value has another message than the first of its schema");
            }
            CodedInputStream in = CodedInputStream.newInstance(value);
            var unused = Io.attempt("deserializing a value", () -> DynamicMessage.parseFrom(message, in));
        };
    }

    /** A builder of generators. A message that always contains itself has no generator. */
    private static final class Builder {
        private final FieldDraws draws;
        private final Map<String, Integer> depths = new HashMap<>();

        Builder(FieldDraws draws) {
            this.draws = draws;
        }

        Optional<Supplier<DynamicMessage>> message(Descriptor type, String path) {
            draws.other(path);
            int depth = depths.merge(type.getFullName(), 1, Integer::sum);
            List<Consumer<DynamicMessage.Builder>> setters = new ArrayList<>();
            boolean whole = depth <= DEEPEST;
            if (whole) {
                for (FieldDescriptor field : type.getFields()) {
                    if (field.getRealContainingOneof() == null) {
                        Optional<Consumer<DynamicMessage.Builder>> setter = setter(field, path);
                        setter.ifPresent(setters::add);
                        whole &= setter.isPresent() || !field.isRequired();
                    }
                }
                for (OneofDescriptor choice : type.getRealOneofs()) {
                    List<Consumer<DynamicMessage.Builder>> branches = choice.getFields().stream()
                            .flatMap(field -> setter(field, path).stream())
                            .toList();
                    if (!branches.isEmpty()) {
                        setters.add(into -> branches.get(draws.random.nextInt(branches.size()))
                                .accept(into));
                    }
                }
            }
            depths.put(type.getFullName(), depth - 1);
            return whole
                    ? Optional.of(() -> {
                        DynamicMessage.Builder into = DynamicMessage.newBuilder(type);
                        setters.forEach(setter -> setter.accept(into));
                        return into.build();
                    })
                    : Optional.empty();
        }

        private Optional<Consumer<DynamicMessage.Builder>> setter(FieldDescriptor field, String above) {
            String path = above.isEmpty() ? field.getName() : above + "." + field.getName();
            if (!field.isRepeated()) {
                return of(field, path).map(value -> into -> into.setField(field, value.get()));
            }
            IntSupplier length = draws.elements(path);
            return (field.isMapField() ? entry(field.getMessageType(), path) : of(field, path + ".*"))
                    .map(value -> into -> {
                        for (int rest = length.getAsInt(); rest > 0; rest--) {
                            into.addRepeatedField(field, value.get());
                        }
                    });
        }

        private Optional<Supplier<Object>> entry(Descriptor type, String path) {
            FieldDescriptor key = type.findFieldByNumber(1);
            FieldDescriptor value = type.findFieldByNumber(2);
            Supplier<Object> keys = of(key, path + ".key").orElseThrow();
            return of(value, path + ".*").map(values -> () -> DynamicMessage.newBuilder(type)
                    .setField(key, keys.get())
                    .setField(value, values.get())
                    .build());
        }

        private Optional<Supplier<Object>> of(FieldDescriptor field, String path) {
            return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    ? message(field.getMessageType(), path).map(message -> message::get)
                    : Optional.of(scalar(field, path));
        }

        private Supplier<Object> scalar(FieldDescriptor field, String path) {
            boolean unsigned = Stream.of("UINT32", "FIXED32", "UINT64", "FIXED64")
                    .anyMatch(field.getType().name()::equals);
            return switch (field.getJavaType()) {
                case INT -> {
                    LongSupplier number = draws.whole(path, unsigned ? UNSIGNED : INT);
                    yield () -> (int) number.getAsLong();
                }
                case LONG -> draws.whole(path, unsigned ? UNSIGNED_LONG : LONG)::getAsLong;
                case FLOAT -> {
                    DoubleSupplier number = draws.decimal(path, DECIMAL);
                    yield () -> (float) number.getAsDouble();
                }
                case DOUBLE -> draws.decimal(path, DECIMAL)::getAsDouble;
                case STRING -> {
                    Supplier<byte[]> text = draws.letters(path);
                    yield () -> new String(text.get(), StandardCharsets.ISO_8859_1);
                }
                case BYTE_STRING -> {
                    Supplier<byte[]> bytes = draws.bytes(path);
                    yield () -> ByteString.copyFrom(bytes.get());
                }
                case BOOLEAN -> {
                    draws.other(path);
                    yield draws.random::nextBoolean;
                }
                case ENUM -> {
                    draws.other(path);
                    List<EnumValueDescriptor> values = field.getEnumType().getValues();
                    yield () -> values.get(draws.random.nextInt(values.size()));
                }
                case MESSAGE -> throw new AssertionError(field);
            };
        }
    }
}
