package weir.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.results.value.DisturbanceResult;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.GeneratorResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;
import weir.results.value.TrialResult.DuringResult;

/** Results made up for a test. */
public final class Trials {
    private Trials() {}

    /** Steps of {offered, achieved, response p99 in ms}. */
    public static TrialResult stepped(String variant, int repeat, double[][] steps) {
        List<StepResult> results = new ArrayList<>();
        for (int i = 0; i < steps.length; i++) {
            Figures figures = figures(steps[i][0], steps[i][1], steps[i][2], 0);
            results.add(new StepResult(
                    steps[i][0], i + 2, NumberFormat.rate(steps[i][0]), 10.0 * i, 10, figures, null, null, null, null));
        }
        return trial(variant, repeat, results.get(0).figures(), results);
    }

    /** A closed loop. */
    public static TrialResult max(String variant, int repeat, double acked) {
        return max(variant, repeat, acked, 12);
    }

    public static TrialResult max(String variant, int repeat, double acked, double p99) {
        return trial(variant, repeat, figures(null, acked, p99, 0), List.of());
    }

    public static TrialResult trial(String variant, int repeat, Figures figures, List<StepResult> steps) {
        return undisturbed(
                repeat,
                variant,
                repeat,
                "2026-11-20T06:00:00Z",
                10,
                new TreeMap<>(),
                figures,
                GeneratorResult.NONE,
                steps);
    }

    /** A trial that nothing disturbs, and whose readers have nothing to catch up with. */
    public static TrialResult undisturbed(
            int trial,
            String variant,
            int repeat,
            String startedAt,
            double seconds,
            SortedMap<String, String> settings,
            Figures figures,
            GeneratorResult generator,
            List<StepResult> steps) {
        return new TrialResult(
                trial,
                variant,
                repeat,
                startedAt,
                seconds,
                settings,
                figures,
                List.of(),
                List.of(),
                generator,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                steps,
                null,
                List.of());
    }

    /** The same, under these settings. */
    public static TrialResult with(Map<String, String> settings, TrialResult trial) {
        return changed(trial, new TreeMap<>(settings), trial.disturbances(), trial.during());
    }

    /** Such steps in which events are delivered, from end to end in twice the response, for so much CPU a record. */
    public static TrialResult delivered(String variant, int repeat, double[][] steps, double cpuMicros) {
        TrialResult plain = stepped(variant, repeat, steps);
        List<StepResult> read = new ArrayList<>();
        for (StepResult step : plain.steps()) {
            LatencyResult r = step.figures().response();
            LatencyResult e2e = new LatencyResult(
                    twice(r.p50()),
                    twice(r.p90()),
                    twice(r.p99()),
                    twice(r.p999()),
                    twice(r.p9999()),
                    twice(r.max()),
                    twice(r.mean()),
                    r.count(),
                    null,
                    null);
            Figures figures = with(step.figures(), 0, LatencyResult.NONE, e2e);
            read.add(new StepResult(
                    step.rate(),
                    step.step(),
                    step.label(),
                    step.from(),
                    step.seconds(),
                    figures,
                    null,
                    null,
                    null,
                    null));
        }
        return with(
                        Map.of("bridge.path", variant),
                        trial(variant, repeat, read.get(0).figures(), read))
                .with(new TreeMap<>(Map.of("generator", cpuMicros)), new TreeMap<>(), List.of());
    }

    private static @Nullable Double twice(@Nullable Double millis) {
        return millis == null ? null : (Double) (2 * millis);
    }

    /** The same, disturbed. */
    public static TrialResult disturbed(TrialResult trial, List<DisturbanceResult> disturbances) {
        return changed(trial, trial.settings(), disturbances, trial.during());
    }

    /** The figures of a disturbance in whose seconds 100/s were due, with this response. */
    public static DuringResult during(String disturbance, LatencyResult response) {
        Map<RateKind, Double> rates = Map.of(RateKind.OFFERED, 100.0, RateKind.ACKED, 100.0);
        return new DuringResult(
                disturbance,
                new Figures(Map.of(), rates, Map.of(LatencyKind.RESPONSE, response), LagResult.NONE, null));
    }

    /** The same, with figures of the seconds of a disturbance. */
    public static TrialResult during(TrialResult trial, DuringResult figures) {
        return changed(trial, trial.settings(), trial.disturbances(), List.of(figures));
    }

