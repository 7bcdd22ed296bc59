package weir.feature.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.start.EmbeddedCluster;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.real.Carried;
import weir.real.Carrier;
import weir.real.SharedKafka;

/** Values with a schema on a real broker. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class SchemaValuesIT {
    private static final int RECORDS = 1_500;

    @TempDir
    Path folder;

    private final EmbeddedCluster cluster;

    SchemaValuesIT(SharedKafka.Clusters clusters) {
        cluster = clusters.one();
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic, int partitions) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("auto.offset.reset", "earliest");
        List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                all.add(new TopicPartition(topic, i));
            }
            consumer.assign(all);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (read.size() < RECORDS && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
        }
        return read;
    }

    /** The application's own decoder of a value without its first five bytes; returns the amount. */
    private static double amount(String schema, byte[] data) throws IOException {
        return switch (schema) {
            case "order.avsc" -> {
                GenericDatumReader<GenericRecord> avro =
                        new GenericDatumReader<>(new Schema.Parser().parse(Orders.AVRO));
                yield (double) avro.read(null, DecoderFactory.get().binaryDecoder(data, null))
                        .get("amount");
            }
            case "order.json" -> new ObjectMapper().readTree(data).get("amount").asDouble();
            default -> ProtobufSchemaTest.amount(data);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"order.avsc", "order.json", "order.desc"})
    void topicHasRecordsThatApplicationsDecodeAndEachStageHasOneSamplePerRecord(String schema) throws Exception {
        Files.writeString(folder.resolve("order.avsc"), Orders.AVRO);
        Files.writeString(folder.resolve("order.json"), JsonSchemaTest.ORDER);
        Files.write(folder.resolve("order.desc"), ProtobufSchemaTest.set());
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        Carried carried = Carried.load(
                cluster,
                folder,
                Carrier.CLIENT,
                """
                topics: { orders: { partitions: 2 } }
                load:
                  workload: deliver
                  rate: 500/s
                  value: { schema: %s, fields: { amount: { between: 1..499 } } }
                warmup: none
                measure: { operations: 1500 }
                """.formatted(schema),
                load -> {},
                topics -> records.addAll(read(topics.get(0), 2)));

        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.LOST)).isZero();
        assertThat(balance.of(Count.ACKED)).isEqualTo(RECORDS);
        Numbers numbers = carried.numbers();
        assertThat(numbers.latency(LatencyKind.SERIALIZE).count()).isEqualTo(RECORDS);
        assertThat(numbers.latency(LatencyKind.DESERIALIZE).count()).isEqualTo(RECORDS);
        assertThat(numbers.latency(LatencyKind.SERIALIZE).meanMillis())
                .isPositive()
                .isLessThan(numbers.latency(LatencyKind.BLOCKED).meanMillis());
        assertThat(numbers.latency(LatencyKind.DESERIALIZE).meanMillis())
                .isPositive()
                .isLessThan(numbers.latency(LatencyKind.E2E).meanMillis());

        assertThat(records).hasSize(RECORDS);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            assertThat(record.value()).startsWith(0, 0, 0, 0, 1);
            assertThat(amount(schema, Arrays.copyOfRange(record.value(), 5, record.value().length)))
                    .isBetween(1.0, 499.0);
        }
    }

    @Test
    void readersOfABacklogDeserializeEachRecordOnce() throws Exception {
        Files.writeString(folder.resolve("order.avsc"), Orders.AVRO);
        Carried carried = Carried.load(cluster, folder, Carrier.CLIENT, """
                topics: { t: {} }
                load: { workload: consume, backlog: 1k records, rate: max, value: { schema: order.avsc } }
                warmup: none
                measure: { operations: 1000 }
                """, load -> {}, topics -> {});
        assertThat(carried.numbers().received()).isEqualTo(1_000);
        assertThat(carried.numbers().latency(LatencyKind.DESERIALIZE).count()).isEqualTo(1_000);
    }

    @Test
    void eachRecordOfATransactionIsSerialized() throws Exception {
        Files.writeString(folder.resolve("order.avsc"), Orders.AVRO);
        Carried carried = Carried.load(cluster, folder, Carrier.CLIENT, """
                topics: { t: {} }
                load: { rate: 100/s, transaction: { records: 5 }, value: { schema: order.avsc } }
                warmup: none
                measure: { operations: 100 }
                """, load -> {}, topics -> {});
        assertThat(carried.ledger.balance(Steps.MEASURE).balances()).isTrue();
        assertThat(carried.numbers().latency(LatencyKind.SERIALIZE).count())
                .isEqualTo(carried.ledger.balance(Steps.MEASURE).of(Count.ACKED))
                .isEqualTo(100);
    }
}
