package weir.feature.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.schema.SchemaSpec.FieldHint;

/** Random data of Avro schemas, which Avro's own reader decodes. */
class AvroSchemaTest {
    @TempDir
    Path folder;

    private List<GenericRecord> decoded(List<byte[]> values) throws IOException {
        GenericDatumReader<GenericRecord> reader = new GenericDatumReader<>(new Schema.Parser().parse(Orders.AVRO));
        List<GenericRecord> records = new ArrayList<>();
        for (byte[] value : values) {
            assertThat(ByteBuffer.wrap(value).get()).isZero();
            assertThat(ByteBuffer.wrap(value).getInt(1)).isEqualTo(1);
            BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(value, 5, value.length - 5, null);
            records.add(reader.read(null, decoder));
            assertThat(decoder.isEnd()).isTrue();
        }
        return records;
    }

    private static Object field(GenericRecord record, String path) {
        Object at = record;
        for (String name : path.split("\\.", -1)) {
            at = ((GenericRecord) at).get(name);
        }
        return at;
    }

    private static List<Object> fields(List<GenericRecord> records, String path) {
        return records.stream().map(record -> field(record, path)).toList();
    }

    private static double mean(List<Object> numbers) {
        return numbers.stream()
                .mapToDouble(number -> ((Number) number).doubleValue())
                .average()
                .orElseThrow();
    }

    @Test
    void valuesAreValidAndFollowTheirHints() throws IOException {
        Map<String, FieldHint> hints = Map.of(
                "customer.id", Orders.hint(100, "", ""),
                "customer.name", Orders.hint(50, "", "6..9"),
                "amount", Orders.hint(0, "1..500", ""),
                "count", Orders.hint(0, "-2..2", ""),
                "tags", Orders.hint(0, "", "2..3"),
                "tags.*", Orders.hint(0, "", "4"),
                "stock", Orders.hint(0, "", "1"),
                "stock.*", Orders.hint(2, "7..8", ""),
                "raw", Orders.hint(0, "", "0..1"));
        SchemaValues made = Orders.values(folder, "order.avsc", Orders.AVRO, hints);
        List<GenericRecord> records = decoded(Orders.made(made, 7, 2_000));
        Schema schema = records.get(0).getSchema();
        assertThat(records).allMatch(record -> GenericData.get().validate(schema, record));

        assertThat(Set.copyOf(fields(records, "customer.id"))).hasSize(100);
        assertThat(Set.copyOf(fields(records, "customer.name")))
                .hasSize(50)
                .allSatisfy(name -> assertThat(name.toString()).matches("[a-z]{6,9}"));
        // The standard deviation of a mean of 2,000 even draws from 499 is 3.2.
        assertThat(mean(fields(records, "amount"))).isCloseTo(250.5, within(13.0));
        assertThat(fields(records, "amount"))
                .allSatisfy(amount -> assertThat((double) amount).isBetween(1.0, 500.0));
        assertThat(fields(records, "count").stream().collect(Collectors.groupingBy(x -> x, Collectors.counting())))
                .hasSize(5)
                .allSatisfy((count, times) -> assertThat(times).isBetween(310L, 490L));
        assertThat(fields(records, "status").stream()
                        .collect(Collectors.groupingBy(Object::toString, Collectors.counting())))
                .containsOnlyKeys("NEW", "PAID", "SENT")
                .allSatisfy((status, times) -> assertThat(times).isBetween(560L, 780L));
        assertThat(fields(records, "tags").stream().mapToInt(tags -> ((List<?>) tags).size()))
                .containsOnly(2, 3);
        assertThat(fields(records, "tags"))
                .allSatisfy(tags -> assertThat((List<?>) tags)
                        .allMatch(tag -> tag.toString().matches("[a-z]{4}")));
        assertThat(fields(records, "stock").stream()
                        .flatMap(stock -> ((Map<?, ?>) stock).values().stream())
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.of(7L, 8L));
        assertThat(fields(records, "id"))
                .allSatisfy(id ->
                        assertThat(UUID.fromString(id.toString()).toString()).isEqualTo(id.toString()));
        // Every branch of a union is drawn.
        assertThat(fields(records, "choice").stream().map(Object::getClass).distinct())
                .hasSize(8);
        assertThat(fields(records, "customer.email")).contains((Object) null);
    }

    @Test
    void sameSeedMakesTheSameValuesAndAnotherSeedOthersOfTheSameKeys() throws IOException {
        Map<String, FieldHint> hints = Map.of("customer.id", Orders.hint(20, "", ""), "id", FieldHint.NONE);
        SchemaValues made = Orders.values(folder, "order.avsc", Orders.AVRO, hints);
        List<byte[]> first = Orders.made(made, 1, 400);
        assertThat(Orders.made(made, 1, 400)).containsExactly(first.toArray(byte[][]::new));
        List<byte[]> other = Orders.made(made, 2, 400);
        assertThat(other.get(0)).isNotEqualTo(first.get(0));
        assertThat(Set.copyOf(fields(decoded(other), "customer.id")))
                .isEqualTo(Set.copyOf(fields(decoded(first), "customer.id")));
    }

    @Test
    void recordThatAlwaysContainsItselfIsRefused() {
        String endless = """
                { "type": "record", "name": "A", "fields": [ { "name": "a", "type": "A" } ] }
                """;
        assertThatThrownBy(() -> Orders.values(folder, "a.avsc", endless, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load.value.schema: 'a.avsc' describes a value that always contains another value of its"
                        + " type; make the inner value optional");
    }

    @Test
    void readerAcceptsWhatTheWriterWroteAndNothingElse() {
        SchemaValues made = Orders.values(folder, "order.avsc", Orders.AVRO, Map.of());
        List<byte[]> values = Orders.made(made, 3, 500);
        var reader = made.reader();
        values.forEach(value -> reader.read(ByteBuffer.wrap(value)));
        assertThatThrownBy(() -> reader.read(ByteBuffer.wrap(new byte[] {1, 0, 0, 0, 1, 0})))
                .hasMessageContaining("zero byte");
        byte[] cut = Arrays.copyOf(values.get(0), values.get(0).length / 2);
        assertThatThrownBy(() -> reader.read(ByteBuffer.wrap(cut))).hasMessage("deserializing a value");
    }
}