    private static TrialResult changed(
            TrialResult trial,
            SortedMap<String, String> settings,
            List<DisturbanceResult> disturbances,
            List<DuringResult> during) {
        return new TrialResult(
                trial.trial(),
                trial.variant(),
                trial.repeat(),
                trial.startedAt(),
                trial.seconds(),
                settings,
                trial.figures(),
                disturbances,
                during,
                trial.generator(),
                trial.cpu(),
                trial.allocated(),
                trial.hops(),
                trial.steps(),
                trial.catchUp(),
                trial.failures());
    }

    /** One step at 100/s in which one message in twenty never ended. */
    public static TrialResult unended(String variant, int repeat, double p99) {
        Figures figures = figures(100.0, 100, p99, 0, 95.0);
        return trial(
                variant,
                repeat,
                figures,
                List.of(new StepResult(100.0, 2, "100/s", 0, 10, figures, null, null, null, null)));
    }

    /** The same, of whose first step so many messages were never sent. */
    public static TrialResult unsent(TrialResult trial, long unsent) {
        return changed(trial, f -> with(f, unsent, LatencyResult.NONE, f.e2e()));
    }

    /** The same, whose generator was so late in the first step at p99 that this many messages were never sent. */
    public static TrialResult late(TrialResult trial, double lateP99, long unsent) {
        LatencyResult late = new LatencyResult(1.0, 2.0, lateP99, lateP99, lateP99, lateP99, 1.0, 1_000, null, null);
        return changed(trial, f -> with(f, unsent, late, f.e2e()));
    }

    /** The same, in whose first step somebody read. */
    public static TrialResult read(TrialResult trial, double e2eP99) {
        LatencyResult e2e = new LatencyResult(1.0, 2.0, e2eP99, e2eP99, e2eP99, e2eP99, 1.0, 1_000, null, null);
        return changed(trial, f -> with(f, 0, LatencyResult.NONE, e2e));
    }

    private static TrialResult changed(TrialResult trial, UnaryOperator<Figures> change) {
        StepResult first = trial.steps().get(0);
        Figures figures = change.apply(first.figures());
        StepResult step = new StepResult(
                first.rate(),
                first.step(),
                first.label(),
                first.from(),
                first.seconds(),
                figures,
                null,
                null,
                null,
                null);
        return trial(trial.variant(), trial.repeat(), figures, List.of(step));
    }

    private static Figures with(Figures f, long unsent, LatencyResult late, LatencyResult e2e) {
        Map<Count, Long> counts = new TreeMap<>(f.counts());
        counts.put(Count.UNSENT, unsent);
        Map<LatencyKind, LatencyResult> latencies =
                Map.of(LatencyKind.RESPONSE, f.response(), LatencyKind.LATE, late, LatencyKind.E2E, e2e);
        return new Figures(counts, f.rates(), latencies, LagResult.NONE, null);
    }

    /** A trial that was killed before anything was measured. */
    public static TrialResult unmeasured(Map<String, String> settings) {
        Figures nothing = new Figures(
                Map.of(Count.DUE, 0L, Count.SENT, 0L, Count.ACKED, 0L, Count.FAILED, 0L, Count.RECEIVED, 0L),
                Map.of(),
                Map.of(),
                LagResult.NONE,
                null);
        return undisturbed(
                2,
                "a",
                1,
                "2026-11-20T06:00:00Z",
                0,
                new TreeMap<>(settings),
                nothing,
                GeneratorResult.NONE,
                List.of());
    }

    public static Figures figures(@Nullable Double offered, double acked, double p99, long lost) {
        return figures(offered, acked, p99, lost, null);
    }

    private static Figures figures(
            @Nullable Double offered, double acked, double p99, long lost, @Nullable Double atLeastBeyond) {
        long count = Math.round(acked * 10);
        Balance balance = Balances.of(Map.of(
                Count.DUE, count,
                Count.SENT, count,
                Count.ACKED, count,
                Count.RECEIVED, Balance.UNKNOWN,
                Count.UNREAD, Balance.UNKNOWN,
                Count.LOST, lost));
        Map<RateKind, Double> rates = new TreeMap<>(Map.of(RateKind.ACKED, acked, RateKind.MEBIBYTES, acked / 1000));
        if (offered != null) {
            rates.put(RateKind.OFFERED, offered);
        }
        LatencyResult response = new LatencyResult(
                p99 / 2, p99 / 1.5, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 2, count, atLeastBeyond, null);
        return new Figures(balance.counts(), rates, Map.of(LatencyKind.RESPONSE, response), LagResult.NONE, null);
    }
}
