package weir.load.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.load.client.ClientRefusals;
import weir.load.engine.AckedEnds;
import weir.load.engine.EngineCounters;
import weir.load.send.DueQueue;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.load.send.Sender;
import weir.pace.Pacer;
import weir.pace.Schedule;
import weir.wire.Api;
import weir.wire.BrokerError;
import weir.wire.BrokerRefusal;
import weir.wire.Call;
import weir.wire.Connection;
import weir.wire.ProduceAnswer;
import weir.wire.ResponseFrame;

/**
 * A producer with Weir's own code for Kafka's protocol. One thread owns all state: it takes messages, makes record
 * batches, writes requests and reads answers.
 */
final class WireSender implements Sender {
    private static final long POLL_NANOS = 5_000_000;

    private static final int TURN_BYTES = 128 << 10;

    private static final int LEAST_BYTES = 1 << 10;

    private static final long MILLI_NANOS = 1_000_000;

    // A selector's timeout is in milliseconds. The pacer waits for the rest in slices, so an answer may be late by a
    // slice. A second thread that wakes the selector would be late twice.
    private static final long SLICE_NANOS = 200_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final int number;
    final ProducerSettings settings;
    private final LongSupplier clock;
    private final Pacer pacer;
    final LongSupplier wallMillis;
    final PartitionQueues queues;
    final BatchBufferPool buffers;
    private final LeaderConnections<PartitionQueue, BrokerConnection> brokers;
    final EngineCounters<WireCount> counters = new EngineCounters<>(WireCount.class);
    final AckedEnds ends;
    private final PartitionLeaders leaders;
    private final Consumer<String> events;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ProduceAnswer answer = new ProduceAnswer();
    private boolean throttled;
    private boolean halved;
    private @Nullable Outcomes outcomes;
    private volatile boolean carrying;
    private volatile boolean closed;

    WireSender(
            int number,
            ProducerSettings settings,
            Call.Producer producer,
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            ProducerSequences sequences,
            LongSupplier clock,
            LongSupplier wallMillis,
            Consumer<String> events) {
        this.number = number;
        this.settings = settings;
        this.clock = clock;
        this.pacer = new Pacer(clock);
        this.wallMillis = wallMillis;
        this.events = events;
        List<LoadPartition> partitions = leaders.partitions();
        SequenceNumbers[] numbers = sequences.of(producer, settings.compressed(), partitions.size());
        this.queues = new PartitionQueues(partitions, producer, numbers, settings.inFlight());
        this.buffers = new BatchBufferPool(settings, partitions.size());
        this.ends = new AckedEnds(leaders.topics.size());
        this.leaders = leaders;
        this.brokers = new LeaderConnections<>(leaders, dialer, (id, at) -> new BrokerConnection(id, at, settings));
        brokers.dial(queues.all, Long.MIN_VALUE);
    }

    @Override
    public void carry(Outbox outbox) {
        carrying = true;
        outcomes = outbox.outcomes();
        try {
            run(BatchBuilder.of(this, outbox), outbox.dues());
        } catch (BrokerRefusal e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            throw new IllegalStateException("waiting for brokers", e);
        } finally {
            KafkaException why = new KafkaException("Producer is closed forcefully.");
            brokers.close();
            for (PartitionQueue queue : queues.all) {
                while (!queue.buffers.isEmpty()) {
                    fail(queue, queue.buffers.get(0), why);
                }
            }
            ended.countDown();
        }
    }

    private void run(BatchBuilder builder, DueQueue dues) throws IOException {
        dues.phases.wakeBy(brokers.selector::wakeup);
        boolean more = true;
        long lookAgain = Long.MIN_VALUE;
        while (!closed) {
            long now = clock.getAsLong();
            long next = more ? pack(builder, dues, now) : Schedule.NEVER;
            more = next != Schedule.NEVER;
            if (!more && queues.all.stream().allMatch(queue -> queue.buffers.isEmpty())) {
                settle(now);
                return;
            }
            now = clock.getAsLong();
            if (now >= lookAgain) {
                queues.follow(leaders.partitions());
                brokers.follow(queues.all, now);
                expire(now);
                lookAgain = now + POLL_NANOS;
            }
            send(now);
            written(clock.getAsLong());
            await(next, lookAgain);
            readAll();
        }
    }

