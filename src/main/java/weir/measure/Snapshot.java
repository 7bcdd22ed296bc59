package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The counts and latencies of one window, separately for each step. */
public final class Snapshot {
    private static final int FORM = 4;
    /** The limit of steps in one window. It limits the histograms to a few hundred MB, even for hostile bytes. */
    private static final int MAX_STEPS = 256;

    private long index;
    /** The number of used entries. Later entries are kept for reuse. */
    private int size;

    private int[] ids = new int[2];
    private Numbers[] numbers = {new Numbers(), new Numbers()};

    Snapshot(long index) {
        this.index = index;
    }

    public long index() {
        return index;
    }

    public List<Integer> steps() {
        return IntStream.of(ids).limit(size).sorted().boxed().toList();
    }

    /** The numbers of a step; all are zero if the step is absent. */
    public Numbers numbers(int step) {
        int at = find(step);
        return at < 0 ? new Numbers() : numbers[at];
    }

    /** The numbers of all steps, in an object that the snapshot may reuse. */
    public Numbers all() {
        if (size == 1) {
            return numbers[0];
        }
        Numbers all = new Numbers();
        for (int i = 0; i < size; i++) {
            all.add(numbers[i]);
        }
        return all;
    }

    private int find(int step) {
        for (int i = 0; i < size; i++) {
            if (ids[i] == step) {
                return i;
            }
        }
        return -1;
    }

    Numbers at(int step) {
        if (size > 0 && ids[0] == step) {
            return numbers[0];
        }
        int at = find(step);
        if (at >= 0) {
            return numbers[at];
        }
        if (step < 0) {
            throw new IllegalArgumentException("a step number must be at least 0, found " + step);
        }
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            for (int i = size; i < numbers.length; i++) {
                numbers[i] = new Numbers();
            }
        }
        ids[size] = step;
        return numbers[size++];
    }

    boolean empty() {
        return size == 0;
    }

    void clear(long newIndex) {
        for (int i = 0; i < size; i++) {
            numbers[i].clear();
        }
        size = 0;
        index = newIndex;
    }

    void add(Snapshot other) {
        if (index != other.index) {
            throw new IllegalArgumentException("windows " + index + " and " + other.index + " are not the same");
        }
        for (int i = 0; i < other.size; i++) {
            at(other.ids[i]).add(other.numbers[i]);
        }
    }

    public Snapshot copy() {
        Snapshot copy = new Snapshot(index);
        copy.add(this);
        return copy;
    }

    public Snapshot by(Steps parts) {
        Snapshot whole = new Snapshot(index);
        for (int i = 0; i < size; i++) {
            whole.at(parts.step(ids[i])).add(numbers[i]);
        }
        return whole;
    }

    /** The sum of both snapshots, which must be of the same window. */
    public Snapshot plus(Snapshot other) {
        Snapshot sum = copy();
        sum.add(other);
        return sum;
    }

    public void write(DataOutput out) throws IOException {
        out.writeByte(FORM);
        Varint.write(out, index);
        Varint.write(out, size);
        for (int step : steps()) {
            Varint.write(out, step);
            numbers[find(step)].write(out);
        }
    }

    /** Reads what {@link #write} wrote; throws IOException for other bytes, before it allocates memory. */
    public static Snapshot read(DataInput in) throws IOException {
        int form = in.readByte();
        if (form != FORM) {
            throw new IOException("the snapshot has format " + form + "; only " + FORM + " is supported");
        }
        Snapshot snapshot = new Snapshot(Varint.read(in));
        int steps = Varint.read(in, MAX_STEPS, "steps");
        int before = -1;
        for (int i = 0; i < steps; i++) {
            int step = Varint.read(in, Integer.MAX_VALUE, "as the number of a step");
            if (step <= before) {
                throw new IOException("step " + step + " after step " + before);
            }
            before = step;
            snapshot.at(step).add(Numbers.read(in));
        }
        return snapshot;
    }
}
