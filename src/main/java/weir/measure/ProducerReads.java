package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The messages of one producer that all readers together saw. Guarded by itself. */
final class ProducerReads {
    final ValueCounts seen = new ValueCounts();
    final ValueCounts reread = new ValueCounts();

    final Sequences reordered = new Sequences();
    final Sequences parked = new Sequences();

    synchronized boolean contains(long sequence) {
        return seen.distinct().contains(sequence);
    }

    synchronized int stretch(long sequence) {
        return seen.distinct().stretch(sequence);
    }

    /** The other must not change meanwhile. */
    synchronized void addAll(ProducerReads other) {
        seen.addAll(other.seen);
        reread.addAll(other.reread);
        reordered.addAll(other.reordered);
        parked.addAll(other.parked);
    }

    void clear() {
        seen.clear();
        reread.clear();
        reordered.clear();
        parked.clear();
    }

    boolean empty() {
        return seen.distinct().empty() && parked.empty();
    }

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
        read.seen.addAll(ValueCounts.read(in));
        read.reread.addAll(ValueCounts.read(in));
        read.reordered.addAll(Sequences.read(in));
        read.parked.addAll(Sequences.read(in));
        return read;
    }
}
