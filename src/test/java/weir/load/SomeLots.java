package weir.load;

import weir.load.send.MessageBatch;

/** Batches as a load fills them. */
public final class SomeLots {
    private SomeLots() {}

    /** Returns consecutive messages that were due at the same time. */
    public static MessageBatch alike(long first, int count, long dueNanos) {
        MessageBatch lot = new MessageBatch();
        alike(lot, first, count, dueNanos);
        return lot;
    }

    public static MessageBatch one(long sequence, long dueNanos, long sentNanos) {
        MessageBatch lot = alike(sequence, 1, dueNanos);
        lot.sentNanos = sentNanos;
        return lot;
    }

    public static void alike(MessageBatch lot, long first, int count, long dueNanos) {
        lot.alike = true;
        lot.first = first;
        lot.count = count;
        lot.dueNanos = dueNanos;
        lot.sentNanos = dueNanos;
    }

    /** Returns consecutive messages, each with its own due time. */
    public static MessageBatch due(long first, long... dueNanos) {
        MessageBatch lot = new MessageBatch();
        lot.first = first;
        lot.count = dueNanos.length;
        lot.reserve(dueNanos.length);
        System.arraycopy(dueNanos, 0, lot.dues, 0, dueNanos.length);
        return lot;
    }
}
