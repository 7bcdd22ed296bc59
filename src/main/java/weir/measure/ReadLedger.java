package weir.measure;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The messages that one reading thread saw, until the thread merges them into the {@link Ledger}. With several threads,
 * the set of each thread has gaps and needs a bit per message. The merged set is small, because it has no gaps.
 */
public final class ReadLedger {
    static final int MAX_PRODUCERS = 1 << 16;

    private static final int MAX_RUN = 1 << 30;

    private final IntFunction<PartitionReads> partitions;
    private final IntFunction<ProducerReads> whole;
    private final ViolationOffsets places;
    private final Producer none;
    private Cursor[] cursors = {};
    private Producer[] producers = {};

    ReadLedger(IntFunction<PartitionReads> partitions, IntFunction<ProducerReads> whole, ViolationOffsets places) {
        this.partitions = partitions;
        this.whole = whole;
        this.places = places;
        this.none = new Producer(new ProducerReads());
    }

    /** Records a message of this run; {@code partition} is an index into the ledger's partitions. */
    public void received(int partition, long offset, int producer, long sequence) {
        if (producer < 0 || producer >= MAX_PRODUCERS || sequence < 0 || offset < 0) {
            foreign(partition, offset);
            return;
        }
        Cursor cursor = cursor(partition);
        Producer from = producer(producer);
        boolean again = false;
        if (cursor.run == 0 || offset != cursor.next || cursor.run == MAX_RUN) {
            cursor.begin(offset);
        }
        if (offset < cursor.untouched) {
            again = cursor.reads.readAgain(offset);
            cursor.first = offset + 1;
        } else {
            cursor.run++;
        }
        cursor.next = offset + 1;
        long highest = cursor.highest(producer);
        if (sequence > highest) {
            cursor.highest[producer] = sequence;
        } else if (sequence < highest && !from.contains(sequence)) {
            from.own.reordered.add(sequence, 1);
        }
        // After a loss of unreplicated records, a leader may give their offsets to other messages.
        if (again && from.contains(sequence)) {
            from.own.reread.add(sequence);
        }
        from.own.seen.add(sequence);
    }

    /** Records consecutive messages of one producer at consecutive offsets, as if each was recorded. */
    public void received(int partition, long firstOffset, int producer, long firstSequence, int count) {
        places.add(partition, firstOffset, producer, firstSequence, count);
        for (int done = 0; done < count; ) {
            int some = fresh(partition, firstOffset + done, producer, firstSequence + done, count - done);
            if (some == 0) {
                received(partition, firstOffset + done, producer, firstSequence + done);
                some = 1;
            }
            done += some;
        }
    }

    private int fresh(int partition, long offset, int producer, long sequence, int count) {
        boolean known = producer >= 0 && producer < producers.length && sequence >= 0 && offset >= 0;
        if (!known || sequence + count < 0 || offset + count < 0) {
            return 0;
        }
        Cursor cursor = cursor(partition);
        if (cursor.run == 0 || offset != cursor.next || cursor.run == MAX_RUN) {
            cursor.begin(offset);
        }
        if (offset < cursor.untouched || sequence <= cursor.highest(producer)) {
            return 0;
        }
        int some = Math.min(count, MAX_RUN - cursor.run);
        cursor.run += some;
        cursor.next = offset + some;
        cursor.highest[producer] = sequence + some - 1;
        producer(producer).own.seen.add(sequence, some);
        return some;
    }

    /**
     * True if this message, and consecutive messages of the producer at consecutive offsets, are certainly new. If
     * false, {@link #seen} decides. Must be called before the messages are reported.
     */
    public boolean fresh(int partition, long offset, int producer, long sequence) {
        if (producer < 0 || producer >= MAX_PRODUCERS || sequence < 0) {
            return true;
        }
        Cursor cursor = cursor(partition);
        boolean goesOn = cursor.run > 0 && offset == cursor.next;
        if (offset < cursor.next || offset < (goesOn ? cursor.untouched : cursor.reads.untouched())) {
            return false;
        }
        long highest = cursor.highest(producer);
        return sequence > highest
                && (highest != Cursor.NONE || !producer(producer).contains(sequence));
    }

