package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The messages of one partition that arrived at any reader. Guarded by its own lock until the readers have ended. */
final class PartitionReads {
    static final long NOWHERE = -1;

    private final Sequences offsets = new Sequences();
    long rereadUnnamed;

    long foreign;
    long expired;
    long position = NOWHERE;
    private long end = NOWHERE;
    long stood = NOWHERE;

    synchronized void read(long first, int count) {
        rereadUnnamed += offsets.add(first, count);
    }

    synchronized boolean readAgain(long offset) {
        return offsets.add(offset, 1) > 0;
    }

    synchronized long untouched() {
        return offsets.end();
    }

    synchronized void add(long moreForeign, long moreExpired, long reached) {
        foreign += moreForeign;
        expired += moreExpired;
        position = Math.max(position, reached);
    }

    synchronized void end(long offset) {
        end = offset;
    }

    synchronized void stood(long offset) {
        stood = offset;
    }

    synchronized long tail() {
        if (end == NOWHERE) {
            return 0;
        }
        // Without a position, the offset of the first message is unknown.
        return position == NOWHERE && end > 0 ? Long.MAX_VALUE : Math.max(0, end - position);
    }

    synchronized void addAll(PartitionReads other) {
        rereadUnnamed += other.rereadUnnamed + offsets.addAll(other.offsets).count;
        add(other.foreign, other.expired, other.position);
        end = Math.max(end, other.end);
        stood = Math.max(stood, other.stood);
    }

    synchronized void write(DataOutput out) throws IOException {
        Varint.write(out, rereadUnnamed);
        Varint.write(out, foreign);
        Varint.write(out, expired);
        Varint.write(out, position + 1);
        Varint.write(out, end + 1);
        offsets.write(out);
    }

    static PartitionReads read(DataInput in) throws IOException {
        PartitionReads read = new PartitionReads();
        read.rereadUnnamed = Varint.read(in);
        read.foreign = Varint.read(in);
        read.expired = Varint.read(in);
        read.position = Varint.read(in) - 1;
        read.end = Varint.read(in) - 1;
        read.offsets.addAll(Sequences.read(in));
        return read;
    }
}
