package weir.load.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.load.engine.AckedEnds;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.LoadEvent;
import weir.load.message.Message;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.load.send.Sender;

/**
 * A producer with Kafka's Java client. The client copies key, value and headers before {@code send} returns. So each
 * sender reuses the same few arrays for all its messages.
 */
final class ClientSender implements Sender {
    private final Producer<byte[], byte[]> producer;
    private final boolean intercepted;
    private final List<String> topics;
    private final Duration timeout;
    private final AckedEnds ends;
    private final boolean events;
    private final LongSupplier clock;
    final ClientExplanation.Metrics metrics;

    ClientSender(
            Map<String, Object> properties,
            AbstractConfig parsed,
            List<String> topics,
            AckedEnds ends,
            boolean events,
            LongSupplier clock) {
        this.producer = new KafkaProducer<>(properties);
        this.intercepted = !parsed.getList("interceptor.classes").isEmpty();
        this.topics = topics;
        this.timeout = Duration.ofMillis(parsed.getInt("delivery.timeout.ms"));
        this.ends = ends;
        this.events = events;
        this.clock = clock;
        this.metrics = new ClientExplanation.Metrics(producer::metrics);
        // If not, the first message of each topic would wait for metadata.
        topics.forEach(producer::partitionsFor);
    }

    @Override
    public void carry(Outbox outbox) {
        InFlightMessages flights = new InFlightMessages(outbox.outcomes(), ends, clock);
        Message message = outbox.message();
        RecordFactory records = new RecordFactory(topics, message, intercepted, events);
        for (InFlightMessages.InFlightMessage flight = flights.take();
                outbox.awaitNext(flight.taken);
                flight = flights.take()) {
            flight.bytes = message.bytes();
            try {
                var unused = producer.send(records.next(), flight);
            } catch (RuntimeException refused) {
                flight.onCompletion(null, refused);
            }
            outbox.queued(flight.taken);
            flights.check();
        }
        producer.flush();
        flights.check();
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public void close() {
        metrics.keep();
        producer.close(Duration.ZERO);
    }

    private static final class InFlightMessages {
        private static final int MOST = 1 << 17;

        private final Outcomes outcomes;
        private final AckedEnds ends;
        private final LongSupplier clock;
        private final Thread owner = Thread.currentThread();
        private final AtomicReferenceArray<@Nullable InFlightMessage> landed = new AtomicReferenceArray<>(MOST);
        private int back;
        private int next;
        private @Nullable InFlightMessage refused;
        private volatile @Nullable Exception unfit;

        InFlightMessages(Outcomes outcomes, AckedEnds ends, LongSupplier clock) {
            this.outcomes = outcomes;
            this.ends = ends;
            this.clock = clock;
        }

        InFlightMessage take() {
            InFlightMessage again = refused;
            if (again != null) {
                refused = null;
                return again;
            }
            InFlightMessage flight = landed.getAcquire(next);
            if (flight == null) {
                return new InFlightMessage();
            }
            landed.setRelease(next, null);
            next = (next + 1) & (MOST - 1);
            return flight;
        }

        /** Ends the sender on wrong properties or missing rights, which would affect all other messages too. */
        void check() {
            Exception why = unfit;
            if (why != null) {
                throw ClientRefusals.unfit(why);
            }
        }

        /**
         * A message in flight, reused after its answer to create no garbage. The client calls it back on the client's
         * thread, or on the sender's thread if {@code send} refuses the message.
         */
        private final class InFlightMessage implements Callback {
            final MessageBatch taken = new MessageBatch();
            int bytes;

            @Override
            public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
                if (exception == null && metadata != null) {
                    long now = clock.getAsLong();
                    if (metadata.hasOffset()) {
                        ends.acked(taken.topic, metadata.partition(), metadata.offset());
                        ends.gaps(taken.topic).came(metadata.partition(), taken.sentNanos, now);
                    }
                    outcomes.acked(taken, now, bytes);
                } else {
                    Exception why = Objects.requireNonNull(exception);
                    if (ClientRefusals.refuses(why)) {
                        unfit = why;
                    }
                    if (metadata != null && metadata.partition() >= 0) {
                        ends.gaps(taken.topic).failed(metadata.partition(), taken.sentNanos);
                    }
                    outcomes.failed(taken, why);
                }
                if (Thread.currentThread() == owner) {
                    refused = this;
                } else if (landed.getAcquire(back) == null) {
                    landed.setRelease(back, this);
                    back = (back + 1) & (MOST - 1);
                }
            }
        }
    }

    /**
     * The maker of one sender's records.
     *
     * <p>The client copies the arrays before {@code send} returns. So most messages reuse the arrays and the record
     * object of the previous message, which saves a third of the garbage per send.
     */
    static final class RecordFactory {
        private static final List<Header> NO_HEADERS = List.of();
        private static final ProducerRecord<byte[], byte[]> NONE = new ProducerRecord<>("none", new byte[0]);

        private final List<String> topics;
        private final Message message;
        private final boolean shared;
        private final boolean events;
        private final List<Header> headers;

        private final byte[] id = new byte[LoadEvent.ID_LENGTH];
        private final List<ProducerRecord<byte[], byte[]>> latest;

        /**
         * Creates the maker. {@code shared} is true if other code, such as interceptors, may keep or change the
         * records. {@code events} is true if records are CloudEvents in binary mode.
         */
        RecordFactory(List<String> topics, Message message, boolean shared, boolean events) {
            this.topics = topics;
            this.message = message;
            this.shared = shared;
            this.events = events;
            this.headers = events
                    ? List.of(
                            attribute("specversion", EventAttributes.SPEC_VERSION),
                            new RecordHeader(EventAttributes.KAFKA_PREFIX + "id", id),
                            attribute("source", LoadEvent.SOURCE),
                            attribute("type", LoadEvent.TYPE),
                            new RecordHeader(EventAttributes.CONTENT_TYPE, ascii("application/octet-stream")))
                    : List.of(new RecordHeader(Identity.HEADER, message.identity));
            this.latest = new ArrayList<>(Collections.nCopies(topics.size(), NONE));
        }

        private static Header attribute(String name, String value) {
            return new RecordHeader(EventAttributes.KAFKA_PREFIX + name, ascii(value));
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }

        ProducerRecord<byte[], byte[]> next() {
            if (events) {
                LoadEvent.writeId(message.identified(), id);
            }
            byte @Nullable [] key = message.key == KeySource.NONE ? null : message.key;
            ProducerRecord<byte[], byte[]> before = latest.get(message.topic);
            if (before.value() == message.value && before.key() == key && !shared) {
                return before;
            }
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    topics.get(message.topic),
                    null,
                    null,
                    key,
                    message.value,
                    events || message.header ? headers : NO_HEADERS);
            latest.set(message.topic, record);
            return record;
        }
    }
}
