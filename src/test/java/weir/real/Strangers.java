package weir.real;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.load.message.Identity;

/** Other programs that write records of every kind to a topic of a trial, also records that almost look like Weir's. */
final class Strangers {
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    private final Cluster cluster;
    /** The unique end of the topic's name on the cluster. */
    final String topic = "zoo" + Long.toHexString(System.nanoTime());

    private long written;

    Strangers(Cluster cluster) {
        this.cluster = cluster;
    }

    Strangers create() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        return this;
    }

    /** Returns the number of records of the last call, including those of aborted transactions. */
    long written() {
        return written;
    }

    void write() {
        written = 0;
        try {
            String name = name();
            for (String codec : CODECS) {
                write(name, Map.of("compression.type", codec, "linger.ms", 20), "");
            }
            write(name, Map.of("transactional.id", "stranger-" + topic), "commit");
            write(name, Map.of("transactional.id", "stranger-" + topic), "abort");
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("writing as others do", e);
        }
    }

    private String name() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            // A broker learns of a topic a moment after its controller.
            for (int i = 0; ; i++) {
                Optional<String> found = admin.listTopics().names().get().stream()
                        .filter(any -> any.endsWith(topic))
                        .findFirst();
                if (found.isPresent() || i == 100) {
                    return found.orElseThrow();
                }
                Thread.sleep(50);
            }
        }
    }

    private void write(String name, Map<String, Object> more, String end) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.putAll(more);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            if (!end.isEmpty()) {
                producer.initTransactions();
                producer.beginTransaction();
            }
            for (ProducerRecord<byte[], byte[]> record : records(name)) {
                var unused = producer.send(record);
                written++;
            }
            producer.flush();
            if (end.equals("commit")) {
                producer.commitTransaction();
            } else if (end.equals("abort")) {
                producer.abortTransaction();
            }
        }
    }

    private static List<ProducerRecord<byte[], byte[]>> records(String name) {
        byte[] stamp = new byte[100];
        Identity.write(stamp, Carried.RUN_TAG, 0, 1, System.nanoTime());
        byte[] damaged = stamp.clone();
        damaged[15] ^= 3;
        byte[] anotherProducer = stamp.clone();
        anotherProducer[7] ^= 1;
        byte[] beyond = stamp.clone();
        beyond[8] = Byte.MAX_VALUE;
        byte[] late = stamp.clone();
        late[16] ^= 0x40;
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        List<byte @Nullable []> values = Arrays.asList(
                null,
                new byte[0],
                new byte[Identity.BYTES],
                new byte[10_000],
                Arrays.copyOf(stamp, Identity.BYTES - 1),
                damaged,
                anotherProducer,
                beyond,
                late);
        long now = System.currentTimeMillis();
        for (byte[] value : values) {
            all.add(new ProducerRecord<>(name, value));
            all.add(new ProducerRecord<>(name, null, 0L, new byte[0], value));
            all.add(new ProducerRecord<>(name, null, now + 2_000_000, new byte[] {1}, value, headers(stamp)));
        }
        return all;
    }

    /** Two headers of one name, of which the last one counts. Neither contains a whole stamp. */
    private static List<Header> headers(byte[] stamp) {
        return List.of(
                new RecordHeader("", new byte[0]),
                new RecordHeader(Identity.HEADER, Arrays.copyOf(stamp, Identity.BYTES)),
                new RecordHeader("ce_id", new byte[] {-1, 0}),
                new RecordHeader("ce_id", (byte[]) null),
                new RecordHeader(Identity.HEADER, (byte[]) null));
    }
}
