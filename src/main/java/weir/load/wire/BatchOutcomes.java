package weir.load.wire;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.load.client.ClientRefusals;
import weir.load.engine.AckedEnds;
import weir.load.engine.EngineCounters;
import weir.load.send.Outcomes;
import weir.wire.Api;
import weir.wire.BrokerError;
import weir.wire.Connection;
import weir.wire.ProduceAnswer;
import weir.wire.ResponseFrame;

/** The fate of the batches of one sender: acknowledged, sent again, or given up. */
final class BatchOutcomes {
    private static final long MILLI = 1_000_000;

    private final Outcomes outcomes;
    private final ProducerSettings settings;
    private final BatchBufferPool buffers;
    private final BrokerConnections brokers;
    private final AckedEnds ends;
    private final EngineCounters<WireCount> counters;
    private final Consumer<String> events;
    private final ProduceAnswer answer = new ProduceAnswer();
    private boolean throttled;
    private boolean halved;

    BatchOutcomes(
            Outcomes outcomes,
            ProducerSettings settings,
            BatchBufferPool buffers,
            BrokerConnections brokers,
            AckedEnds ends,
            EngineCounters<WireCount> counters,
            Consumer<String> events) {
        this.outcomes = outcomes;
        this.settings = settings;
        this.buffers = buffers;
        this.brokers = brokers;
        this.ends = ends;
        this.counters = counters;
        this.events = events;
    }

    /** Reads what has come on the connections that the selector found ready. */
    void read(Selector selector, LongSupplier clock) {
        if (selector.selectedKeys().isEmpty()) {
            return;
        }
        long now = clock.getAsLong();
        for (SelectionKey key : selector.selectedKeys()) {
            BrokerConnection broker = (BrokerConnection) key.attachment();
            if (broker.up() && key.isValid()) {
                try {
                    read(broker, now);
                } catch (IOException e) {
                    events.accept("connection lost: " + e.getMessage());
                    brokers.lost(broker, now);
                }
            }
        }
        selector.selectedKeys().clear();
    }

    private void read(BrokerConnection broker, long now) throws IOException {
        Connection connection = broker.connection();
        connection.flush();
        for (ResponseFrame frame = connection.next(); frame != null; frame = connection.next()) {
            try {
                read(broker, frame, now);
            } finally {
                frame.release();
            }
        }
    }

    private void read(BrokerConnection broker, ResponseFrame frame, long now) throws IOException {
        if (broker.flying() == 0 || frame.correlation() != broker.flight(0).correlation) {
            throw new IOException("broker " + broker.at() + " sent answer " + frame.correlation() + " unasked");
        }
        BrokerConnection.Flight flight = broker.flight(0);
        answer.begin(frame.body(Api.PRODUCE, broker.version()), broker.version());
        int left = flight.buffers.size();
        while (answer.next()) {
            int which = find(flight);
            BatchBuffer buffer = flight.buffers.get(which);
            PartitionQueue queue = flight.queues.get(which);
            queue.returned(buffer, false);
            left--;
            if (answer.error() == 0) {
                acked(queue, buffer, now);
            } else {
                refused(queue, buffer, BrokerError.of(answer.error()), now);
            }
            queue.mend();
        }
        if (left > 0) {
            throw new IOException("broker " + broker.at() + " did not answer for " + left + " of "
                    + flight.buffers.size() + " batches");
        }
        broker.landed();
        broker.answered();
        counters.add(WireCount.REQUESTS, 1);
        counters.add(WireCount.LATENCY_NANOS, now - flight.sentNanos);
        throttle(broker, answer.throttleMillis(), now);
    }

    private int find(BrokerConnection.Flight flight) throws IOException {
        for (int i = 0; i < flight.buffers.size(); i++) {
            PartitionQueue queue = flight.queues.get(i);
            if (flight.buffers.get(i).onItsWay
                    && queue.partition().number() == answer.partition()
                    && answer.isFor(queue.topic())) {
                return i;
            }
        }
        throw new IOException("an answer for partition " + answer.partition() + ", of which none was outstanding");
    }

    private void throttle(BrokerConnection broker, int millis, long now) {
        if (millis > 0) {
            broker.mute(now + millis * MILLI);
            counters.add(WireCount.THROTTLE_MILLIS, millis);
            if (!throttled) {
                throttled = true;
                events.accept("broker " + broker.id() + " throttles the producers: a quota");
            }
        }
    }

