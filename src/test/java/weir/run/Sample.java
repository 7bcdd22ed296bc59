package weir.run;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** Trials with the figures that a test is about. */
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
        return new Figures(
                offered,
                count,
                0L,
                count,
                count,
                0L,
                0L,
                0L,
                count,
                0L,
                lost,
                0L,
                0L,
                0L,
                0L,
                0L,
                0L,
                acked,
                acked,
                1.0,
                latency(p99),
                latency(p99),
                latency(backpressureP99),
                latency(lateP99),
                latency(0),
                latency(p99),
                LagResult.NONE);
    }

    private LatencyResult latency(double p99) {
        return new LatencyResult(p99 / 4, p99 / 2, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 3, count);
    }

    public TrialResult trial(String variant, int repeat) {
        StepResult step = new StepResult(offered, 2, "1000/s", 10, 60, figures());
        return new TrialResult(
                repeat,
                variant,
                repeat,
                "2026-01-01T00:00:00Z",
                60,
                new TreeMap<>(),
                figures(),
                List.of(),
                GeneratorResult.NONE,
                List.of(step));
    }
}