    /** With acks=0, waits until brokers have written all records, so that a later query of the ends is complete. */
    private void settle(long now) {
        for (BrokerConnection broker : brokers.all) {
            if (broker.up() && settings.acks() == 0) {
                try {
                    broker.connection().settle(Duration.ofNanos(settings.requestNanos()));
                } catch (IOException e) {
                    brokers.lost(broker, now);
                }
            }
        }
    }

    private void send(long now) {
        for (int i = 0; i < brokers.all.size(); i++) {
            BrokerConnection broker = brokers.all.get(i);
            if (broker.up()) {
                try {
                    broker.send(now, counters);
                } catch (IOException e) {
                    brokers.lost(broker, now);
                }
            }
        }
    }

    private long pack(BatchBuilder builder, DueQueue dues, long begin) {
        long now = begin;
        for (int packed = 0; packed < TURN_BYTES; packed += Math.max(LEAST_BYTES, settings.batchBytes())) {
            long at = dues.departs(builder.most(), settings.lingerNanos(), now);
            if (at > now) {
                return at;
            }
            if (!builder.room()) {
                dues.blocked(now);
                return now + POLL_NANOS;
            }
            builder.pack(now);
            now = clock.getAsLong();
        }
        return now;
    }

    private void await(long exactly, long roughly) throws IOException {
        long now = clock.getAsLong();
        long first = Math.min(exactly, roughly);
        if (first > now && exactly < now + MILLI_NANOS + SLICE_NANOS) {
            pacer.parkUntil(Math.min(first, now + SLICE_NANOS));
            brokers.selector.selectNow();
        } else if (first > now) {
            brokers.selector.select(Math.max(1, (first - now - SLICE_NANOS) / MILLI_NANOS));
        } else {
            brokers.selector.selectNow();
        }
    }

