package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** Where every message went. */
@SuppressWarnings("DoNotCallSuggester")
public final class Ledger {
    /** A ledger for readers of these partitions, named like {@code topic-0}. */
    public Ledger(List<String> partitions) {
        throw new UnsupportedOperationException();
    }

    /** The sending half of one producer; the number is unique over all workers. */
    public SentLedger sender(int producer) {
        throw new UnsupportedOperationException();
    }

    /** The half of one more reading thread. */
    public ReadLedger reader() {
        throw new UnsupportedOperationException();
    }

    /** The offset behind the last readable record, fetched after the producers closed. */
    public void end(int partition, long endOffset) {
        throw new UnsupportedOperationException();
    }

    /** Partitions whose readers have not reached the end. */
    public List<Integer> unfinished() {
        throw new UnsupportedOperationException();
    }

    /** The highest position any reader reached, or -1: verify goes on from there. */
    public long position(int partition) {
        throw new UnsupportedOperationException();
    }

    /** The messages of the steps from {@code first} to {@code last}, both included. */
    public Balance balance(int first, int last) {
        throw new UnsupportedOperationException();
    }

    public Balance balance(int step) {
        return balance(step, step);
    }

    /** Some lost and duplicated messages by name, at most {@code limit} lines. */
    public List<String> examples(int first, int last, int limit) {
        throw new UnsupportedOperationException();
    }

    public Ledger plus(Ledger other) {
        throw new UnsupportedOperationException();
    }

    public void write(DataOutput out) throws IOException {
        throw new UnsupportedOperationException();
    }

    public static Ledger read(DataInput in) throws IOException {
        throw new UnsupportedOperationException();
    }
}
