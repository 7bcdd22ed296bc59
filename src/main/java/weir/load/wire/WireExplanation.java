package weir.load.wire;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import weir.load.engine.EnginePort;
import weir.load.wire.WireCounters.Count;

/** The engine's own figures, under the names that the clients have for theirs, each over the time since the look before. */
final class WireExplanation {
    private final Map<Count, Long> sent = new EnumMap<>(Count.class);
    private final Map<Count, Long> read = new EnumMap<>(Count.class);

    /** The increase of the counters in between, and the figures to report it in. */
    private record Since(Map<Count, Long> more, EnginePort.Figures into) {
        void mean(String name, Count sum, Count of, double unit) {
            long count = more.getOrDefault(of, 0L);
            if (count > 0) {
                into.figure(name, more.getOrDefault(sum, 0L) / unit / count);
            }
        }
    }

    void senders(Collection<WireCounters> tallies, EnginePort.Figures into) {
        if (tallies.isEmpty()) {
            return;
        }
        Since since = since(sent, tallies, into);
        since.mean("producer.batch-size-avg", Count.BYTES, Count.BATCHES, 1);
        since.mean("producer.records-per-request-avg", Count.RECORDS, Count.REQUESTS, 1);
        since.mean("producer.compression-rate-avg", Count.BYTES, Count.RAW_BYTES, 1);
        since.mean("producer.request-latency-avg", Count.LATENCY_NANOS, Count.REQUESTS, 1e6);
        since.mean("producer.record-queue-time-avg", Count.QUEUE_NANOS, Count.BATCHES, 1e6);
        since.mean("producer.produce-throttle-time-avg", Count.THROTTLE_MILLIS, Count.REQUESTS, 1);
        into.figure("producer.requests-in-flight", total(tallies, Count.BEGUN) - total(tallies, Count.REQUESTS));
        into.figure("producer.record-retry-total", total(tallies, Count.RETRIES));
        into.figure("producer.record-error-total", total(tallies, Count.ERRORS));
    }

    void receivers(Collection<WireCounters> tallies, EnginePort.Figures into) {
        if (tallies.isEmpty()) {
            return;
        }
        Since since = since(read, tallies, into);
        since.mean("consumer.fetch-latency-avg", Count.LATENCY_NANOS, Count.REQUESTS, 1e6);
        since.mean("consumer.fetch-size-avg", Count.BYTES, Count.REQUESTS, 1);
        since.mean("consumer.records-per-request-avg", Count.RECORDS, Count.REQUESTS, 1);
        since.mean("consumer.fetch-throttle-time-avg", Count.THROTTLE_MILLIS, Count.REQUESTS, 1);
        into.figure("consumer.fetch-total", total(tallies, Count.REQUESTS));
    }

    private static Since since(Map<Count, Long> before, Collection<WireCounters> tallies, EnginePort.Figures into) {
        Map<Count, Long> more = new EnumMap<>(Count.class);
        for (Count count : Count.values()) {
            long now = sum(tallies, count);
            more.put(count, now - before.getOrDefault(count, 0L));
            before.put(count, now);
        }
        return new Since(more, into);
    }

    private static double total(Collection<WireCounters> tallies, Count count) {
        return (double) sum(tallies, count);
    }

    private static long sum(Collection<WireCounters> tallies, Count count) {
        return tallies.stream().mapToLong(counters -> counters.now(count)).sum();
    }
}
