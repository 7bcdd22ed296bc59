package weir.results.value;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.measure.LatencyKind;

/**
 * The numbers of a trial or of one of its steps. Unknown numbers are absent, never zero.
 *
 * @param atomicity null if operations are single records, or for a single step
 */
public record Figures(
        Map<Count, Long> counts,
        Map<RateKind, Double> rates,
        Map<LatencyKind, LatencyResult> latencies,
        LagResult lag,
        @Nullable Atomicity atomicity) {
    public static final List<LatencyKind> OF_MESSAGES = List.of(
            LatencyKind.RESPONSE,
            LatencyKind.SERVICE,
            LatencyKind.BACKPRESSURE,
            LatencyKind.LATE,
            LatencyKind.BLOCKED,
            LatencyKind.E2E);

    /** The latencies of serialized values, and of readers that work or are members of a group. */
    public static final List<LatencyKind> OF_STAGES =
            List.of(LatencyKind.SERIALIZE, LatencyKind.DESERIALIZE, LatencyKind.PROCESSED, LatencyKind.PAUSE);

    public static final List<LatencyKind> OF_OPERATIONS = List.of(
            LatencyKind.BEGIN,
            LatencyKind.SEND,
            LatencyKind.OFFSETS,
            LatencyKind.COMMIT,
            LatencyKind.TRANSACTION,
            LatencyKind.ABORT,
            LatencyKind.FETCH);

    /** The latencies of failed operations and, if some failed, of successful operations. */
    public static final List<LatencyKind> OF_OUTCOMES = List.of(LatencyKind.SUCCESS, LatencyKind.FAILURE);

    public Figures {
        counts = Collections.unmodifiableMap(new TreeMap<>(counts));
        rates = Collections.unmodifiableMap(new TreeMap<>(rates));
        latencies = new TreeMap<>(latencies);
        latencies.values().removeIf(LatencyResult.NONE::equals);
        latencies = Collections.unmodifiableMap(latencies);
    }

    /** True if nothing was measured, so that no verdict is possible. */
    public boolean nothing() {
        return rates.isEmpty();
    }

    public @Nullable Long count(Count count) {
        return counts.get(count);
    }

    /** The count, or zero if it is unknown; only for sums. */
    public long orZero(Count count) {
        return counts.getOrDefault(count, 0L);
    }

    public @Nullable Long count(String metric) {
        return switch (metric) {
            // If an operation is a record, the acked records count.
            case "operations" -> operates() ? count(Count.OPERATIONS) : count(Count.ACKED);
            case "torn" -> atomicity == null ? null : atomicity.torn();
            default -> count(Count.of(metric));
        };
    }

    public @Nullable Double rate(RateKind rate) {
        return rates.get(rate);
    }

    /** The acked rate, or the received rate without senders. */
    public @Nullable Double carriedPerSecond() {
        Double acked = ackedPerSecond();
        return acked == null ? receivedPerSecond() : acked;
    }

    public Figures with(RateKind rate, double perSecond) {
        Map<RateKind, Double> all = new TreeMap<>(rates);
        all.put(rate, perSecond);
        return new Figures(counts, all, latencies, lag, atomicity);
    }

    /** The same figures with this possible error of the end-to-end latency, in milliseconds. */
    public Figures e2eWithin(double millis) {
        LatencyResult e2e = e2e();
        if (e2e.count() == 0) {
            return this;
        }
        Map<LatencyKind, LatencyResult> all = new TreeMap<>(latencies);
        all.put(LatencyKind.E2E, e2e.within(millis));
        return new Figures(counts, rates, all, lag, atomicity);
    }

    public double orZero(RateKind rate) {
        return rates.getOrDefault(rate, 0.0);
    }

    public LatencyResult latency(LatencyKind kind) {
        return latencies.getOrDefault(kind, LatencyResult.NONE);
    }

    public @Nullable Double offeredPerSecond() {
        return rate(RateKind.OFFERED);
    }

    public @Nullable Double ackedPerSecond() {
        return rate(RateKind.ACKED);
    }

    public @Nullable Double receivedPerSecond() {
        return rate(RateKind.RECEIVED);
    }

    public @Nullable Double mebibytesPerSecond() {
        return rate(RateKind.MEBIBYTES);
    }

    public LatencyResult response() {
        return latency(LatencyKind.RESPONSE);
    }

    /** The response of successful operations; empty without success, and in old runs with failures. */
    public LatencyResult successes() {
        return unsuccessful() == 0 ? response() : latency(LatencyKind.SUCCESS);
    }

    public LatencyResult failures() {
        return latency(LatencyKind.FAILURE);
    }

    /** True if more than half of the due operations failed or never ended. Then percentiles of response are bounds. */
    public boolean mostFailed() {
        return 2 * unsuccessful() > orZero(Count.DUE);
    }

    private long unsuccessful() {
        return orZero(Count.FAILED) + orZero(Count.UNRESOLVED) + orZero(Count.UNSENT);
    }

    public LatencyResult late() {
        return latency(LatencyKind.LATE);
    }

    public LatencyResult e2e() {
        return latency(LatencyKind.E2E);
    }

    public boolean operates() {
        return counts.containsKey(Count.OPERATIONS);
    }

    public List<String> violations() {
        return atomicity == null ? List.of() : atomicity.violations();
    }

    /** The lag of readers: its maximum and its last value in records, and the age of the oldest unread record. */
    public record LagResult(
            @Nullable Long max,
            @Nullable Long end,
            @Nullable Double maxSeconds) {
        public static final LagResult NONE = new LagResult(null, null, null);
    }
}