    private void readAll() {
        if (brokers.selector.selectedKeys().isEmpty()) {
            return;
        }
        long now = clock.getAsLong();
        for (SelectionKey key : brokers.selector.selectedKeys()) {
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
        brokers.selector.selectedKeys().clear();
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
        if (broker.inFlight == 0 || frame.correlation() != broker.request(0).correlation) {
            throw new IOException("broker " + broker.at + " sent an unexpected answer " + frame.correlation());
        }
        BrokerConnection.InFlightRequest flight = broker.request(0);
        answer.begin(frame.body(Api.PRODUCE, broker.version()), broker.version());
        int left = flight.buffers.size();
        while (answer.next()) {
            int which = find(flight);
            BatchBuffer buffer = flight.buffers.get(which);
            PartitionQueue queue = flight.queues.get(which);
            queue.returned(buffer, false);
            left--;
            if (answer.error == 0) {
                acked(queue, buffer, now);
            } else {
                refused(queue, buffer, BrokerError.of(answer.error), now);
            }
            queue.recover();
        }
        if (left > 0) {
            throw new IOException("broker " + broker.at + " did not answer for " + left + " of " + flight.buffers.size()
                    + " batches");
        }
        completed(broker, now);
        throttle(broker, answer.throttleMillis, now);
    }

    private void completed(BrokerConnection broker, long now) {
        counters.add(WireCount.REQUESTS, 1);
        counters.add(WireCount.LATENCY_NANOS, now - broker.request(0).sentNanos);
        broker.completed();
        broker.failures = 0;
    }

    private int find(BrokerConnection.InFlightRequest flight) throws IOException {
        for (int i = 0; i < flight.buffers.size(); i++) {
            PartitionQueue queue = flight.queues.get(i);
            if (flight.buffers.get(i).onItsWay
                    && queue.partition.number() == answer.partition
                    && answer.isFor(queue.topic)) {
                return i;
            }
        }
        throw new IOException("an answer for partition " + answer.partition + ", which had no outstanding request");
    }

    private void throttle(BrokerConnection broker, int millis, long now) {
        if (millis > 0) {
            broker.mute(now + millis * MILLI_NANOS);
            counters.add(WireCount.THROTTLE_MILLIS, millis);
            if (!throttled) {
                throttled = true;
                events.accept("broker " + broker.id + " delays the producers because of a quota");
            }
        }
    }

    private void acked(PartitionQueue queue, BatchBuffer buffer, long now) {
        long base = answer.baseOffset;
        if (base >= 0) {
            ends.acked(queue.partition.topic(), queue.partition.number(), base + buffer.records - 1);
            ends.gaps(queue.partition.topic()).came(queue.partition.number(), buffer.takenNanos, now);
        }
        done(queue, buffer, now);
    }

    private void done(PartitionQueue queue, BatchBuffer buffer, long now) {
        queue.buffers.remove(buffer);
        outcomes().acked(buffer.messages, now, buffer.contents());
        buffers.free(buffer);
    }

    private void refused(PartitionQueue queue, BatchBuffer buffer, BrokerError fault, long now) {
        RuntimeException why = Errors.forCode(fault.code()).exception();
        buffer.uncertain = false;
        if (fault.is(Errors.DUPLICATE_SEQUENCE_NUMBER)) {
            done(queue, buffer, now);
        } else if (fault.is(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER) || fault.is(Errors.UNKNOWN_PRODUCER_ID)) {
            // A gap is expected after an unwritten batch. In any other case, the broker will never accept the batch.
            queue.gap(queue.buffers.get(0) == buffer || queue.unresolved);
            again(buffer, why, now);
        } else if (fault.is(Errors.MESSAGE_TOO_LARGE) && buffer.records > 1) {
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
            events.accept("partition " + queue.partition + " refuses a batch of " + buffer.size() + " bytes; the"
                    + " producer splits the batch and sends the parts");
        }
        counters.add(WireCount.RETRIES, buffer.records);
        queue.halve(buffer, buffers.takeForHalf(buffer));
    }

    private void again(BatchBuffer buffer, RuntimeException why, long now) {
        buffer.backOff(now, settings, why);
        counters.add(WireCount.RETRIES, buffer.records);
    }

    private void fail(PartitionQueue queue, BatchBuffer buffer, RuntimeException why) {
        queue.buffers.remove(buffer);
        counters.add(WireCount.ERRORS, buffer.records);
        ends.gaps(queue.partition.topic()).failed(queue.partition.number(), buffer.takenNanos);
        outcomes().failed(buffer.messages, why);
        buffers.free(buffer);
    }

    /** With acks=0, acknowledges written batches, because brokers do not answer. */
    private void written(long now) {
        if (settings.acks() != 0) {
            return;
        }
        for (BrokerConnection broker : brokers.all) {
            while (broker.up() && broker.inFlight > 0 && broker.connection().written() >= broker.request(0).mark) {
                BrokerConnection.InFlightRequest flight = broker.request(0);
                for (int i = 0; i < flight.buffers.size(); i++) {
                    flight.queues.get(i).returned(flight.buffers.get(i), false);
                    done(flight.queues.get(i), flight.buffers.get(i), now);
                }
                completed(broker, now);
            }
        }
    }

    private void expire(long now) {
        for (PartitionQueue queue : queues.all) {
            for (int i = 0; i < queue.buffers.size(); i++) {
                BatchBuffer buffer = queue.buffers.get(i);
                RuntimeException why = buffer.onItsWay ? null : reason(queue, buffer, now);
                if (why != null) {
                    queue.gap(!buffer.uncertain && buffer.attempts > 0);
                    fail(queue, buffer, why);
                    i--;
                }
            }
            queue.recover();
        }
    }

    private @Nullable RuntimeException reason(PartitionQueue queue, BatchBuffer buffer, long now) {
        if (now - buffer.takenNanos >= settings.deliveryNanos()) {
            return new TimeoutException("Expiring " + buffer.records + " record(s) for " + queue.partition + ":"
                    + settings.deliveryNanos() / MILLI_NANOS + " ms has passed since batch creation");
        }
        return buffer.attempts > settings.retries() ? buffer.why : null;
    }

    private Outcomes outcomes() {
        return Objects.requireNonNull(outcomes);
    }

    @Override
    public Duration timeout() {
        return Duration.ofNanos(settings.deliveryNanos());
    }

    @Override
    public void close() {
        closed = true;
        brokers.selector.wakeup();
        try {
            if (carrying && !ended.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                events.accept("producer " + number + " did not end within " + TIMEOUT.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        brokers.close();
    }
}
