package weir.load.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import weir.load.engine.AckedEnds;
import weir.load.engine.LoadRefused;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.send.Operator;
import weir.load.send.Operator.OperationFailed.Kind;

/** A Kafka producer for operations of several records or in transactions, with a consumer for streams. */
final class ClientOperator implements Operator {
    private static final List<Header> NO_HEADERS = List.of();

    private final Supplier<KafkaProducer<byte[], byte[]>> producers;
    private final ClientEngine.Connection connection;
    /** True if the user chose the transactional id, and may use it elsewhere. */
    private final boolean chosen;

    private final String id;
    private final Duration timeout;
    private final AckedEnds ends;
    private final @Nullable ClientStreamConsumer source;
    private volatile KafkaProducer<byte[], byte[]> producer;
    final ClientExplanation.Metrics metrics;
    private boolean closed;

    ClientOperator(
            Map<String, Object> properties,
            ClientEngine.Connection connection,
            AckedEnds ends,
            Duration timeout,
            @Nullable ClientStreamConsumer source) {
        this.producers = () -> new KafkaProducer<>(properties);
        this.id = String.valueOf(properties.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
        this.connection = connection;
        this.chosen = connection.choosesId();
        this.timeout = timeout;
        this.ends = ends;
        this.source = source;
        this.producer = producers.get();
        this.metrics = new ClientExplanation.Metrics(() -> producer.metrics());
        tried(this::ready);
    }

    private void ready() {
        connection.topics().forEach(producer::partitionsFor);
        if (connection.transactional()) {
            producer.initTransactions();
        }
    }

    @Override
    public void begin() {
        tried(producer::beginTransaction);
    }

    @Override
    public void send(Message message, Answer answer) {
        byte @Nullable [] key = message.key == KeySource.NONE ? null : message.key;
        List<Header> headers =
                message.header ? List.of(new RecordHeader(Identity.HEADER, message.identity.clone())) : NO_HEADERS;
        int topic = message.topic;
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(connection.topics().get(topic), null, null, key, message.value, headers);
        Callback callback = (metadata, why) -> {
            if (why == null) {
                if (metadata.hasOffset()) {
                    ends.acked(topic, metadata.partition(), metadata.offset());
                }
                answer.acked();
            } else {
                answer.failed(why);
            }
        };
        try {
            var unused = producer.send(record, callback);
        } catch (RuntimeException refused) {
            answer.failed(refused);
            if (connection.transactional()) {
                throw failureWithOwnId(refused);
            }
        }
    }

    @Override
    public void offsets() {
        ClientStreamConsumer from = source();
        tried(() -> from.commit(connection.transactional() ? producer : null));
        if (!connection.transactional()) {
            from.committed();
        }
    }

    @Override
    public void commit() {
        tried(producer::commitTransaction);
        if (source != null) {
            source.committed();
        }
    }

    @Override
    public void abort() {
        tried(producer::abortTransaction);
    }

    @Override
    public void flush() {
        producer.flush();
    }

    @Override
    public void recover() {
        if (chosen) {
            throw lost(new KafkaException("no broker reports the committed offsets"));
        }
        tried(() -> {
            producer.close(Duration.ZERO);
            synchronized (this) {
                if (closed) {
                    throw new KafkaException("closed");
                }
                producer = producers.get();
            }
            ready();
        });
    }

    @Override
    public ClientStreamConsumer source() {
        if (source == null) {
            throw new IllegalStateException("this producer has no source");
        }
        return source;
    }

    private void tried(Runnable call) {
        try {
            call.run();
        } catch (KafkaException | IllegalStateException why) {
            throw failureWithOwnId(why);
        }
    }

    /**
     * Returns the exception that ends the trial if the user chose the id. Another producer may own the id now, and
     * recovery would fence that producer.
     */
    private RuntimeException failureWithOwnId(RuntimeException why) {
        RuntimeException found = failure(why);
        return chosen && found instanceof OperationFailed trouble && trouble.kind() != Kind.ABORT
                ? lost(trouble.reason())
                : found;
    }

    private LoadRefused lost(Throwable why) {
        return LoadRefused.fenced(
                "transactional id '" + id + "' was taken by another producer (" + why.getMessage() + "); this run does"
                        + " not use the id again, because the next use would fence the other producer",
                why);
    }

    /** Returns an {@link OperationFailed} for a retry, or the given exception, which ends the trial. */
    static RuntimeException failure(RuntimeException why) {
        for (Throwable reason = why; reason != null; reason = reason.getCause()) {
            // The leader refuses a batch with this error after another producer took the id. An abort would take the id
            // back without notice.
            if (reason instanceof ProducerFencedException || reason instanceof InvalidProducerEpochException) {
                return new OperationFailed(Kind.FENCED, reason);
            }
            if (ClientRefusals.refuses(reason) || reason instanceof UnsupportedVersionException) {
                return why;
            }
        }
        if (why instanceof TimeoutException) {
            return new OperationFailed(Kind.TIMED_OUT, why);
        }
        boolean beyondAborting = why instanceof IllegalStateException || why instanceof OutOfOrderSequenceException;
        return new OperationFailed(beyondAborting ? Kind.BROKEN : Kind.ABORT, cause(why));
    }

    private static Throwable cause(RuntimeException why) {
        Throwable cause = why.getCause();
        return cause == null ? why : cause;
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        metrics.keep();
        producer.close(Duration.ZERO);
        if (source != null) {
            source.close();
        }
    }
}
