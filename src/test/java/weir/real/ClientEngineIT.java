package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.host.ProcessAction;
import weir.load.message.Identity;
import weir.load.message.Payloads;
import weir.load.message.ValueSource;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;

/** The engine of Kafka's client, which keeps the contract and some more promises. */
class ClientEngineIT extends EngineContract {
    @Override
    protected Carried.Engines engines() {
        return Carrier.CLIENT;
    }

    @Test
    @Tag("long")
    void topicThatIsDeletedAndMadeAgainEndsTheLoadWithThatReason() {
        assertTopicMadeAgainEndsTheLoad();
    }

    @ParameterizedTest
    @CsvSource({"classic", "consumer"})
    void aGroupReadsEverything(String protocol) throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 4 } }
                load:
                  { workload: deliver, consumers: 3, rate: 500/s, group: { name: g, protocol: %s } }
                warmup: none
                measure: 1s
                """.formatted(protocol));
        assertOnce(carried.ledger.balance(Steps.MEASURE));
        assertThat(carried.events).anyMatch(event -> event.startsWith("rebalance"));
    }

    @Test
    void aGroupReadsAPartitionThatIsAddedFromItsFirstRecord() throws Exception {
        String topic = "shared" + Long.toHexString(System.nanoTime());
        addedWhile(topic, """
                topics: { %s: {} }
                load:
                  { workload: deliver, rate: 400/s, key: sequence, group: g, producer: { metadata.max.age.ms: 300 },
                    consumer: { metadata.max.age.ms: 300, auto.offset.reset: latest } }
                warmup: none
                measure: 3s
                """.formatted(topic));
    }

    @Test
    void withoutAcksWrittenIsAcked() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: produce, rate: max, producer: { acks: 0 } }
                warmup: none
                measure: { operations: 500 }
                """);
        assertWhole(carried.ledger.balance(Steps.MEASURE), 500);
        assertThat(carried.notes).anyMatch(note -> note.contains("acks=0"));
    }

    @Test
    void recordsTooLargeForTheProducerAreCountedAsFailed() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: produce, rate: max, value: { size: 10KiB }, producer: { max.request.size: 5000 } }
                warmup: none
                measure: { operations: 30 }
                """);
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.FAILED)).isEqualTo(30);
        assertThat(carried.events).anyMatch(event -> event.startsWith("30 failed: RecordTooLarge"));
    }

    @Test
    void aValueArrivesAsItWasMadeAlthoughItsArrayWasUsedAgain() throws Exception {
        String yaml = """
                topics: { t: {} }
                load:
                  workload: produce
                  rate: 2000/s
                  value: { size: 40B..400B, content: letters }
                  producer: { compression.type: lz4, linger.ms: 20, request.timeout.ms: 700, retry.backoff.ms: 50 }
                warmup: none
                measure: 3s
                """;
        Payloads again = Payloads.of(Carried.variant(folder, yaml).load(), folder, 1);
        List<byte[]> arrived = new ArrayList<>();
        Carried carried = Carried.load(
                cluster,
                folder,
                engines(),
                yaml,
                load -> {
                    LockSupport.parkNanos(500_000_000);
                    cluster.act(ProcessAction.PAUSE, 1);
                    LockSupport.parkNanos(1_500_000_000);
                    cluster.act(ProcessAction.RESUME, 1);
                },
                topics -> records(topics.get(0)).forEach(record -> arrived.add(record.value())));
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.FAILED)).isZero();
        assertThat(arrived).hasSizeGreaterThan(3_000);
        // One partition and an idempotent producer: the records are in the order of their creation.
        ValueSource values = again.values().apply(0);
        for (int i = 0; i < arrived.size(); i++) {
            byte[] made = values.next(i).clone();
            System.arraycopy(arrived.get(i), 0, made, 0, Identity.BYTES);
            assertThat(arrived.get(i)).isEqualTo(made);
            assertThat(Identity.sequence(made)).isEqualTo(i);
        }
    }

    /** An interceptor that numbers records in a header. A retried record already has a number. */
    public static final class Stamping implements ProducerInterceptor<byte[], byte[]> {
        private int sent;

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            record.headers().add("stamp", new byte[] {(byte) sent++});
            return record;
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    @Test
    void interceptorSeesEachRecordOnce() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> arrived = new ArrayList<>();
        Carried.load(
                cluster,
                folder,
                engines(),
                """
                topics: { t: {} }
                load:
                  workload: produce
                  rate: max
                  producer: { interceptor.classes: %s }
                warmup: none
                measure: { operations: 200 }
                """.formatted(Stamping.class.getName()),
                load -> {},
                topics -> arrived.addAll(records(topics.get(0))));
        assertThat(arrived)
                .hasSize(200)
                .allSatisfy(record -> assertThat(record.headers())
                        .singleElement()
                        .extracting(stamp -> stamp.value()[0])
                        .isEqualTo((byte) record.offset()));
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
            }
            return records;
        }
    }
}
