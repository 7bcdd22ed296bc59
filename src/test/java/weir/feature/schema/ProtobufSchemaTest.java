package weir.feature.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TimestampProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random messages of a descriptor set, which Protobuf decodes. */
class ProtobufSchemaTest {
    private static final FileDescriptorProto ORDER = FileDescriptorProto.newBuilder()
            .setName("order.proto")
            .setPackage("shop")
            .setSyntax("proto3")
            .addDependency("google/protobuf/timestamp.proto")
            .addMessageType(DescriptorProto.newBuilder()
                    .setName("Order")
                    .addField(field("id", 1, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(field("amount", 2, FieldDescriptorProto.Type.TYPE_DOUBLE))
                    .addField(field("name", 3, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("raw", 4, FieldDescriptorProto.Type.TYPE_BYTES))
                    .addField(field("gift", 5, FieldDescriptorProto.Type.TYPE_BOOL))
                    .addField(field("status", 6, FieldDescriptorProto.Type.TYPE_ENUM)
                            .setTypeName(".shop.Status"))
                    .addField(field("tags", 7, FieldDescriptorProto.Type.TYPE_SINT32)
                            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
                    .addField(field("at", 8, FieldDescriptorProto.Type.TYPE_MESSAGE)
                            .setTypeName(".google.protobuf.Timestamp"))
                    .addField(field("parent", 9, FieldDescriptorProto.Type.TYPE_MESSAGE)
                            .setTypeName(".shop.Order"))
                    .addField(field("card", 10, FieldDescriptorProto.Type.TYPE_FIXED32)
                            .setOneofIndex(0))
                    .addField(field("cash", 11, FieldDescriptorProto.Type.TYPE_FLOAT)
                            .setOneofIndex(0))
                    .addField(field("stock", 12, FieldDescriptorProto.Type.TYPE_MESSAGE)
                            .setTypeName(".shop.Order.StockEntry")
                            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
                    .addOneofDecl(OneofDescriptorProto.newBuilder().setName("payment"))
                    .addNestedType(DescriptorProto.newBuilder()
                            .setName("StockEntry")
                            .addField(field("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
                            .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_INT32))
                            .setOptions(MessageOptions.newBuilder().setMapEntry(true))))
            .addEnumType(EnumDescriptorProto.newBuilder()
                    .setName("Status")
                    .addValue(
                            EnumValueDescriptorProto.newBuilder().setName("NEW").setNumber(0))
                    .addValue(EnumValueDescriptorProto.newBuilder()
                            .setName("PAID")
                            .setNumber(1)))
            .build();

    @TempDir
    Path folder;

    private static FieldDescriptorProto.Builder field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    }

    static byte[] set() {
        return FileDescriptorSet.newBuilder().addFile(ORDER).build().toByteArray();
    }

    private static Descriptor order() {
        try {
            return FileDescriptor.buildFrom(ORDER, new FileDescriptor[] {TimestampProto.getDescriptor()})
                    .findMessageTypeByName("Order");
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The amount of an order after the byte for the first message. */
    static double amount(byte[] data) throws IOException {
        assertThat(data[0]).isZero();
        Descriptor type = order();
        DynamicMessage order = DynamicMessage.parseFrom(type, Arrays.copyOfRange(data, 1, data.length));
        assertThat(order.getUnknownFields().asMap()).isEmpty();
        return (double) order.getField(type.findFieldByName("amount"));
    }

    private SchemaValues values(FileDescriptorProto file, Map<String, SchemaSpec.FieldHint> hints) throws Exception {
        Path set = Files.write(
                folder.resolve("order.desc"),
                FileDescriptorSet.newBuilder().addFile(file).build().toByteArray());
        return SchemaValues.of(new SchemaSpec(set, "", new TreeMap<>(hints)), List.of("orders"));
    }

    @Test
    void valuesAreMessagesThatFollowTheirHints() throws Exception {
        SchemaValues made = values(
                ORDER,
                Map.of(
                        "id", Orders.hint(40, "", ""),
                        "amount", Orders.hint(0, "-10..10", ""),
                        "tags", Orders.hint(0, "", "2"),
                        "tags.*", Orders.hint(0, "-1..1", ""),
                        "stock", Orders.hint(0, "", "1"),
                        "stock.*", Orders.hint(0, "5..6", "")));
        Descriptor order = order();
        Set<Object> ids = new HashSet<>();
        List<Double> amounts = new ArrayList<>();
        Set<String> payments = new HashSet<>();
        var reader = made.reader();
        for (byte[] value : Orders.made(made, 9, 1_000)) {
            reader.read(ByteBuffer.wrap(value));
            // The magic byte, the id, and the short form of the indexes of the first message.
            assertThat(value).startsWith(0, 0, 0, 0, 1, 0);
            DynamicMessage message = DynamicMessage.parseFrom(order, Arrays.copyOfRange(value, 6, value.length));
            assertThat(message.getUnknownFields().asMap()).isEmpty();
            ids.add(message.getField(order.findFieldByName("id")));
            amounts.add((Double) message.getField(order.findFieldByName("amount")));
            payments.add(
                    message.getOneofFieldDescriptor(order.getOneofs().get(0)).getName());
            assertThat((Collection<?>) message.getField(order.findFieldByName("tags")))
                    .hasSize(2)
                    .allMatch(tag -> Math.abs((int) tag) <= 1);
            assertThat(message.hasField(order.findFieldByName("at"))).isTrue();
        }
        assertThat(ids).hasSize(40);
        assertThat(amounts.stream().mapToDouble(amount -> amount).average().orElseThrow())
                .isCloseTo(0, within(0.9));
        assertThat(payments).containsExactlyInAnyOrder("card", "cash");
    }

    @Test
    void registryGetsTheFileAsBase64() throws Exception {
        ProtobufSchema schema = ProtobufSchema.parse(set());
        assertThat(FileDescriptorProto.parseFrom(Base64.getDecoder().decode(schema.text())))
                .isEqualTo(ORDER);
    }

    @Test
    void anImportThatNoRegistryKnowsIsRefused() {
        FileDescriptorProto importing =
                ORDER.toBuilder().addDependency("shop/item.proto").build();
        assertThatThrownBy(() -> values(importing, Map.of()))
                .hasMessageStartingWith("load.value.schema: 'order.desc' imports 'shop/item.proto'; write all messages"
                        + " into one file");
    }
}
