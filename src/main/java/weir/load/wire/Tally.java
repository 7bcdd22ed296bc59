package weir.load.wire;

import java.util.concurrent.atomic.AtomicLongArray;

/** What one sender or receiver counted since it began. Its thread adds, any thread reads. */
final class Tally {
    private final AtomicLongArray counts = new AtomicLongArray(Count.values().length);

    /** What is counted. */
    enum Count {
        /** Answered ones; with acks=0, written ones. */
        REQUESTS,
        BATCHES,
        RECORDS,
        /** Of batches as they travel. */
        BYTES,
        /** Of the same batches, uncompressed. */
        RAW_BYTES,
        /** From writing requests to reading their answers. */
        LATENCY_NANOS,
        /** From the first record of a batch to its request. */
        QUEUE_NANOS,
        THROTTLE_MILLIS,
        /** Records sent once more. */
        RETRIES,
        /** Records given up. */
        ERRORS,
        /** Requests begun; those that are not answered are in flight. */
        BEGUN
    }

    void add(Count count, long more) {
        int index = count.ordinal();
        counts.lazySet(index, counts.getPlain(index) + more);
    }

    long of(Count count) {
        return counts.get(count.ordinal());
    }
}
