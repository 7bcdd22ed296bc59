package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** The numbers of one window, step by step. */
@SuppressWarnings("DoNotCallSuggester")
public final class Snapshot {
    /** The window: how many whole ones lie between the origin and it. */
    public long index() {
        throw new UnsupportedOperationException();
    }

    /** The steps that have numbers here, ascending. */
    public List<Integer> steps() {
        throw new UnsupportedOperationException();
    }

    /** The numbers of a step, all zero if it has none here. */
    public Numbers numbers(int step) {
        throw new UnsupportedOperationException();
    }

    /** The numbers of all steps. */
    public Numbers all() {
        throw new UnsupportedOperationException();
    }

    public Snapshot copy() {
        throw new UnsupportedOperationException();
    }

    /** Both together; they must be of the same window. */
    public Snapshot plus(Snapshot other) {
        throw new UnsupportedOperationException();
    }

    public void write(DataOutput out) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Reads what {@link #write} wrote; throws IOException at anything else, before it allocates. */
    public static Snapshot read(DataInput in) throws IOException {
        throw new UnsupportedOperationException();
    }
}
