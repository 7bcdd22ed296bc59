package weir.load.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weir.load.send.MessageBatch;

/**
 * The messages of one partition by sequence number, for records without identities. The sender of an idempotent
 * producer adds each batch before sending the batch. On arrival of a batch, readers look up its messages. Batches with
 * consecutive numbers share one row, so there is usually one row.
 */
final class SequenceNumbers {
    /** The number of batches in flight with new numbers, which the sender may add without asking {@link #takes}. */
    private static final int MARGIN = 64;

    /** The longest row, so that no two numbers in use are equal after the wrap at 2^31 - 1. */
    private static final long LONGEST = 1L << 30;

    private static final int NONE = -1;

    private final RecordAudience audience;
    private final int mostRows;
    private final List<Row> rows = new ArrayList<>();
    private final Batch[] dated;
    private int last;
    private long added;

    private long asked;

    private static final class Row {
        final short epoch;
        final long number;
        final long message;
        final int each;
        int batches = 1;
        long distance;

        Row(short epoch, long number, MessageBatch messages) {
            this.epoch = epoch;
            this.number = number;
            this.message = messages.sequence(0);
            this.each = messages.count;
        }

        boolean takes(short ofEpoch, long first, MessageBatch messages) {
            return epoch == ofEpoch
                    && each == messages.count
                    && first == end()
                    && first + each - number <= LONGEST
                    && (batches == 1 || messages.sequence(0) == message + batches * distance);
        }

        void take(MessageBatch messages) {
            distance = batches == 1 ? messages.sequence(0) - message : distance;
            batches++;
        }

        long end() {
            return number + (long) each * batches;
        }
    }

    private static final class Batch {
        short epoch;
        long number;
        long firstDueNanos;
        long lastDueNanos;
    }

    static final class Found {
        private long message;
        private int count;
        private long firstDueNanos;
        private long lastDueNanos;
        boolean isDated;

        long message(int record) {
            return message + record;
        }

        /** Returns the due time: exact for the first and last record, within half a microsecond for the others. */
        long dueNanos(int record) {
            return count == 1 ? firstDueNanos : firstDueNanos + (lastDueNanos - firstDueNanos) * record / (count - 1);
        }
    }

    /** @param mostDated limit of batches in flight to a reader that needs due times */
    SequenceNumbers(RecordAudience audience, int mostRows, int mostDated) {
        this.audience = audience;
        this.mostRows = mostRows;
        this.dated = new Batch[audience == RecordAudience.AT_ONCE ? mostDated + MARGIN : 0];
        Arrays.setAll(dated, i -> new Batch());
    }

    boolean takes(MessageBatch messages) {
        return switch (audience) {
            case ANYONE -> false;
            case NONE -> true;
            case LATER -> holdsIdentity();
            case AT_ONCE -> messages.even() && holdsIdentity();
        };
    }

    private synchronized boolean holdsIdentity() {
        boolean unread = dated.length > 0 && added - asked >= dated.length - MARGIN;
        return rows.size() < mostRows && !unread;
    }

    synchronized void add(short epoch, long number, MessageBatch messages) {
        if (audience == RecordAudience.NONE) {
            return;
        }
        Row newest = rows.isEmpty() ? null : rows.get(rows.size() - 1);
        if (newest != null && newest.takes(epoch, number, messages)) {
            newest.take(messages);
        } else {
            rows.add(new Row(epoch, number, messages));
        }
        if (dated.length > 0) {
            Batch batch = dated[(int) (added % dated.length)];
            batch.epoch = epoch;
            batch.number = number;
            batch.firstDueNanos = messages.dueNanos(0);
            batch.lastDueNanos = messages.dueNanos(messages.count - 1);
        }
        added++;
    }

    synchronized boolean find(short epoch, int sequence, Found into) {
        int at = find(epoch, sequence);
        if (at == NONE) {
            return false;
        }
        last = at;
        Row row = rows.get(at);
        int which = PartitionQueue.sequence(sequence - row.number) / row.each;
        into.message = row.message + which * row.distance;
        into.count = row.each;
        date(epoch, row.number + (long) which * row.each, into);
        return true;
    }

    private int find(short epoch, int sequence) {
        for (int i = 0; i < rows.size(); i++) {
            int at = (last + i) % rows.size();
            Row row = rows.get(at);
            int behind = PartitionQueue.sequence(sequence - row.number);
            if (row.epoch == epoch && behind < row.end() - row.number && behind % row.each == 0) {
                return at;
            }
        }
        return NONE;
    }

    private void date(short epoch, long number, Found into) {
        long oldest = Math.max(0, added - dated.length);
        long at = indexOf(epoch, number, Math.max(oldest, asked), added);
        at = at == NONE ? indexOf(epoch, number, oldest, Math.min(asked, added)) : at;
        into.isDated = at != NONE;
        if (into.isDated) {
            asked = Math.max(asked, at + 1);
            Batch batch = dated[(int) (at % dated.length)];
            into.firstDueNanos = batch.firstDueNanos;
            into.lastDueNanos = batch.lastDueNanos;
        }
    }

    private long indexOf(short epoch, long number, long from, long to) {
        for (long i = from; i < to; i++) {
            Batch batch = dated[(int) (i % dated.length)];
            if (batch.epoch == epoch && batch.number == number) {
                return i;
            }
        }
        return NONE;
    }
}
