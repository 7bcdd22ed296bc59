package weir.load.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of one sender since it began. Its thread adds, any thread reads. */
final class HttpCounters {
    private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);

    enum Count {
        /** Requests sent, each time. */
        SENT,
        /** Requests that were answered, or came to nothing. */
        DONE,
        /** Requests that were answered. */
        ANSWERED,
        RECORDS,
        /** Bytes of bodies. */
        BYTES,
        /** From sending requests to their answers. */
        LATENCY_NANOS,
        /** Requests sent once more. */
        RETRIES,
        /** Records given up. */
        ERRORS,
        /** Answers 429 and 503. */
        LATER,
        /** Requests of which it is not known what became. */
        LOST,
        /** Connections begun. */
        DIALLED
    }

    HttpCounters() {
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
