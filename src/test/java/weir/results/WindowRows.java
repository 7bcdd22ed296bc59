package weir.results;

import java.util.Map;
import weir.measure.Count;
import weir.measure.LatencyKind;

/** Made-up windows. */
public final class WindowRows {
    private WindowRows() {}

    public static WindowRow of(
            double second,
            int step,
            long due,
            long acked,
            long failed,
            long received,
            Map<LatencyKind, WindowRow.Spread> latencies,
            double lag,
            double lagSeconds) {
        Map<Count, Long> counts = Map.of(
                Count.DUE, due, Count.SENT, due, Count.ACKED, acked, Count.FAILED, failed, Count.RECEIVED, received);
        return new WindowRow(second, 1, step, counts, latencies, lag, lagSeconds);
    }
}
