package weir.feature.delivery;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import weir.http.HttpServer.ServerCounters;
import weir.measure.Latency;

/**
 * The figures of one process: event counts since its start, and the ages and processing times of events that were due
 * in one period. With several subscribers, the figures are those of the first subscriber.
 */
final class EventProcessFigures {
    private static final double MILLI = 1e6;
    private static final double PERCENTILE = 99;

    private final ServerCounters server;
    private final Map<Checkpoint, Sum> ages = each(Checkpoint.class, Sum::new);
    private final Map<Part, Sum> parts = each(Part.class, Sum::new);
    private final Map<Part, Latency.Shared> lately = each(Part.class, Latency.Shared::new);
    private final Map<Fact, LongAdder> events = each(Fact.class, LongAdder::new);
    private final AckTimes acks = new AckTimes();
    private volatile Span span = Span.NONE;

    private record Span(long fromNanos, long toNanos) {
        static final Span NONE = new Span(0, 0);

        boolean holds(long dueNanos) {
            return dueNanos != CarriedEvent.NO_TIME && dueNanos >= fromNanos && dueNanos < toNanos;
        }
    }

    enum Checkpoint {
        IN,
        HANDED,
        ACKED,
        FETCHED,
        OUT,
        ANSWERED
    }

    enum Part {
        ACCEPTING,
        WRITING,
        /** Time from the acknowledgement of a record that this process wrote until this process fetches the record. */
        FETCHING,
        FILTERING,
        /** Time from the acceptance or the fetch of an event to the first attempt to send it. */
        WAITING,
        DELIVERING
    }

    enum Fact {
        ACCEPTED,
        DELIVERED,
        RETRIED,
        PARKED,
        DROPPED,
        FILTERED
    }

    /**
     * The acknowledgement times of the latest records of this process, until the records are fetched. Either thread may
     * report first; the second report gives the time.
     */
    private static final class AckTimes {
        private static final int PLACES = 1 << 15;
        private static final int OFFSET_BITS = 44;

        /** The key of an acknowledged record without a fetch, or the complement of the key of a fetched record. */
        private final AtomicLongArray keys = new AtomicLongArray(PLACES);

        private final AtomicLongArray times = new AtomicLongArray(PLACES);

        /** The key of a record; never zero, because zero marks an empty place. */
        private static long key(int partition, long offset) {
            return (partition + 1L) << OFFSET_BITS | offset;
        }

        private static int place(long key) {
            return (int) ((key * 0x9E3779B97F4A7C15L) >>> 49);
        }
    }

    private static final class Sum {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        void add(long value) {
            count.increment();
            nanos.add(value);
        }
    }

    EventProcessFigures(ServerCounters server) {
        this.server = server;
    }

    private static <K extends Enum<K>, V> Map<K, V> each(Class<K> keys, Supplier<V> value) {
        Map<K, V> all = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            all.put(key, value.get());
        }
        return all;
    }

    void age(Checkpoint at, long dueNanos, long nanos) {
        if (span.holds(dueNanos)) {
            of(ages, at).add(nanos - dueNanos);
        }
    }

    void took(Part part, long dueNanos, long nanos) {
        if (span.holds(dueNanos)) {
            took(part, nanos);
        }
    }

    /** Counts an event that this process accepted. */
    void accepted(long dueNanos, long inNanos, long handedNanos) {
        count(Fact.ACCEPTED);
        age(Checkpoint.IN, dueNanos, inNanos);
        age(Checkpoint.HANDED, dueNanos, handedNanos);
        took(Part.ACCEPTING, dueNanos, handedNanos - inNanos);
    }

    /**
     * Counts an event that the next process or a subscriber accepted.
     *
     * @param readyNanos the time at which the event was ready to send
     * @param firstOutNanos the time of the first request for the event
     * @param outNanos the time of the successful request
     */
    void delivered(long dueNanos, long readyNanos, long firstOutNanos, long outNanos, long answeredNanos) {
        count(Fact.DELIVERED);
        age(Checkpoint.OUT, dueNanos, outNanos);
        age(Checkpoint.ANSWERED, dueNanos, answeredNanos);
        took(Part.WAITING, dueNanos, firstOutNanos - readyNanos);
        took(Part.DELIVERING, dueNanos, answeredNanos - outNanos);
    }

    void acked(int partition, long offset, long nanos) {
        long key = AckTimes.key(partition, offset);
        if (acks.keys.compareAndSet(AckTimes.place(key), ~key, 0)) {
            took(Part.FETCHING, 0);
        } else {
            acks.times.set(AckTimes.place(key), nanos);
            acks.keys.set(AckTimes.place(key), key);
        }
    }

    void fetched(int partition, long offset, long nanos) {
        long key = AckTimes.key(partition, offset);
        long acked = acks.times.get(AckTimes.place(key));
        if (acks.keys.compareAndSet(AckTimes.place(key), key, 0)) {
            took(Part.FETCHING, Math.max(0, nanos - acked));
        } else {
            acks.keys.set(AckTimes.place(key), ~key);
        }
    }

    private void took(Part part, long nanos) {
        of(parts, part).add(nanos);
        of(lately, part).record(nanos);
    }

    /** Limits ages and times to events due in this period; without a call there are none. */
    void limitTimes(long fromNanos, long toNanos) {
        span = new Span(fromNanos, toNanos);
    }

    void count(Fact fact) {
        of(events, fact).increment();
    }

    long events(Fact fact) {
        return of(events, fact).sum();
    }

    private static <K extends Enum<K>, V> V of(Map<K, V> all, K key) {
        return Objects.requireNonNull(all.get(key));
    }

    void counts(ObjDoubleConsumer<String> into) {
        events.forEach((fact, count) -> into.accept("events." + word(fact), (double) count.sum()));
        into.accept("events.refused", (double) server.refused.sum());
        into.accept("events.full", (double) server.full.sum());
    }

    /** Reports all figures. A time without events has zeros and no percentile. */
    void report(ObjDoubleConsumer<String> into) {
        ages.forEach((at, sum) -> reportSum(into, "age." + word(at), sum));
        parts.forEach((part, sum) -> reportSum(into, "part." + word(part), sum));
        lately.forEach((part, second) -> {
            double millis = second.takeMillis(PERCENTILE);
            if (!Double.isNaN(millis)) {
                into.accept("part." + word(part) + ".p99.ms", millis);
            }
        });
        counts(into);
    }

    private static void reportSum(ObjDoubleConsumer<String> into, String name, Sum sum) {
        into.accept(name + ".count", (double) sum.count.sum());
        into.accept(name + ".ms", sum.nanos.sum() / MILLI);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
