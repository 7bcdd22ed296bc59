package weir.feature.schema;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import weir.feature.schema.FieldDraws.Drawn;
import weir.feature.schema.FieldDraws.Range;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.io.Io;
import weir.load.message.SerializedValues.ValueReader;

/**
 * The first message of the last file of a descriptor set, with Protobuf's dynamic messages as data. The registry gets
 * the file as Base64.
 */
record ProtobufSchema(FileDescriptorProto file, Descriptor message) implements SchemaValues.Schema {
    private static final Range UNSIGNED = Range.of(0, Integer.MAX_VALUE);
    private static final Range UNSIGNED_LONG = Range.of(0, 1L << 62);

    /** The files that every registry knows. */
    private static final Map<String, FileDescriptor> KNOWN = Map.of(
            "google/protobuf/timestamp.proto", TimestampProto.getDescriptor(),
            "google/protobuf/duration.proto", DurationProto.getDescriptor(),
            "google/protobuf/wrappers.proto", WrappersProto.getDescriptor());

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
                throw new IllegalArgumentException("imports '" + name
                        + "'; write all messages into one file, or import only "
                        + String.join(", ", KNOWN.keySet().stream().sorted().toList()));
            }
            imports.add(known);
        }
        try {
            FileDescriptor built = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
            return new ProtobufSchema(file, built.getMessageTypes().get(0));
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException("is not a Protobuf schema: " + Unsupported.line(e.getMessage()), e);
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
    public SchemaValues.Serializer serializer() {
        return (data, out) -> {
            out.write(FIRST_MESSAGE);
            ((DynamicMessage) Objects.requireNonNull(data)).writeTo(out);
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

    @Override
    public Drawn data(FieldDraws draws) {
        return message(message, "", draws);
    }

    private static Drawn message(Descriptor type, String path, FieldDraws draws) {
        return draws.within(type.getFullName(), () -> {
            List<Drawn> parts = new ArrayList<>();
            for (FieldDescriptor field : type.getFields()) {
                if (field.getRealContainingOneof() == null) {
                    parts.add(part(field, path, draws));
                }
            }
            for (OneofDescriptor choice : type.getRealOneofs()) {
                parts.add(draws.branch(choice.getFields().stream()
                        .map(field -> part(field, path, draws))
                        .toList()));
            }
            // Only proto2 has required fields.
            if (type.getFields().stream().noneMatch(FieldDescriptor::isRequired)) {
                parts.removeIf(part -> part == FieldDraws.NEVER);
            }
            return FieldDraws.all(parts, values -> {
                DynamicMessage.Builder into = DynamicMessage.newBuilder(type);
                for (Object each : values) {
                    FieldValue value = (FieldValue) Objects.requireNonNull(each);
                    into.setField(value.field, value.value);
                }
                return into.build();
            });
        });
    }

    private record FieldValue(FieldDescriptor field, Object value) {}

    private static Drawn part(FieldDescriptor field, String above, FieldDraws draws) {
        boolean ofMap = field.getContainingType().getOptions().getMapEntry() && field.getNumber() == 2;
        String path = ofMap ? above : FieldDraws.below(above, field.getName());
        Drawn value = value(field, field.isRepeated() ? path + ".*" : path, draws);
        if (field.isRepeated()) {
            return draws.list(path, FieldDraws.LENGTHS, value, values -> new FieldValue(field, values));
        }
        return FieldDraws.all(List.of(value), values -> new FieldValue(field, Objects.requireNonNull(values.get(0))));
    }

    private static Drawn value(FieldDescriptor field, String path, FieldDraws draws) {
        boolean unsigned = field.getType().name().matches("(UINT|FIXED)(32|64)");
        return switch (field.getJavaType()) {
            case INT -> draws.whole(path, unsigned ? UNSIGNED : FieldDraws.INT, number -> (int) number);
            case LONG -> draws.whole(path, unsigned ? UNSIGNED_LONG : FieldDraws.LONG, number -> number);
            case FLOAT -> draws.decimal(path, FieldDraws.DECIMAL, number -> (float) number);
            case DOUBLE -> draws.decimal(path, FieldDraws.DECIMAL, number -> number);
            case STRING ->
                draws.letters(path, FieldDraws.LENGTHS, text -> new String(text, StandardCharsets.ISO_8859_1));
            case BYTE_STRING -> draws.bytes(path, ByteString::copyFrom);
            case BOOLEAN -> draws.other(path, SplittableRandom::nextBoolean);
            case ENUM -> draws.value(path, field.getEnumType().getValues());
            case MESSAGE -> message(field.getMessageType(), path, draws);
        };
    }
}
