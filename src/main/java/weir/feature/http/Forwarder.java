package weir.feature.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * The thread that passes records to Kafka's client ({@link #producer}), whose {@code send} returns at once. If the
 * client does not accept a record, this record and later records of its topic wait here. Each record waits for at
 * most {@code max.block.ms}.
 */
// The callback receives the outcome of each record.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Forwarder {
    private static final int POLL_MILLIS = 50;
    /** The pause between two attempts, below the client's 100 ms between two metadata requests. */
    private static final int AGAIN_MILLIS = 10;
    /** Default of {@code max.block.ms} in Kafka's producer. */
    private static final long MAX_BLOCK_MILLIS = 60_000;

    private final Producer<byte[], byte[]> producer;
    private final Duration timeout;
    private final LinkedBlockingQueue<Shipment> queue = new LinkedBlockingQueue<>();
    /** Shipments that wait for the client, by topic, in order. Belongs to the thread. */
    private final Map<String, ArrayDeque<RetriedShipment>> held = new HashMap<>();

    private final Thread thread;
    private @Nullable TimeoutException refusal;

    private volatile boolean closing;

    /** A record that the client did not accept within its limit, which may be short. The brokers may be up. */
    private static final class NotTaken extends RetriableException {
        private static final long serialVersionUID = 1;

        private NotTaken(String message) {
            super(message);
        }
    }

    private static final class RetriedShipment {
        private final Shipment shipment;
        private final TimeLimit limit;
        private int from;

        private RetriedShipment(Shipment shipment, int from, TimeLimit limit) {
            this.shipment = shipment;
            this.from = from;
            this.limit = limit;
        }

        private boolean sent() {
            return from == shipment.records().size();
        }
    }

    /** @param properties whose {@code max.block.ms} is the maximum wait of a record that the client does not accept */
    public Forwarder(Producer<byte[], byte[]> producer, SortedMap<String, String> properties, String name) {
        this.producer = producer;
        this.timeout = Duration.ofMillis(number(properties, ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS));
        this.thread = DaemonThreads.of(name, this::run);
        thread.start();
    }

    /** Returns a producer that waits for nothing in {@code send}. */
    public static Producer<byte[], byte[]> producer(SortedMap<String, String> properties) {
        SortedMap<String, Object> client = new TreeMap<>(properties);
        client.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
        ByteArraySerializer bytes = new ByteArraySerializer();
        return new KafkaProducer<>(client, bytes, bytes);
    }

    static long number(SortedMap<String, String> properties, String name, long otherwise) {
        String text = properties.get(name);
        return text == null ? otherwise : Long.parseLong(text.strip());
    }

    Duration timeout() {
        return timeout;
    }

    public void forward(Shipment shipment) {
        queue.add(shipment);
    }

    private void run() {
        try {
            TimeLimit rest = MachineClock.within(Duration.ZERO);
            while (!closing || !queue.isEmpty() || !held.isEmpty()) {
                Shipment next = queue.poll(held.isEmpty() ? POLL_MILLIS : AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    take(next);
                }
                if (!held.isEmpty() && (closing || rest.passed())) {
                    held.entrySet().removeIf(topic -> sent(topic.getKey(), topic.getValue()));
                    rest = MachineClock.within(Duration.ofMillis(AGAIN_MILLIS));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(Shipment shipment) {
        ArrayDeque<RetriedShipment> before =
                held.isEmpty() ? null : held.get(shipment.records().get(0).topic());
        int sent = before == null ? send(shipment, 0) : 0;
        if (sent < shipment.records().size()) {
            held.computeIfAbsent(shipment.records().get(0).topic(), topic -> new ArrayDeque<>())
                    .add(new RetriedShipment(shipment, sent, MachineClock.within(timeout)));
        }
    }

    private boolean sent(String topic, ArrayDeque<RetriedShipment> waiting) {
        boolean known = known(topic);
        Iterator<RetriedShipment> each = waiting.iterator();
        while (each.hasNext()) {
            RetriedShipment first = each.next();
            first.from = known ? send(first.shipment, first.from) : first.from;
            boolean late = closing || first.limit.passed();
            if (!first.sent() && !late) {
                return false;
            }
            for (; !first.sent(); first.from++) {
                first.shipment.settle(first.from, null, late());
            }
            each.remove();
        }
        return true;
    }

    private RetriableException late() {
        String why = closing
                ? "this server is stopping"
                : "the brokers did not accept the record within " + timeout.toMillis() + " ms";
        String whole = refusal == null ? why : why + ": " + refusal.getMessage();
        return refusal instanceof BufferExhaustedException ? new BufferExhaustedException(whole) : new NotTaken(whole);
    }

    private boolean known(String topic) {
        try {
            producer.partitionsFor(topic);
            return true;
        } catch (TimeoutException notYet) {
            refusal = notYet;
            return false;
        } catch (RuntimeException fault) {
            // The next call of send fails, too.
            return true;
        }
    }

    private int send(Shipment shipment, int from) {
        List<ProducerRecord<byte[], byte[]>> records = shipment.records();
        for (int i = from; i < records.size(); i++) {
            int record = i;
            refusal = null;
            try {
                producer.send(records.get(i), (metadata, fault) -> settle(shipment, record, metadata, fault));
            } catch (RuntimeException fault) {
                settle(shipment, record, null, fault);
            }
            if (refusal != null) {
                return i;
            }
        }
        return records.size();
    }

    /** Settles a record. A timeout of {@code send} itself means that the client did not accept the record. */
    private void settle(Shipment shipment, int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
        if (fault instanceof TimeoutException notTaken && Thread.currentThread() == thread) {
            refusal = notTaken;
        } else {
            shipment.settle(record, metadata, fault);
        }
    }

    public void close(Duration limit) {
        TimeLimit end = MachineClock.within(limit);
        closing = true;
        DaemonThreads.join(thread, Math.max(1, end.left().toMillis()));
        producer.close(end.left());
    }

    /** Returns the HTTP status for the outcome of a record; {@code fault} is an exception of the producer. */
    public static HttpResponseStatus status(@Nullable Throwable fault) {
        if (fault == null) {
            return HttpResponseStatus.OK;
        }
        if (fault instanceof RecordTooLargeException) {
            return HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
        }
        if (fault instanceof AuthorizationException) {
            return HttpResponseStatus.FORBIDDEN;
        }
        if (fault instanceof InvalidTopicException || fault instanceof UnknownTopicOrPartitionException) {
            return HttpResponseStatus.NOT_FOUND;
        }
        if (fault instanceof IllegalArgumentException) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        // A closed producer fails open records with a plain KafkaException.
        boolean unsettled = fault instanceof RetriableException || fault.getClass() == KafkaException.class;
        return unsettled ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.INTERNAL_SERVER_ERROR;
    }

    public interface Shipment {
        List<ProducerRecord<byte[], byte[]>> records();

        /** Settles one record, on the thread of the producer or of the {@link Forwarder}. A fault has no metadata. */
        void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault);
    }
}