    private void acked(PartitionQueue queue, BatchBuffer buffer, long now) {
        long base = answer.baseOffset();
        if (base >= 0) {
            ends.acked(queue.partition().topic(), queue.partition().number(), base + buffer.records() - 1);
        }
        done(queue, buffer, now);
    }

    private void done(PartitionQueue queue, BatchBuffer buffer, long now) {
        queue.remove(buffer);
        outcomes.acked(buffer.messages, now, buffer.contents());
        buffers.free(buffer);
    }

    private void refused(PartitionQueue queue, BatchBuffer buffer, BrokerError fault, long now) {
        RuntimeException why = Errors.forCode(fault.code()).exception();
        buffer.uncertain = false;
        if (fault.is(BrokerError.Known.DUPLICATE_SEQUENCE_NUMBER)) {
            done(queue, buffer, now);
        } else if (fault.is(BrokerError.Known.OUT_OF_ORDER_SEQUENCE_NUMBER)
                || fault.is(BrokerError.Known.UNKNOWN_PRODUCER_ID)) {
            // Behind a batch that is not written yet that is as it should be; otherwise the broker will never take it.
            queue.gap(queue.first(buffer) || queue.unresolved());
            again(buffer, why, now);
        } else if (fault.is(BrokerError.Known.MESSAGE_TOO_LARGE) && buffer.records() > 1) {
            halve(queue, buffer);
        } else if (fault.retriable()) {
            if (fault.moved()) {
                brokers.outdated();
            }
            again(buffer, why, now);
        } else {
            queue.gap(true);
            fail(queue, buffer, why);
            if (why instanceof AuthorizationException) {
                throw ClientRefusals.unfit(why);
            }
        }
    }

    private void halve(PartitionQueue queue, BatchBuffer buffer) {
        if (!halved) {
            halved = true;
            events.accept("partition " + queue.partition() + " takes no batch of " + buffer.size()
                    + " bytes: such batches are cut in two and sent again");
        }
        counters.add(WireCount.RETRIES, buffer.records());
        queue.halve(buffer, buffers.takeForHalf(buffer));
    }

    private void again(BatchBuffer buffer, RuntimeException why, long now) {
        buffer.backOff(now, settings, why);
        counters.add(WireCount.RETRIES, buffer.records());
    }

    private void fail(PartitionQueue queue, BatchBuffer buffer, RuntimeException why) {
        queue.remove(buffer);
        counters.add(WireCount.ERRORS, buffer.records());
        outcomes.failed(buffer.messages, why);
        buffers.free(buffer);
    }

    /** With acks=0 nothing is answered: what is written is acknowledged. */
    void written(long now) {
        if (settings.acks() != 0) {
            return;
        }
        for (BrokerConnection broker : brokers.all()) {
            while (broker.up() && broker.flying() > 0 && broker.connection().written() >= broker.flight(0).mark) {
                BrokerConnection.Flight flight = broker.flight(0);
                for (int i = 0; i < flight.buffers.size(); i++) {
                    flight.queues.get(i).returned(flight.buffers.get(i), false);
                    done(flight.queues.get(i), flight.buffers.get(i), now);
                }
                counters.add(WireCount.REQUESTS, 1);
                counters.add(WireCount.LATENCY_NANOS, now - flight.sentNanos);
                broker.landed();
                broker.answered();
            }
        }
    }

    /** Gives up what has waited too long or was tried too often, unless an answer may still come. */
    void expire(PartitionQueues queues, long now) {
        for (PartitionQueue queue : queues.all()) {
            for (int i = 0; i < queue.size(); i++) {
                BatchBuffer buffer = queue.buffer(i);
                if (buffer.onItsWay) {
                    continue;
                }
                RuntimeException why = reason(queue, buffer, now);
                if (why != null) {
                    queue.gap(!buffer.uncertain && buffer.attempts > 0);
                    fail(queue, buffer, why);
                    i--;
                }
            }
            queue.mend();
        }
    }

    private @Nullable RuntimeException reason(PartitionQueue queue, BatchBuffer buffer, long now) {
        if (now - buffer.takenNanos >= settings.deliveryNanos()) {
            return new TimeoutException("Expiring " + buffer.records() + " record(s) for " + queue.partition() + ":"
                    + settings.deliveryNanos() / MILLI + " ms has passed since batch creation");
        }
        return buffer.attempts > settings.retries() ? buffer.why : null;
    }

    /** Nothing more will be heard of these. */
    void failAll(PartitionQueue queue, RuntimeException why) {
        while (queue.size() > 0) {
            fail(queue, queue.buffer(0), why);
        }
    }
}
