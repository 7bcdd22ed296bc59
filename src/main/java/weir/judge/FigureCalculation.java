package weir.judge;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.LoadSpec;
import weir.results.PlannedTrial;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;

/** Turns counts and histograms into the figures of a result. */
public final class FigureCalculation {
    private FigureCalculation() {}

    /**
     * Counts and latencies are of messages due in the steps; rates are of events while the steps ran. Without a ledger
     * only the counts of windows are known.
     */
    public static Figures of(
            Numbers numbers,
            @Nullable Balance ledger,
            double seconds,
            PlannedTrial plan,
            LagResult lag,
            @Nullable Atomicity atomicity) {
        boolean sends = plan.workload() != LoadSpec.Workload.CONSUME;
        boolean reads = plan.reads() || !sends;
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        counts.putAll(ledger == null ? unclosed(numbers, reads) : ledger.counts());
        if (nothing(numbers, sends)) {
            // A zero count among no messages is no finding; a loss is one, whenever its message was due.
            counts.values().removeIf(count -> count == 0);
            return new Figures(counts, Map.of(), Map.of(), LagResult.NONE, null);
        }
        Map<RateKind, Double> rates = new EnumMap<>(RateKind.class);
        if (seconds > 0) {
            long bytes = numbers.count(Count.BYTES_ACKED_DURING);
            rates.put(
                    RateKind.MEBIBYTES,
                    (bytes > 0 ? bytes : numbers.count(Count.BYTES_RECEIVED_DURING)) / (double) (1 << 20) / seconds);
            if (plan.offered()) {
                rates.put(RateKind.OFFERED, counts.getOrDefault(Count.DUE, 0L) / seconds);
            }
            if (sends) {
                rates.put(RateKind.ACKED, numbers.count(Count.ACKED_DURING) / seconds);
            }
            if (reads) {
                rates.put(RateKind.RECEIVED, numbers.count(Count.RECEIVED_DURING) / seconds);
            }
            if (plan.operates()) {
                rates.put(RateKind.OPERATIONS, numbers.count(Count.OPERATIONS_DURING) / seconds);
            }
        }
        Map<LatencyKind, LatencyResult> latencies = new EnumMap<>(LatencyKind.class);
        Figures.OF_MESSAGES.forEach(kind -> latencies.put(kind, LatencyResult.of(numbers.latency(kind))));
        if (!numbers.latency(LatencyKind.BOUND).empty()) {
            latencies.put(LatencyKind.SUCCESS, LatencyResult.of(numbers.successes()));
            latencies.put(LatencyKind.FAILURE, LatencyResult.of(numbers.latency(LatencyKind.FAILURE)));
        }
        if (plan.operates()) {
            counts.put(Count.OPERATIONS, numbers.count(Count.OPERATIONS));
            Figures.OF_OPERATIONS.forEach(kind -> latencies.put(kind, LatencyResult.of(numbers.latency(kind))));
        }
        return new Figures(counts, rates, latencies, lag, atomicity);
    }

    private static boolean nothing(Numbers numbers, boolean sends) {
        return (!sends || numbers.due() == 0)
                && numbers.count(Count.ACKED_DURING) == 0
                && numbers.count(Count.RECEIVED_DURING) == 0;
    }

    private static Map<Count, Long> unclosed(Numbers numbers, boolean reads) {
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        List.of(Count.DUE, Count.SENT, Count.ACKED, Count.FAILED, Count.RECEIVED)
                .forEach(count -> counts.put(count, numbers.count(count)));
        if (!reads) {
            counts.remove(Count.RECEIVED);
        }
        return counts;
    }
}
