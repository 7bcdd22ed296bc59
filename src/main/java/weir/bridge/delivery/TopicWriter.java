package weir.bridge.delivery;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import weir.bridge.http.Answers;
import weir.bridge.http.ByteBudget;
import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.bridge.http.ServerCounters;
import weir.bridge.kafka.Forwarder;
import weir.bridge.kafka.Shipment;
import weir.http.Refusal;

/** The writing half of a channel in Kafka: answers when the brokers have acknowledged. */
final class TopicWriter implements EventUse, AutoCloseable {
    private static final Duration LAST = Duration.ofSeconds(1);

    private final String topic;
    private final Forwarder forwarder;
    private final ByteBudget budget;
    private final ServerCounters server;
    private final RungFigures figures;
    private final AckTimes acks;
    private final LongSupplier clock;

    TopicWriter(
            String topic,
            Producer<byte[], byte[]> producer,
            Duration patience,
            ByteBudget budget,
            ServerCounters server,
            RungFigures figures,
            AckTimes acks,
            LongSupplier clock) {
        this.topic = topic;
        this.forwarder = new Forwarder(producer, patience, "weir-rung-writer");
        this.budget = budget;
        this.server = server;
        this.figures = figures;
        this.acks = acks;
        this.clock = clock;
    }

    @Override
    public void take(EventReader reader, byte[] data, RequestBody body, Reply reply, long inNanos) {
        long due = reader.due();
        ProducerRecord<byte[], byte[]> record = EventRecords.write(topic, reader.attributes(), data);
        forwarder.forward(new Written(List.of(record), body, reply, due, inNanos, clock.getAsLong()));
    }

    /** An event on its way to the brokers. */
    private final class Written implements Shipment {
        private final List<ProducerRecord<byte[], byte[]>> records;
        private final RequestBody body;
        private final Reply reply;
        private final long dueNanos;
        private final long inNanos;
        private final long handedNanos;

        Written(
                List<ProducerRecord<byte[], byte[]>> records,
                RequestBody body,
                Reply reply,
                long dueNanos,
                long inNanos,
                long handedNanos) {
            this.records = records;
            this.body = body;
            this.reply = reply;
            this.dueNanos = dueNanos;
            this.inNanos = inNanos;
            this.handedNanos = handedNanos;
        }

        @Override
        public List<ProducerRecord<byte[], byte[]>> records() {
            return records;
        }

        @Override
        public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
            budget.giveBack(body.length());
            if (fault == null) {
                acked(metadata);
                reply.answer(Answers.queued());
            } else {
                reply.answer(refused(fault));
            }
        }

        private void acked(@Nullable RecordMetadata metadata) {
            long now = clock.getAsLong();
            figures.count(RungFigures.Fact.ACCEPTED);
            figures.age(RungFigures.Checkpoint.IN, dueNanos, inNanos);
            figures.age(RungFigures.Checkpoint.HANDED, dueNanos, handedNanos);
            figures.age(RungFigures.Checkpoint.ACKED, dueNanos, now);
            figures.took(RungFigures.Part.ACCEPTING, dueNanos, handedNanos - inNanos);
            figures.took(RungFigures.Part.WRITING, dueNanos, now - handedNanos);
            if (metadata != null && metadata.hasOffset()) {
                acks.acked(metadata.partition(), metadata.offset(), now);
            }
        }
    }

    /** Whoever sent the event may come again, except with one that is too large. */
    private FullHttpResponse refused(Exception fault) {
        HttpResponseStatus status = HttpResponseStatus.SERVICE_UNAVAILABLE;
        if (fault instanceof RecordTooLargeException) {
            status = HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
        } else if (fault instanceof BufferExhaustedException) {
            status = HttpResponseStatus.TOO_MANY_REQUESTS;
        }
        server.count(status.code());
        return Answers.refused(new Refusal(status.code(), String.valueOf(fault.getMessage())));
    }

    @Override
    public void close() {
        forwarder.close(LAST);
    }
}
