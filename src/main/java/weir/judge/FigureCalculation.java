package weir.judge;

import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.LoadSpec;
import weir.results.value.AtomicityResult;
import weir.results.value.Figures;
import weir.results.value.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.OperationsResult;

/** Turns counts and histograms into the figures of a result. */
public final class FigureCalculation {
    private FigureCalculation() {}

    /**
     * Counts and latencies are of what was due in the steps, rates of what happened while they ran. Without a ledger only
     * what happened in so many windows is known.
     */
    public static Figures step(
            Numbers numbers,
            @Nullable Balance ledger,
            double seconds,
            boolean offered,
            LoadSpec.Workload workload,
            LagResult lag) {
        boolean sends = workload != LoadSpec.Workload.CONSUME;
        boolean reads = workload == LoadSpec.Workload.DELIVER || workload == LoadSpec.Workload.CONSUME;
        Balance balance = ledger == null ? unclosed(numbers, reads) : ledger;
        long bytes = numbers.bytesAckedDuring() > 0 ? numbers.bytesAckedDuring() : numbers.bytesReceivedDuring();
        return new Figures(
                offered ? perSecond((double) balance.due(), seconds) : null,
                balance.due(),
                known(balance.unsent()),
                balance.sent(),
                balance.acked(),
                balance.failed(),
                known(balance.aborted()),
                known(balance.unresolved()),
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

    private static Balance unclosed(Numbers numbers, boolean reads) {
        long no = Balance.UNKNOWN;
        return new Balance(
                numbers.due(),
                no,
                numbers.sent(),
                numbers.acked(),
                numbers.failed(),
                no,
                no,
                reads ? numbers.received() : no,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                no,
                0);
    }

    /** The figures of operations, for loads whose operations are more than single records. */
    static OperationsResult operations(Numbers numbers, double seconds, @Nullable AtomicityResult atomicity) {
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

    private static @Nullable Long known(long count) {
        return count == Balance.UNKNOWN ? null : count;
    }

    private static @Nullable Double perSecond(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : null;
    }
}
