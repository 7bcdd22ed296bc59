package weir.load.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import weir.load.engine.EngineCounters;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.load.read.Inbox;
import weir.wire.AbortedTransactions;
import weir.wire.Batches;
import weir.wire.FetchResponse;
import weir.wire.RecordBatch;
import weir.wire.RecordCursor;

/** A reader of fetched records that passes them to the inbox, one partition at a time. */
final class PartitionRecordReader implements AutoCloseable {
    private static final int MOST_BYTES = 128 << 20;

    private final FetchSettings settings;
    private final EngineCounters<WireCount> counters;
    private final ProducerSequences sequences;
    private final Batches batches = new Batches();
    private final RecordCursor records =
            new RecordCursor(Identity.HEADER.getBytes(StandardCharsets.US_ASCII), MOST_BYTES);
    private final AbortedTransactions aborted = new AbortedTransactions();
    private final Arrival arrival = new Arrival();
    private final SequenceNumbers.Found found = new SequenceNumbers.Found();
    private long knownProducer = RecordBatch.Origin.NO_PRODUCER;
    private int knownPartition;
    private @Nullable SequenceNumbers known;
    private boolean isKnown;

    PartitionRecordReader(FetchSettings settings, EngineCounters<WireCount> counters, ProducerSequences sequences) {
        this.settings = settings;
        this.sequences = sequences;
        this.counters = counters;
    }

    void walk(FetchResponse response, FetchPosition reading) throws IOException {
        begin(response);
        while (batches.next()) {
            reading.lastEpoch = batches.leaderEpoch();
        }
        reading.through = Math.max(reading.next, batches.nextOffset());
    }

    void read(FetchResponse response, FetchPosition reading, Inbox inbox) throws IOException {
        begin(response);
        boolean committed = settings.limits().committed();
        if (committed) {
            aborted.begin(response);
        }
        while (batches.next()) {
            if (settings.checkCrcs()) {
                batches.check();
            }
            // Control batches go to the reader too, because they show the end of transactions.
            boolean without = committed && aborted.contain(batches, records);
            if (without || batches.control()) {
                continue;
            }
            counters.add(WireCount.BATCHES, 1);
            counters.add(WireCount.RECORDS, batches.count());
            boolean all = settings.headersOnly() ? count(reading, inbox) : take(reading, inbox);
            if (!all) {
                // Rejected records remain unread, and a later fetch returns them.
                reading.next = inbox.stands(reading.index);
                reading.through = reading.next;
                return;
            }
        }
        if (reading.through > reading.next) {
            reading.next = reading.through;
            inbox.position(reading.index, reading.next);
        }
    }

    private void begin(FetchResponse response) {
        batches.begin(response.bytes(), response.recordsAt, response.recordsAt + response.recordsBytes);
    }

    /** Takes the records from the requested offset on, because a batch may begin before the offset. */
    private boolean take(FetchPosition reading, Inbox inbox) throws IOException {
        int partition = reading.index;
        long from = reading.next;
        records.begin(batches);
        boolean more = records.next();
        while (more && records.offset() < from) {
            more = records.next();
        }
        inbox.ahead(records.left() + 1);
        boolean asked = false;
        while (more) {
            if (records.hasHeader()) {
                boolean whole = records.headerSize == Identity.BYTES;
                arrival.read(records.bytes(), records.headerAt, whole ? Identity.BYTES : 0);
            } else {
                arrival.read(records.bytes(), records.valueAt, records.valueSize);
            }
            if (arrival.unnamed()) {
                name(partition, !asked);
                asked = true;
            }
            if (!inbox.take(partition, records.offset(), arrival, records.size())) {
                return false;
            }
            more = records.next();
        }
        return true;
    }

    private void name(int partition, boolean firstOfBatch) {
        if (firstOfBatch) {
            if (batches.producerId() != knownProducer || partition != knownPartition) {
                knownProducer = batches.producerId();
                knownPartition = partition;
                known = sequences.find(knownProducer, partition);
            }
            isKnown = known != null && known.find(batches.producerEpoch(), batches.baseSequence(), found);
        }
        if (!isKnown) {
            arrival.unknown();
        } else if (found.isDated) {
            arrival.is(found.message(records.offsetDelta), found.dueNanos(records.offsetDelta));
        } else {
            arrival.is(found.message(records.offsetDelta));
        }
    }

    private boolean count(FetchPosition reading, Inbox inbox) throws IOException {
        int all = batches.count();
        int from = reading.next <= batches.baseOffset() ? 0 : recordsBefore(reading.next);
        for (int at = from; at < all; ) {
            int some = inbox.admit(all - at);
            if (some == 0) {
                inbox.position(reading.index, offsetOf(at));
                return false;
            }
            inbox.admitted(some, share(at + some) - share(at));
            at += some;
        }
        return true;
    }

    private long share(int records) {
        return (long) batches.size() * records / batches.count();
    }

    private boolean dense() {
        return batches.count() == batches.nextOffset() - batches.baseOffset();
    }

    private int recordsBefore(long offset) throws IOException {
        if (dense()) {
            return (int) Math.min(batches.count(), offset - batches.baseOffset());
        }
        records.begin(batches);
        int before = 0;
        while (records.next() && records.offset() < offset) {
            before++;
        }
        return before;
    }

    private long offsetOf(int record) throws IOException {
        if (dense()) {
            return batches.baseOffset() + record;
        }
        records.begin(batches);
        for (int i = 0; i <= record; i++) {
            records.next();
        }
        return records.offset();
    }

    @Override
    public void close() {
        records.close();
    }
}
