package weir.load.wire;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import weir.load.engine.EngineCounters;
import weir.load.engine.EnginePort;

/** The engine's own figures, under the names that the clients have for theirs, each over the time since the look before. */
final class WireExplanation {
    private final Map<WireCount, Long> sent = new EnumMap<>(WireCount.class);
    private final Map<WireCount, Long> read = new EnumMap<>(WireCount.class);

    /** The increase of the counters in between, and the figures to report it in. */
    private record Since(Map<WireCount, Long> more, EnginePort.Figures into) {
        void mean(String name, WireCount sum, WireCount of, double unit) {
            long count = more.getOrDefault(of, 0L);
            if (count > 0) {
                into.figure(name, more.getOrDefault(sum, 0L) / unit / count);
            }
        }
    }

    void senders(Collection<EngineCounters<WireCount>> tallies, EnginePort.Figures into) {
        if (tallies.isEmpty()) {
            return;
        }
        Since since = since(sent, tallies, into);
        since.mean("producer.batch-size-avg", WireCount.BYTES, WireCount.BATCHES, 1);
        since.mean("producer.records-per-request-avg", WireCount.RECORDS, WireCount.REQUESTS, 1);
        since.mean("producer.compression-rate-avg", WireCount.BYTES, WireCount.RAW_BYTES, 1);
        since.mean("producer.request-latency-avg", WireCount.LATENCY_NANOS, WireCount.REQUESTS, 1e6);
        since.mean("producer.record-queue-time-avg", WireCount.QUEUE_NANOS, WireCount.BATCHES, 1e6);
        since.mean("producer.produce-throttle-time-avg", WireCount.THROTTLE_MILLIS, WireCount.REQUESTS, 1);
        into.figure(
                "producer.requests-in-flight", total(tallies, WireCount.BEGUN) - total(tallies, WireCount.REQUESTS));
        into.figure("producer.record-retry-total", total(tallies, WireCount.RETRIES));
        into.figure("producer.record-error-total", total(tallies, WireCount.ERRORS));
    }

    void receivers(Collection<EngineCounters<WireCount>> tallies, EnginePort.Figures into) {
        if (tallies.isEmpty()) {
            return;
        }
        Since since = since(read, tallies, into);
        since.mean("consumer.fetch-latency-avg", WireCount.LATENCY_NANOS, WireCount.REQUESTS, 1e6);
        since.mean("consumer.fetch-size-avg", WireCount.BYTES, WireCount.REQUESTS, 1);
        since.mean("consumer.records-per-request-avg", WireCount.RECORDS, WireCount.REQUESTS, 1);
        since.mean("consumer.fetch-throttle-time-avg", WireCount.THROTTLE_MILLIS, WireCount.REQUESTS, 1);
        into.figure("consumer.fetch-total", total(tallies, WireCount.REQUESTS));
    }

    private static Since since(
            Map<WireCount, Long> before, Collection<EngineCounters<WireCount>> tallies, EnginePort.Figures into) {
        Map<WireCount, Long> more = new EnumMap<>(WireCount.class);
        for (WireCount count : WireCount.values()) {
            long now = sum(tallies, count);
            more.put(count, now - before.getOrDefault(count, 0L));
            before.put(count, now);
        }
        return new Since(more, into);
    }

    private static double total(Collection<EngineCounters<WireCount>> tallies, WireCount count) {
        return (double) sum(tallies, count);
    }

    private static long sum(Collection<EngineCounters<WireCount>> tallies, WireCount count) {
        return tallies.stream().mapToLong(counters -> counters.now(count)).sum();
    }
}
