package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions of one producer, and the source offsets of a stream's messages. Each transaction is stored as the
 * number of its first message. For the sender's thread only.
 */
public final class SentTransactions {
    private static final int MAX_RUNS = 1 << 26;
    private static final int MAX_PARTITIONS = 1_000_000;

    final Sequences firsts = new Sequences();
    final Sequences withdrawn = new Sequences();

    final List<OpenMessages> taken = new ArrayList<>();
    long committed;
    long aborted;
    long fenced;
    long timedOut;

    static final class OpenMessages {
        final long sequence;
        final int partition;
        final long offset;
        long count;

        OpenMessages(long sequence, int partition, long offset, long count) {
            this.sequence = sequence;
            this.partition = partition;
            this.offset = offset;
            this.count = count;
        }
    }

    SentTransactions() {}

    public void began(long first) {
        firsts.add(first, 1);
    }

    public void committed() {
        committed++;
    }

    public void aborted(long first, int count, boolean asked) {
        withdrawn.add(first, count);
        aborted += asked ? 1 : 0;
    }

    public void fenced() {
        fenced++;
    }

    public void timedOut() {
        timedOut++;
    }

    /** Records the source offset of a message. {@code partition} is an index into the ledger's partitions. */
    public void taken(long sequence, int partition, long offset) {
        if (!taken.isEmpty()) {
            OpenMessages last = taken.get(taken.size() - 1);
            if (last.partition == partition
                    && sequence == last.sequence + last.count
                    && offset == last.offset + last.count) {
                last.count++;
                return;
            }
        }
        taken.add(new OpenMessages(sequence, partition, offset, 1));
    }

    boolean some() {
        return !firsts.empty() || !taken.isEmpty();
    }

    void write(DataOutput out) throws IOException {
        firsts.write(out);
        withdrawn.write(out);
        for (long count : new long[] {committed, aborted, fenced, timedOut, taken.size()}) {
            Varint.write(out, count);
        }
        for (OpenMessages run : taken) {
            Varint.write(out, run.sequence);
            Varint.write(out, run.partition);
            Varint.write(out, run.offset);
            Varint.write(out, run.count);
        }
    }

    static SentTransactions read(DataInput in) throws IOException {
        SentTransactions read = new SentTransactions();
        read.firsts.addAll(Sequences.read(in));
        read.withdrawn.addAll(Sequences.read(in));
        read.committed = Varint.read(in);
        read.aborted = Varint.read(in);
        read.fenced = Varint.read(in);
        read.timedOut = Varint.read(in);
        for (int left = Varint.read(in, MAX_RUNS, "runs of messages"); left > 0; left--) {
            long sequence = Varint.read(in);
            int partition = Varint.read(in, MAX_PARTITIONS, "as a partition");
            long offset = Varint.read(in);
            read.taken.add(new OpenMessages(sequence, partition, offset, Varint.read(in)));
        }
        return read;
    }
}
