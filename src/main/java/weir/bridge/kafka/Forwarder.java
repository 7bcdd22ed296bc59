package weir.bridge.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Hands records to Kafka's client on a thread of its own: its {@code send} waits where it has no memory or no metadata, and
 * an event loop must not. The queue before it holds no more than a budget of bytes lets in.
 */
// What becomes of a record is heard by its callback.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Forwarder {
    private static final int POLL_MILLIS = 50;

    private final Producer<byte[], byte[]> producer;
    private final LinkedBlockingQueue<Shipment> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closing;

    /** {@code name}: of its thread. */
    public Forwarder(Producer<byte[], byte[]> producer, String name) {
        this.producer = producer;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    public void forward(Shipment shipment) {
        queue.add(shipment);
    }

    private void run() {
        try {
            while (!closing || !queue.isEmpty()) {
                Shipment next = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    send(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Shipment shipment) {
        List<ProducerRecord<byte[], byte[]>> records = shipment.records();
        for (int i = 0; i < records.size(); i++) {
            int record = i;
            try {
                producer.send(records.get(i), (metadata, fault) -> shipment.settle(record, metadata, fault));
            } catch (RuntimeException refused) {
                shipment.settle(record, null, refused);
            }
        }
    }

    /** Sends what was taken; whatever is not settled then has failed. */
    public void close(Duration limit) {
        closing = true;
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(limit);
    }
}
