package weir.bridge.kafka;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The records of one request, and whoever hears what became of each. */
public interface Shipment {
    List<ProducerRecord<byte[], byte[]>> records();

    /**
     * Settles one of them, on the thread of the producer or of the {@link Forwarder}.
     *
     * @param metadata null where there is a fault
     */
    void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault);
}
