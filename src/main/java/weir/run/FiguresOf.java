package weir.run;

import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.Latency;
import weir.measure.Metric;
import weir.measure.Numbers;
import weir.results.Figures;
import weir.results.LagResult;
import weir.results.LatencyResult;

/** Turns counts and histograms into the figures of a result. */
final class FiguresOf {
    private FiguresOf() {}

    /**
     * @param due what belongs to the step because it was due in it
     * @param inside what happened while the step ran, whatever it belongs to: the rates
     */
    static Figures step(Numbers due, Balance balance, Inside inside, double seconds, boolean offered, LagResult lag) {
        return new Figures(
                offered ? perSecond((double) balance.due(), seconds) : null,
                balance.due(),
                balance.unsent(),
                balance.sent(),
                balance.acked(),
                balance.failed(),
                balance.aborted(),
                balance.unresolved(),
                known(balance.received()),
                known(balance.unread()),
                known(balance.lost()),
                known(balance.duplicated()),
                known(balance.reread()),
                known(balance.reordered()),
                known(balance.ghosts()),
                known(balance.foreign()),
                known(balance.expired()),
                perSecond(inside.acked(), seconds),
                perSecond(inside.received(), seconds),
                perSecond(inside.bytes() / (double) (1 << 20), seconds),
                latency(due.latency(Metric.RESPONSE)),
                latency(due.latency(Metric.SERVICE)),
                latency(due.latency(Metric.HELD)),
                latency(due.latency(Metric.LATE)),
                latency(due.latency(Metric.BLOCKED)),
                latency(due.latency(Metric.E2E)),
                lag);
    }

    /** Events between two moments. */
    record Inside(double acked, double received, double bytes) {}

    static LatencyResult latency(Latency latency) {
        if (latency.empty()) {
            return LatencyResult.NONE;
        }
        return new LatencyResult(
                latency.millis(50),
                latency.millis(90),
                latency.millis(99),
                latency.millis(99.9),
                latency.millis(99.99),
                latency.maxMillis(),
                latency.meanMillis(),
                latency.count());
    }

    private static @Nullable Long known(long count) {
        return count == Balance.UNKNOWN ? null : count;
    }

    private static @Nullable Double perSecond(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : null;
    }
}
