package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import weir.load.engine.AckedEnds;
import weir.load.engine.EngineCounters;
import weir.load.send.BatchAccumulator;
import weir.load.send.Outbox;
import weir.load.send.Sender;
import weir.pace.Pacer;
import weir.pace.Schedule;
import weir.wire.Call;

/**
 * A producer that speaks Kafka's protocol. One thread takes batches of messages, makes record batches of them, writes
 * requests and reads answers: it owns a selector, a connection to each leader, and everything else here.
 */
final class WireSender implements Sender {
    /** Deadlines and pauses are looked at so often. */
    private static final long GLANCE_NANOS = 5_000_000;

    /** After so many bytes of small batches they are sent, and answers are read. */
    private static final int TURN_BYTES = 128 << 10;

    private static final int LEAST_BYTES = 1 << 10;

    private static final long MILLI_NANOS = 1_000_000;

    // A selector's timeout only knows milliseconds. What is left is dozed away in slices; an answer may wait for one.
    // Another thread that dozes to the nanosecond, and then wakes the selector, would be late twice.
    private static final long SLICE_NANOS = 200_000;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final int number;
    private final ProducerSettings settings;
    private final LongSupplier clock;
    private final Pacer pacer;
    private final LongSupplier wallMillis;
    private final PartitionQueues queues;
    private final BatchBufferPool buffers;
    private final BrokerConnections brokers;
    private final EngineCounters<WireCount> counters = new EngineCounters<>(WireCount.class);
    private final AckedEnds ends;
    private final Consumer<String> events;
    private final Selector selector;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean carrying;
    private volatile boolean closed;

    /** The parts of the engine that a sender needs. */
    record Surroundings(
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            ProducerSequences numberings,
            LongSupplier clock,
            LongSupplier wallMillis,
            Consumer<String> events) {}

    /** {@code producer} has the id -1 without idempotence. */
    WireSender(int number, ProducerSettings settings, Call.Producer producer, Surroundings around) {
        this.number = number;
        this.settings = settings;
        this.clock = around.clock;
        this.pacer = new Pacer(clock);
        this.wallMillis = around.wallMillis;
        this.events = around.events;
        List<LoadPartition> partitions = around.leaders.partitions();
        SequenceNumbers[] numberings = around.numberings.of(producer, settings.compressed(), partitions.size());
        this.queues = new PartitionQueues(partitions, producer, numberings, settings.inFlight());
        this.buffers = new BatchBufferPool(settings, partitions.size());
        this.ends = new AckedEnds(around.leaders.topics());
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException("opening a selector", e);
        }
        this.brokers = new BrokerConnections(around.leaders, around.dialer, settings, queues, selector);
        brokers.dialAll();
    }

    @Override
    public void carry(Outbox outbox) {
        carrying = true;
        BatchOutcomes answers =
                new BatchOutcomes(outbox.outcomes(), settings, buffers, brokers, ends, counters, events);
        try {
            run(builder(outbox), outbox.accumulator(), answers);
        } catch (IOException e) {
            throw new IllegalStateException("waiting for brokers", e);
        } finally {
            KafkaException why = new KafkaException("Producer is closed forcefully.");
            brokers.close();
            queues.all().forEach(queue -> answers.failAll(queue, why));
            ended.countDown();
        }
    }

    private BatchBuilder builder(Outbox outbox) {
        BatchAccumulator accumulator = outbox.accumulator();
        if (accumulator.interchangeable()) {
            PrebuiltBatches ahead = new PrebuiltBatches(accumulator, queues, buffers, settings, wallMillis);
            if (ahead.fits()) {
                return ahead;
            }
        }
        return new FreshBatches(accumulator, outbox.outcomes(), queues, buffers, settings, wallMillis);
    }

    private void run(BatchBuilder builder, BatchAccumulator accumulator, BatchOutcomes answers) throws IOException {
        accumulator.wakeBy(selector::wakeup);
        boolean more = true;
        long lookAgain = Long.MIN_VALUE;
        while (!closed) {
            long now = clock.getAsLong();
            long next = more ? pack(builder, accumulator, now) : Schedule.NEVER;
            more = next != Schedule.NEVER;
            if (!more && queues.all().stream().allMatch(queue -> queue.size() == 0)) {
                settle(now);
                return;
            }
            now = clock.getAsLong();
            if (now >= lookAgain) {
                brokers.follow(now);
                answers.expire(queues, now);
                lookAgain = now + GLANCE_NANOS;
            }
            brokers.send(now, counters);
            answers.written(clock.getAsLong());
            await(next, lookAgain);
            answers.read(selector, clock);
        }
    }

    /** Whoever asks next where partitions end must not be told before the broker has written what nobody confirms. */
    private void settle(long now) {
        if (settings.acks() == 0) {
            brokers.settle(now);
        }
    }

    /** Makes batches until there is nothing to send just now, or enough; returns when to come again. */
    private long pack(BatchBuilder builder, BatchAccumulator accumulator, long begin) {
        long now = begin;
        for (int packed = 0; packed < TURN_BYTES; packed += Math.max(LEAST_BYTES, settings.batchBytes())) {
            long at = accumulator.departs(builder.most(), settings.lingerNanos(), now);
            if (at > now) {
                return at;
            }
            if (!builder.room()) {
                accumulator.blocked(now);
                return now + GLANCE_NANOS;
            }
            builder.pack(now);
            now = clock.getAsLong();
        }
        return now;
    }

    /** Until there is an answer, until {@code exactly} then, or until about {@code roughly} then. */
    private void await(long exactly, long roughly) throws IOException {
        long now = clock.getAsLong();
        long first = Math.min(exactly, roughly);
        if (first > now && exactly < now + MILLI_NANOS + SLICE_NANOS) {
            pacer.doze(Math.min(first, now + SLICE_NANOS));
            selector.selectNow();
        } else if (first > now) {
            selector.select(Math.max(1, (first - now - SLICE_NANOS) / MILLI_NANOS));
        } else {
            selector.selectNow();
        }
    }

    AckedEnds ends() {
        return ends;
    }

    EngineCounters<WireCount> counters() {
        return counters;
    }

    @Override
    public Duration timeout() {
        return Duration.ofNanos(settings.deliveryNanos());
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            if (carrying && !ended.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                events.accept("producer " + number + " did not end within " + PATIENCE.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        brokers.close();
    }
}
