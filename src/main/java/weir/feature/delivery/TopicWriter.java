package weir.feature.delivery;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import weir.feature.delivery.EventRequests.EventUse;
import weir.feature.delivery.RungFigures.Checkpoint;
import weir.feature.delivery.RungFigures.Fact;
import weir.feature.delivery.RungFigures.Part;
import weir.feature.http.Forwarder;
import weir.feature.http.Forwarder.Shipment;
import weir.http.Answers;
import weir.http.Refusal;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;

/** The writing half of a channel in Kafka: answers when the brokers have acknowledged. */
final class TopicWriter implements EventUse, AutoCloseable {
    private static final Duration LAST = Duration.ofSeconds(1);

    private final RungContext rung;
    private final Forwarder forwarder;

    TopicWriter(RungContext rung) {
        this.rung = rung;
        this.forwarder = new Forwarder(
                rung.clients().producer(rung.settings().producer()),
                Forwarder.patience(rung.settings().producer()),
                "weir-rung-writer");
    }

    @Override
    public void take(EventCodec codec, byte[] data, RequestBody body, Reply reply, long inNanos) {
        long due = codec.due();
        ProducerRecord<byte[], byte[]> record =
                EventCodec.record(rung.settings().topic(), codec.attributes(), data);
        forwarder.forward(new Written(rung, List.of(record), body, reply, due, inNanos, rung.now()));
    }

    private record Written(
            RungContext rung,
            List<ProducerRecord<byte[], byte[]>> records,
            RequestBody body,
            Reply reply,
            long dueNanos,
            long inNanos,
            long handedNanos)
            implements Shipment {
        @Override
        public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
            rung.budget().giveBack(body.length());
            if (fault == null) {
                acked(metadata);
                reply.answer(Answers.queued());
            } else {
                reply.answer(refused(fault));
            }
        }

        private void acked(@Nullable RecordMetadata metadata) {
            RungFigures figures = rung.figures();
            long now = rung.now();
            figures.count(Fact.ACCEPTED);
            figures.age(Checkpoint.IN, dueNanos, inNanos);
            figures.age(Checkpoint.HANDED, dueNanos, handedNanos);
            figures.age(Checkpoint.ACKED, dueNanos, now);
            figures.took(Part.ACCEPTING, dueNanos, handedNanos - inNanos);
            figures.took(Part.WRITING, dueNanos, now - handedNanos);
            if (metadata != null && metadata.hasOffset()) {
                figures.acked(metadata.partition(), metadata.offset(), now);
            }
        }

        /** The sender may retry, except with an event that is too large. */
        private FullHttpResponse refused(Exception fault) {
            HttpResponseStatus status = HttpResponseStatus.SERVICE_UNAVAILABLE;
            if (fault instanceof RecordTooLargeException) {
                status = HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
            } else if (fault instanceof BufferExhaustedException) {
                status = HttpResponseStatus.TOO_MANY_REQUESTS;
            }
            rung.server().count(status.code());
            return Answers.refused(new Refusal(status.code(), String.valueOf(fault.getMessage())));
        }
    }

    @Override
    public void close() {
        forwarder.close(LAST);
    }
}
