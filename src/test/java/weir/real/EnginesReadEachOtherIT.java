package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weir.cluster.start.EmbeddedCluster;
import weir.load.Load;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;

/** The engines as each other's readers: each reads what the other writes, to the last record. */
@ExtendWith(SharedKafka.class)
@Timeout(60)
class EnginesReadEachOtherIT {
    @TempDir
    static Path folder;

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start(SharedKafka.Clusters clusters) {
        cluster = clusters.one();
    }

    /** WrittenByWireIT reads the wire engine's records with Kafka's tools, so half of the cases are enough here. */
    static Stream<Arguments> writers() {
        return Stream.of("none", "gzip", "snappy", "lz4", "zstd")
                .flatMap(codec -> Stream.of(
                        Arguments.of("client", codec, true),
                        Arguments.of("client", codec, false),
                        Arguments.of("wire", codec, codec.length() > 3)));
    }

    @ParameterizedTest
    @MethodSource("writers")
    void everyRecordArrivesOnce(String writer, String codec, boolean idempotent) throws Exception {
        Carried.Engines engines = writer.equals("client")
                ? Carrier.both(Carrier.CLIENT, Carrier.WIRE)
                : Carrier.both(Carrier.WIRE, Carrier.CLIENT);
        Carried carried = Carried.load(
                cluster,
                folder,
                engines,
                """
                topics: { t: { partitions: 3 } }
                load:
                  workload: deliver
                  rate: max
                  value: { size: %s, content: letters }
                  producer: { compression.type: %s, enable.idempotence: %s, linger.ms: 3, batch.size: 20000 }
                warmup: none
                measure: { operations: 3000 }
                """.formatted(idempotent ? "10B..600B" : "300B", codec, idempotent),
                load -> {},
                topics -> {});
        EngineContract.assertWhole(carried.ledger.balance(Steps.MEASURE), 3_000);
        assertThat(carried.numbers().received()).isEqualTo(3_000);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.FOREIGN)).isZero();
    }

    @Test
    void wireReaderSkipsAbortedRecords() throws Exception {
        Carried carried = Carried.load(
                cluster, folder, Carrier.WIRE, """
                topics: { torn: {} }
                load:
                  { workload: deliver, rate: 500/s, consumer: { isolation.level: read_committed } }
                warmup: none
                measure: 2s
                """, EnginesReadEachOtherIT::writeTransactions, topics -> {});
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.of(Count.DUE)).isEqualTo(1_000);
        EngineContract.assertOnce(balance);
        assertThat(balance.of(Count.FOREIGN)).isEqualTo(70);
        // Three markers are in the log as well.
        assertThat(carried.endOffsets).isEqualTo(balance.of(Count.SENT) + 70 + 50 + 30 + 3);
    }

    private static void writeTransactions(Load load) {
        LockSupport.parkNanos(500_000_000);
        String topic;
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            topic = admin.listTopics().names().get().stream()
                    .filter(name -> name.endsWith("-torn"))
                    .findFirst()
                    .orElseThrow();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("transactional.id", "somebody");
        try (KafkaProducer<byte[], byte[]> somebody =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            somebody.initTransactions();
            write(somebody, topic, 30);
            somebody.abortTransaction();
            write(somebody, topic, 70);
            somebody.commitTransaction();
            write(somebody, topic, 50);
            somebody.abortTransaction();
        }
    }

    private static void write(KafkaProducer<byte[], byte[]> somebody, String topic, int records) {
        somebody.beginTransaction();
        for (int i = 0; i < records; i++) {
            var unused = somebody.send(new ProducerRecord<>(topic, new byte[50]));
        }
        somebody.flush();
    }
}
