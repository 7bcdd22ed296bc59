package weir.load.wire;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of one sender or receiver since it began. Its thread adds, any thread reads. */
final class WireCounters {
    private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);

    enum Count {
        /** Answered ones; with acks=0, written ones. */
        REQUESTS,
        BATCHES,
        RECORDS,
        /** Bytes of batches as they travel. */
        BYTES,
        /** Bytes of the same batches, uncompressed. */
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

    WireCounters() {
        for (Count count : Count.values()) {
            counts.put(count, new AtomicLong());
        }
    }

    void add(Count count, long more) {
        AtomicLong known = of(count);
        known.lazySet(known.getPlain() + more);
    }

    long now(Count count) {
        return of(count).get();
    }

    private AtomicLong of(Count count) {
        return Objects.requireNonNull(counts.get(count));
    }
}
