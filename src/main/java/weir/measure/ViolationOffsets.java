package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The offsets of read messages, as evidence for violations. Weir keeps offsets only if it judges transactions, and only
 * up to a limit. Above the limit, Weir still counts violations, but without an offset.
 */
final class ViolationOffsets {
    private static final int MOST = 1 << 20;
    private static final int FIELDS = 5;

    private boolean kept;
    /** Partition, offset, producer, sequence and count of each row. */
    private long[] rows = {};

    private int size;

    synchronized void keep() {
        kept = true;
    }

    synchronized void add(int partition, long offset, int producer, long sequence, int count) {
        if (!kept || size == MOST) {
            return;
        }
        if ((size + 1) * FIELDS > rows.length) {
            rows = Arrays.copyOf(rows, Math.max(64 * FIELDS, 2 * rows.length));
        }
        int at = size++ * FIELDS;
        rows[at] = partition;
        rows[at + 1] = offset;
        rows[at + 2] = producer;
        rows[at + 3] = sequence;
        rows[at + 4] = count;
    }

    /** The place of a message, such as {@code topic-0@17}, or "somewhere". */
    synchronized String of(int producer, long sequence, List<String> partitions) {
        for (int at = 0; at < size * FIELDS; at += FIELDS) {
            long into = sequence - rows[at + 3];
            if (rows[at + 2] == producer && into >= 0 && into < rows[at + 4]) {
                return partitions.get((int) rows[at]) + "@" + (rows[at + 1] + into);
            }
        }
        return "somewhere";
    }

    /** Adds the places of {@code other}; {@code indexes} maps its partitions to those of this object. */
    void addAll(ViolationOffsets other, int[] indexes) {
        for (int at = 0; at < other.size * FIELDS; at += FIELDS) {
            kept = true;
            add(indexes[(int) other.rows[at]], other.rows[at + 1], (int) other.rows[at + 2], other.rows[at + 3], (int)
                    other.rows[at + 4]);
        }
    }

    synchronized void write(DataOutput out) throws IOException {
        Varint.write(out, size);
        for (int i = 0; i < size * FIELDS; i++) {
            Varint.write(out, rows[i]);
        }
    }

    static ViolationOffsets read(DataInput in, int partitions) throws IOException {
        ViolationOffsets read = new ViolationOffsets();
        read.kept = true;
        for (int left = Varint.read(in, MOST, "places"); left > 0; left--) {
            int partition = Varint.read(in, Math.max(0, partitions - 1), "as a partition");
            long offset = Varint.read(in);
            int producer = Varint.read(in, ReadLedger.MAX_PRODUCERS, "as a producer");
            long sequence = Varint.read(in);
            read.add(partition, offset, producer, sequence, Varint.read(in, Integer.MAX_VALUE, "messages"));
        }
        return read;
    }
}