    /** The number of consecutive messages from this one on that all ledgers contain or, if negative, lack. */
    public int seen(int producer, long sequence) {
        return producer(producer).stretch(sequence);
    }

    public void foreign(int partition, long offset) {
        cursor(partition).foreign++;
    }

    public void parked(int producer, long firstSequence, int count) {
        if (producer >= 0 && producer < MAX_PRODUCERS && firstSequence >= 0) {
            producer(producer).own.parked.add(firstSequence, count);
        }
    }

    /** Records a delivery of a share group: an acknowledgement that the broker confirmed, or a later delivery. */
    public void delivery(Count what, int producer, long sequence) {
        if (producer >= 0 && producer < MAX_PRODUCERS && sequence >= 0) {
            producer(producer).own.deliveries(what).add(sequence);
        }
    }

    public void expired(int partition, long offsets) {
        cursor(partition).expired += offsets;
    }

    public void position(int partition, long position) {
        Cursor cursor = cursor(partition);
        cursor.position = Math.max(cursor.position, position);
    }

    /** Merges the messages into the ledger: once a window, before the reader loses a partition, and at the end. */
    public void handOver() {
        for (Cursor cursor : cursors) {
            cursor.handOver();
        }
        for (Producer producer : producers) {
            producer.handOver();
        }
    }

    private Cursor cursor(int partition) {
        if (partition >= cursors.length) {
            int before = cursors.length;
            cursors = Arrays.copyOf(cursors, partition + 1);
            Arrays.setAll(cursors, i -> i < before ? cursors[i] : new Cursor(partitions.apply(i)));
        }
        return cursors[partition];
    }

    private Producer producer(int number) {
        return number < producers.length && producers[number] != none ? producers[number] : meet(number);
    }

    private Producer meet(int number) {
        if (number >= producers.length) {
            int before = producers.length;
            producers = Arrays.copyOf(producers, number + 1);
            Arrays.fill(producers, before, producers.length, none);
        }
        producers[number] = new Producer(whole.apply(number));
        return producers[number];
    }

    private static final class Cursor {
        static final long NONE = -1;

        final PartitionReads reads;
        long first;

        int run;
        long next = NONE;
        long untouched;

        long foreign;
        long expired;
        long position = PartitionReads.NOWHERE;
        long[] highest = {};

        Cursor(PartitionReads reads) {
            this.reads = reads;
        }

        void begin(long offset) {
            flush();
            if (offset < next) {
                // The reader went back, so the check of the order starts here.
                Arrays.fill(highest, NONE);
            }
            first = offset;
            untouched = reads.untouched();
        }

        void flush() {
            if (run > 0) {
                reads.read(first, run);
                first += run;
                run = 0;
            }
        }

        void handOver() {
            flush();
            if (foreign > 0 || expired > 0 || position != PartitionReads.NOWHERE) {
                reads.add(foreign, expired, position);
                foreign = 0;
                expired = 0;
            }
        }

        long highest(int producer) {
            if (producer >= highest.length) {
                int before = highest.length;
                highest = Arrays.copyOf(highest, producer + 1);
                Arrays.fill(highest, before, highest.length, NONE);
            }
            return highest[producer];
        }
    }

    private static final class Producer {
        final ProducerReads whole;
        final ProducerReads own = new ProducerReads();

        Producer(ProducerReads whole) {
            this.whole = whole;
        }

        boolean contains(long sequence) {
            return own.contains(sequence) || whole.contains(sequence);
        }

        int stretch(long sequence) {
            return Math.max(own.stretch(sequence), whole.stretch(sequence));
        }

        void handOver() {
            if (!own.empty()) {
                whole.addAll(own);
                own.clear();
            }
        }
    }
}
