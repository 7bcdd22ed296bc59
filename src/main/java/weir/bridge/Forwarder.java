package weir.bridge;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Hands records to Kafka's client on a thread of its own: its {@code send} waits where it has no memory or no metadata, and
 * an event loop must not. The queue before it holds no more than the {@link ByteBudget} lets in.
 */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class Forwarder {
    private static final int POLL_MILLIS = 50;

    private final Producer<byte[], byte[]> producer;
    private final GatewayCounters counters;
    private final LinkedBlockingQueue<Exchange> queue = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "weir-gateway-forwarder");
    private volatile boolean closing;

    Forwarder(Producer<byte[], byte[]> producer, GatewayCounters counters) {
        this.producer = producer;
        this.counters = counters;
        thread.setDaemon(true);
        thread.start();
    }

    void forward(Exchange exchange) {
        queue.add(exchange);
    }

    private void run() {
        try {
            while (!closing || !queue.isEmpty()) {
                Exchange next = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    send(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Exchange exchange) {
        List<ProducerRecord<byte[], byte[]>> records = exchange.records();
        for (int i = 0; i < records.size(); i++) {
            int record = i;
            try {
                producer.send(records.get(i), (metadata, fault) -> settle(exchange, record, metadata, fault));
            } catch (RuntimeException refused) {
                settle(exchange, record, null, refused);
            }
        }
    }

    private void settle(Exchange exchange, int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
        counters.settled(fault == null);
        exchange.settle(record, metadata, fault);
    }

    /** Sends what was taken; whatever is not settled then has failed. */
    void close(Duration limit) {
        closing = true;
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(limit);
    }
}
