package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The messages that all readers together saw of one producer. Guarded by itself. */
final class ProducerReads {
    private final ValueCounts seen = new ValueCounts();
    /** The messages read at an offset that had been read before. */
    private final ValueCounts reread = new ValueCounts();

    private final Sequences reordered = new Sequences();
    /** The messages found in the dead letter sink. */
    private final Sequences parked = new Sequences();

    synchronized boolean contains(long sequence) {
        return seen.distinct().contains(sequence);
    }

    /** As {@link Sequences#stretch} of all that was seen. */
    synchronized int stretch(long sequence) {
        return seen.distinct().stretch(sequence);
    }

    synchronized void addAll(ValueCounts moreSeen, ValueCounts moreReread, Sequences moreReordered) {
        seen.addAll(moreSeen);
        reread.addAll(moreReread);
        reordered.addAll(moreReordered);
    }

    synchronized void park(Sequences more) {
        parked.addAll(more);
    }

    /** The other must not change meanwhile. */
    void addAll(ProducerReads other) {
        addAll(other.seen, other.reread, other.reordered);
        park(other.parked);
    }

    ValueCounts seen() {
        return seen;
    }

    ValueCounts reread() {
        return reread;
    }

    Sequences reordered() {
        return reordered;
    }

    Sequences parked() {
        return parked;
    }

    /** Everything seen or parked. */
    Sequences known() {
        Sequences known = new Sequences();
        known.addAll(seen.distinct());
        known.addAll(parked);
        return known;
    }

    synchronized void write(DataOutput out) throws IOException {
        seen.write(out);
        reread.write(out);
        reordered.write(out);
        parked.write(out);
    }

    static ProducerReads read(DataInput in) throws IOException {
        ProducerReads read = new ProducerReads();
        ValueCounts seen = ValueCounts.read(in);
        ValueCounts reread = ValueCounts.read(in);
        read.addAll(seen, reread, Sequences.read(in));
        read.park(Sequences.read(in));
        return read;
    }
}
