import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The loop that people write by hand: two records, both acknowledged, then the next two. BOOTSTRAP WARMUP OPERATIONS. */
final class WriteLoop {
    public static void main(String[] args) throws Exception {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", args[0],
                "acks", "all",
                "enable.idempotence", "false",
                "linger.ms", "0",
                "key.serializer", ByteArraySerializer.class.getName(),
                "value.serializer", ByteArraySerializer.class.getName());
        byte[][] values = new byte[1000][250];
        Random random = new Random(1);
        for (byte[] value : values) {
            for (int i = 0; i < value.length; i++) {
                value[i] = (byte) ('a' + random.nextInt(26));
            }
        }
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties)) {
            carry(producer, values, Integer.parseInt(args[1]));
            int operations = Integer.parseInt(args[2]);
            long nanos = carry(producer, values, operations);
            System.out.printf("%.1f records/s%n", 2e9 * operations / nanos);
            producer.metrics().forEach((name, metric) -> {
                if (name.name().equals("records-per-request-avg")) {
                    System.out.println("records in a request: " + metric.metricValue());
                }
            });
        }
    }

    private static long carry(KafkaProducer<byte[], byte[]> producer, byte[][] values, int operations)
            throws Exception {
        long nanos = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            byte[] value = values[i % values.length];
            Future<RecordMetadata> left = producer.send(new ProducerRecord<>("left", value));
            Future<RecordMetadata> right = producer.send(new ProducerRecord<>("right", value));
            left.get();
            right.get();
        }
        return System.nanoTime() - nanos;
    }
}
