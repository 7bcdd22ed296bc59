package weir.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.LatencyKind;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** Trials with the figures of a test. */
public record Sample(
        double offered,
        double acked,
        double p99,
        double lateP99,
        double backpressureP99,
        @Nullable Long lost,
        long count) {
    public static final Sample GOOD = new Sample(1_000, 1_000, 4, 0.1, 0, 0L, 60_000);

    public Sample acked(double perSecond) {
        return new Sample(offered, perSecond, p99, lateP99, backpressureP99, lost, count);
    }

    public Sample p99(double millis) {
        return new Sample(offered, acked, millis, lateP99, backpressureP99, lost, count);
    }

    public Sample late(double millis) {
        return new Sample(offered, acked, p99, millis, backpressureP99, lost, count);
    }

    public Sample backpressure(double millis) {
        return new Sample(offered, acked, p99, lateP99, millis, lost, count);
    }

    public Sample lost(@Nullable Long records) {
        return new Sample(offered, acked, p99, lateP99, backpressureP99, records, count);
    }

    public Sample count(long messages) {
        return new Sample(offered, acked, p99, lateP99, backpressureP99, lost, messages);
    }

    public Figures figures() {
        return Trials.figures(
                Balances.of(
                                "due $1, sent $2, acked $3, received $4, lost $5",
                                count,
                                count,
                                count,
                                count,
                                lost == null ? Balance.UNKNOWN : lost)
                        .counts(),
                Map.of(
                        RateKind.OFFERED,
                        offered,
                        RateKind.ACKED,
                        acked,
                        RateKind.RECEIVED,
                        acked,
                        RateKind.MEBIBYTES,
                        1.0),
                Map.of(
                        LatencyKind.RESPONSE, latency(p99),
                        LatencyKind.SERVICE, latency(p99),
                        LatencyKind.BACKPRESSURE, latency(backpressureP99),
                        LatencyKind.LATE, latency(lateP99),
                        LatencyKind.BLOCKED, latency(0),
                        LatencyKind.E2E, latency(p99)));
    }

    private LatencyResult latency(double p99) {
        return new LatencyResult(p99 / 4, p99 / 2, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 3, count, null, null);
    }

    public TrialResult trial(String variant, int repeat) {
        StepResult step = new StepResult(offered, 2, "1000/s", 10, 60, figures(), null, null, null, null);
        return RecordKeys.with(
                Trials.trial(variant, repeat, figures(), List.of(step)),
                Map.of("startedAt", "2026-01-01T00:00:00Z", "seconds", 60.0));
    }
}
