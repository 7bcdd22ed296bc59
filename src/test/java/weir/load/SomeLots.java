package weir.load;

import weir.load.send.MessageBatch;

/** Lots as a load would fill them. */
public final class SomeLots {
    private SomeLots() {}

    /** Messages in a row that were due at once. */
    public static MessageBatch alike(long first, int count, long dueNanos) {
        MessageBatch lot = new MessageBatch();
        alike(lot, first, count, dueNanos);
        return lot;
    }

    /** A message that was taken alone. */
    public static MessageBatch one(long sequence, long dueNanos, long sentNanos) {
        MessageBatch lot = alike(sequence, 1, dueNanos);
        lot.sentNanos = sentNanos;
        return lot;
    }

    /** Fills a lot with such messages. */
    public static void alike(MessageBatch lot, long first, int count, long dueNanos) {
        lot.alike = true;
        lot.first = first;
        lot.count = count;
        lot.dueNanos = dueNanos;
        lot.sentNanos = dueNanos;
    }

    /** Messages in a row, each due at its own time. */
    public static MessageBatch due(long first, long... dueNanos) {
        MessageBatch lot = new MessageBatch();
        lot.first = first;
        lot.count = dueNanos.length;
        lot.reserve(dueNanos.length);
        System.arraycopy(dueNanos, 0, lot.dues, 0, dueNanos.length);
        return lot;
    }
}
