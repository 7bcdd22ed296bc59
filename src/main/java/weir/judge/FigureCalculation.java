package weir.judge;

import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.LoadSpec;
import weir.results.AtomicityResult;
import weir.results.Figures;
import weir.results.LagResult;
import weir.results.LatencyResult;
import weir.results.OperationsResult;

/** Turns counts and histograms into the figures of a result. */
public final class FigureCalculation {
    private FigureCalculation() {}

    /** Counts and latencies are of what was due in the steps, rates of what happened while they ran. */
    public static Figures step(
            Numbers numbers,
            Balance balance,
            double seconds,
            boolean offered,
            LoadSpec.Workload workload,
            LagResult lag) {
        boolean sends = workload != LoadSpec.Workload.CONSUME;
        boolean reads = workload == LoadSpec.Workload.DELIVER || workload == LoadSpec.Workload.CONSUME;
        long bytes = numbers.bytesAckedDuring() > 0 ? numbers.bytesAckedDuring() : numbers.bytesReceivedDuring();
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
                sends ? perSecond((double) numbers.ackedDuring(), seconds) : null,
                reads ? perSecond((double) numbers.receivedDuring(), seconds) : null,
                perSecond(bytes / (double) (1 << 20), seconds),
                LatencyResult.of(numbers.latency(LatencyKind.RESPONSE)),
                LatencyResult.of(numbers.latency(LatencyKind.SERVICE)),
                LatencyResult.of(numbers.latency(LatencyKind.BACKPRESSURE)),
                LatencyResult.of(numbers.latency(LatencyKind.LATE)),
                LatencyResult.of(numbers.latency(LatencyKind.BLOCKED)),
                LatencyResult.of(numbers.latency(LatencyKind.E2E)),
                lag);
    }

    /** Of loads whose operations are more than single records. */
    public static OperationsResult operations(Numbers numbers, double seconds, @Nullable AtomicityResult atomicity) {
        return new OperationsResult(
                numbers.operations(),
                perSecond((double) numbers.operationsDuring(), seconds),
                LatencyResult.of(numbers.latency(LatencyKind.BEGIN)),
                LatencyResult.of(numbers.latency(LatencyKind.SEND)),
                LatencyResult.of(numbers.latency(LatencyKind.OFFSETS)),
                LatencyResult.of(numbers.latency(LatencyKind.COMMIT)),
                LatencyResult.of(numbers.latency(LatencyKind.ABORT)),
                LatencyResult.of(numbers.latency(LatencyKind.TRANSACTION)),
                LatencyResult.of(numbers.latency(LatencyKind.FETCH)),
                atomicity);
    }

    /** Of a whole trial, whatever phase a transaction was in. */
    public static AtomicityResult atomicity(Atomicity found) {
        return new AtomicityResult(
                found.transactions(),
                found.aborted(),
                found.fenced(),
                found.timedOut(),
                known(found.abortedReads()),
                known(found.torn()),
                known(found.offsetsWithoutRecord()),
                known(found.recordsWithoutOffset()),
                known(found.writtenTwice()),
                found.violations());
    }

    private static @Nullable Long known(long count) {
        return count == Balance.UNKNOWN ? null : count;
    }

    private static @Nullable Double perSecond(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : null;
    }
}
