package weir.load.wire;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
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
    private final ProducerSettings terms;
    private final BatchBufferPool slots;
    private final BrokerConnections lines;
    private final AtomicLongArray ends;
    private final WireCounters tally;
    private final Consumer<String> events;
    private final ProduceAnswer answer = new ProduceAnswer();
    private boolean throttled;
    private boolean halved;

    BatchOutcomes(
            Outcomes outcomes,
            ProducerSettings terms,
            BatchBufferPool slots,
            BrokerConnections lines,
            AtomicLongArray ends,
            WireCounters tally,
            Consumer<String> events) {
        this.outcomes = outcomes;
        this.terms = terms;
        this.slots = slots;
        this.lines = lines;
        this.ends = ends;
        this.tally = tally;
        this.events = events;
    }

    /** Reads what has come on the connections that the selector found ready. */
    void read(Selector selector, LongSupplier clock) {
        if (selector.selectedKeys().isEmpty()) {
            return;
        }
        long now = clock.getAsLong();
        for (SelectionKey key : selector.selectedKeys()) {
            BrokerConnection line = (BrokerConnection) key.attachment();
            if (line.up() && key.isValid()) {
                try {
                    read(line, now);
                } catch (IOException e) {
                    events.accept("connection lost: " + e.getMessage());
                    lines.lost(line, now);
                }
            }
        }
        selector.selectedKeys().clear();
    }

    private void read(BrokerConnection line, long now) throws IOException {
        Connection connection = line.connection();
        connection.flush();
        for (ResponseFrame frame = connection.next(); frame != null; frame = connection.next()) {
            try {
                read(line, frame, now);
            } finally {
                frame.release();
            }
        }
    }

    private void read(BrokerConnection line, ResponseFrame frame, long now) throws IOException {
        if (line.flying() == 0 || frame.correlation() != line.flight(0).correlation) {
            throw new IOException("broker " + line.at() + " sent answer " + frame.correlation() + " unasked");
        }
        BrokerConnection.Flight flight = line.flight(0);
        answer.begin(frame.body(Api.PRODUCE, line.version()), line.version());
        int left = flight.slots.size();
        while (answer.next()) {
            int which = find(flight);
            BatchBuffer slot = flight.slots.get(which);
            PartitionQueue lane = flight.lanes.get(which);
            lane.returned(slot, false);
            left--;
            if (answer.error() == 0) {
                acked(lane, slot, now);
            } else {
                refused(lane, slot, BrokerError.of(answer.error()), now);
            }
            lane.mend();
        }
        if (left > 0) {
            throw new IOException(
                    "broker " + line.at() + " did not answer for " + left + " of " + flight.slots.size() + " batches");
        }
        line.landed();
        line.answered();
        tally.add(WireCounters.Count.REQUESTS, 1);
        tally.add(WireCounters.Count.LATENCY_NANOS, now - flight.sentNanos);
        throttle(line, answer.throttleMillis(), now);
    }

    private int find(BrokerConnection.Flight flight) throws IOException {
        for (int i = 0; i < flight.slots.size(); i++) {
            PartitionQueue lane = flight.lanes.get(i);
            if (flight.slots.get(i).onItsWay
                    && lane.partition().number() == answer.partition()
                    && answer.isFor(lane.topic())) {
                return i;
            }
        }
        throw new IOException("an answer for partition " + answer.partition() + ", of which none was outstanding");
    }

    private void throttle(BrokerConnection line, int millis, long now) {
        if (millis > 0) {
            line.mute(now + millis * MILLI);
            tally.add(WireCounters.Count.THROTTLE_MILLIS, millis);
            if (!throttled) {
                throttled = true;
                events.accept("broker " + line.broker() + " throttles the producers: a quota");
            }
        }
    }

    private void acked(PartitionQueue lane, BatchBuffer slot, long now) {
        long base = answer.baseOffset();
        if (base >= 0 && base + slot.records() > ends.getPlain(lane.index())) {
            ends.setRelease(lane.index(), base + slot.records());
        }
        done(lane, slot, now);
    }

    private void done(PartitionQueue lane, BatchBuffer slot, long now) {
        lane.remove(slot);
        outcomes.acked(slot.lot, now, slot.contents());
        slots.free(slot);
    }

    private void refused(PartitionQueue lane, BatchBuffer slot, BrokerError fault, long now) {
        RuntimeException why = Errors.forCode(fault.code()).exception();
        slot.uncertain = false;
        if (fault.is(BrokerError.Known.DUPLICATE_SEQUENCE_NUMBER)) {
            done(lane, slot, now);
        } else if (fault.is(BrokerError.Known.UNKNOWN_TOPIC_ID)) {
            throw new IllegalStateException("topic '" + lane.partition().name()
                    + "' was deleted, or deleted and made again, while it was in use");
        } else if (fault.is(BrokerError.Known.OUT_OF_ORDER_SEQUENCE_NUMBER)
                || fault.is(BrokerError.Known.UNKNOWN_PRODUCER_ID)) {
            // Behind a batch that is not written yet that is as it should be; otherwise the broker will never take it.
            lane.gap(lane.first(slot) || lane.unresolved());
            again(slot, why, now);
        } else if (fault.is(BrokerError.Known.MESSAGE_TOO_LARGE) && slot.records() > 1) {
            halve(lane, slot);
        } else if (fault.retriable()) {
            if (fault.moved()) {
                lines.outdated();
            }
            again(slot, why, now);
        } else {
            lane.gap(true);
            fail(lane, slot, why);
        }
    }

    private void halve(PartitionQueue lane, BatchBuffer slot) {
        if (!halved) {
            halved = true;
            events.accept("partition " + lane.partition() + " takes no batch of " + slot.size()
                    + " bytes: such batches are cut in two and sent again");
        }
        tally.add(WireCounters.Count.RETRIES, slot.records());
        lane.halve(slot, slots.takeForHalf(slot));
    }

    private void again(BatchBuffer slot, RuntimeException why, long now) {
        slot.backOff(now, terms, why);
        tally.add(WireCounters.Count.RETRIES, slot.records());
    }

    private void fail(PartitionQueue lane, BatchBuffer slot, RuntimeException why) {
        lane.remove(slot);
        tally.add(WireCounters.Count.ERRORS, slot.records());
        outcomes.failed(slot.lot, why);
        slots.free(slot);
    }

    /** With acks=0 nothing is answered: what is written is acknowledged. */
    void written(long now) {
        if (terms.acks() != 0) {
            return;
        }
        for (BrokerConnection line : lines.all()) {
            while (line.up() && line.flying() > 0 && line.connection().written() >= line.flight(0).mark) {
                BrokerConnection.Flight flight = line.flight(0);
                for (int i = 0; i < flight.slots.size(); i++) {
                    flight.lanes.get(i).returned(flight.slots.get(i), false);
                    done(flight.lanes.get(i), flight.slots.get(i), now);
                }
                tally.add(WireCounters.Count.REQUESTS, 1);
                tally.add(WireCounters.Count.LATENCY_NANOS, now - flight.sentNanos);
                line.landed();
                line.answered();
            }
        }
    }

    /** Gives up what has waited too long or was tried too often, unless an answer may still come. */
    void expire(PartitionQueues lanes, long now) {
        for (PartitionQueue lane : lanes.all()) {
            for (int i = 0; i < lane.size(); i++) {
                BatchBuffer slot = lane.slot(i);
                if (slot.onItsWay) {
                    continue;
                }
                RuntimeException why = reason(lane, slot, now);
                if (why != null) {
                    lane.gap(!slot.uncertain && slot.attempts > 0);
                    fail(lane, slot, why);
                    i--;
                }
            }
            lane.mend();
        }
    }

    private @Nullable RuntimeException reason(PartitionQueue lane, BatchBuffer slot, long now) {
        if (now - slot.takenNanos >= terms.deliveryNanos()) {
            return new TimeoutException("Expiring " + slot.records() + " record(s) for " + lane.partition() + ":"
                    + terms.deliveryNanos() / MILLI + " ms has passed since batch creation");
        }
        return slot.attempts > terms.retries() ? slot.why : null;
    }

    /** Nothing more will be heard of these. */
    void failAll(PartitionQueue lane, RuntimeException why) {
        while (lane.size() > 0) {
            fail(lane, lane.slot(0), why);
        }
    }
}
