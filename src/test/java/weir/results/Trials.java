package weir.results;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.plan.RecordKeys;
import weir.results.value.DisturbanceResult;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.GeneratorResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;
import weir.results.value.TrialResult.DuringResult;

/** Made-up results from rows of counts, rates and latencies; {@link RecordKeys#with} changes the rest. */
public final class Trials {
    private Trials() {}

    /** Returns an experiment that {@code weir run x.yaml} started. */
    public static RequestedExperiment asked(String name, RequestedExperiment.Variant... variants) {
        return new RequestedExperiment(
                "1", "weir run x.yaml", name, "", 1, false, List.of(variants), List.of(), new TreeMap<>(), List.of());
    }

    public static RunFolder folder(Path root, Instant start, RequestedExperiment asked) {
        return RunFolder.create(root, start, "", asked, path -> {});
    }

    /** Returns the end of a trial that was measured for these seconds and ran to its end. */
    public static TrialEnd end(double seconds, @Nullable Balance all, TrialEnd.Step... steps) {
        return new TrialEnd(
                "2026-11-20T12:00:01Z",
                new TrialEnd.WarmedUp(0, true),
                new TrialEnd.Measured(0, seconds, List.of(steps), all, null, null, List.of(), List.of()),
                new TrialEnd.Generator(1.8, 90.0, new TreeMap<>()),
                "",
                List.of(),
                new TrialEnd.Clocks(0, 0));
    }

    /** Returns a trial with steps of {offered, achieved, response p99 in ms}. */
    public static TrialResult stepped(String variant, int repeat, double[][] steps) {
        List<StepResult> results = new ArrayList<>();
        for (int i = 0; i < steps.length; i++) {
            results.add(step(steps[i][0], i + 2, 10.0 * i, figures(steps[i][0], steps[i][1], steps[i][2], 0)));
        }
        return trial(variant, repeat, results.get(0).figures(), results);
    }

    public static StepResult step(double rate, int number, double from, Figures figures) {
        return new StepResult(rate, number, NumberFormat.rate(rate), from, 10, figures, null, null, null, null);
    }

    public static TrialResult max(String variant, int repeat, double acked) {
        return max(variant, repeat, acked, 12);
    }

    public static TrialResult max(String variant, int repeat, double acked, double p99) {
        return trial(variant, repeat, figures(null, acked, p99, 0), List.of());
    }

    /** Returns an undisturbed trial of ten seconds whose readers have nothing to catch up with. */
    public static TrialResult trial(String variant, int repeat, Figures figures, List<StepResult> steps) {
        return new TrialResult(
                repeat,
                variant,
                repeat,
                "2026-11-20T06:00:00Z",
                10,
                new TreeMap<>(),
                figures,
                List.of(),
                List.of(),
                GeneratorResult.NONE,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                steps,
                null,
                List.of());
    }

    public static TrialResult with(Map<String, String> settings, TrialResult trial) {
        return RecordKeys.with(trial, Map.of("settings", new TreeMap<>(settings)));
    }

    /** Returns such steps with delivered events: e2e is twice the response, with this CPU per record. */
    public static TrialResult delivered(String variant, int repeat, double[][] steps, double cpuMicros) {
        List<StepResult> read = new ArrayList<>();
        for (StepResult step : stepped(variant, repeat, steps).steps()) {
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
            read.add(RecordKeys.with(step, Map.of("figures", figures)));
        }
        return with(
                        Map.of("bridge.path", variant),
                        trial(variant, repeat, read.get(0).figures(), read))
                .with(new TreeMap<>(Map.of("generator", cpuMicros)), new TreeMap<>(), List.of());
    }

    private static @Nullable Double twice(@Nullable Double millis) {
        return millis == null ? null : (Double) (2 * millis);
    }

    public static TrialResult disturbed(TrialResult trial, List<DisturbanceResult> disturbances) {
        return RecordKeys.with(trial, Map.of("disturbances", disturbances));
    }

    /** Returns the figures of a disturbance at 100/s with this response. */
    public static DuringResult during(String disturbance, LatencyResult response) {
        Map<RateKind, Double> rates = Map.of(RateKind.OFFERED, 100.0, RateKind.ACKED, 100.0);
        return new DuringResult(disturbance, figures(Map.of(), rates, Map.of(LatencyKind.RESPONSE, response)));
    }

    public static TrialResult during(TrialResult trial, DuringResult figures) {
        return RecordKeys.with(trial, Map.of("during", List.of(figures)));
    }

    /** Returns a trial of one step at 100/s in which one message in twenty never ended. */
    public static TrialResult unended(String variant, int repeat, double p99) {
        Figures figures = figures(100.0, 100, p99, 0, 95.0);
        return trial(variant, repeat, figures, List.of(step(100, 2, 0, figures)));
    }

    /** Returns the trial with this number of unsent messages in its first step. */
    public static TrialResult unsent(TrialResult trial, long unsent) {
        return changed(trial, f -> with(f, unsent, LatencyResult.NONE, f.e2e()));
    }

    /** Returns the trial with a late generator in the first step (p99), and with this number of unsent messages. */
    public static TrialResult late(TrialResult trial, double lateP99, long unsent) {
        return changed(trial, f -> with(f, unsent, tail(lateP99), f.e2e()));
    }

    /** Returns the trial with a reader in its first step. */
    public static TrialResult read(TrialResult trial, double e2eP99) {
        return changed(trial, f -> with(f, 0, LatencyResult.NONE, tail(e2eP99)));
    }

    private static LatencyResult tail(double p99) {
        return new LatencyResult(1.0, 2.0, p99, p99, p99, p99, 1.0, 1_000, null, null);
    }

    private static TrialResult changed(TrialResult trial, UnaryOperator<Figures> change) {
        StepResult first = trial.steps().get(0);
        Figures figures = change.apply(first.figures());
        StepResult step = RecordKeys.with(first, Map.of("figures", figures));
        return trial(trial.variant(), trial.repeat(), figures, List.of(step));
    }

    private static Figures with(Figures f, long unsent, LatencyResult late, LatencyResult e2e) {
        Map<Count, Long> counts = new TreeMap<>(f.counts());
        counts.put(Count.UNSENT, unsent);
        Map<LatencyKind, LatencyResult> latencies =
                Map.of(LatencyKind.RESPONSE, f.response(), LatencyKind.LATE, late, LatencyKind.E2E, e2e);
        return figures(counts, f.rates(), latencies);
    }

    /** Returns a trial that was killed before anything was measured. */
    public static TrialResult unmeasured(Map<String, String> settings) {
        Figures nothing = figures(Balances.counts("due 0, sent 0, acked 0, failed 0, received 0"), Map.of(), Map.of());
        return RecordKeys.with(
                trial("a", 1, nothing, List.of()),
                Map.of("trial", 2, "seconds", 0.0, "settings", new TreeMap<>(settings)));
    }

    public static Figures figures(
            Map<Count, Long> counts, Map<RateKind, Double> rates, Map<LatencyKind, LatencyResult> latencies) {
        return new Figures(counts, rates, latencies, LagResult.NONE, null);
    }

    public static Figures figures(@Nullable Double offered, double acked, double p99, long lost) {
        return figures(offered, acked, p99, lost, null);
    }

    private static Figures figures(
            @Nullable Double offered, double acked, double p99, long lost, @Nullable Double atLeastBeyond) {
        long count = Math.round(acked * 10);
        Balance balance =
                Balances.of("due $1, sent $2, acked $3, received -1, unread -1, lost $4", count, count, count, lost);
        Map<RateKind, Double> rates = new TreeMap<>(Map.of(RateKind.ACKED, acked, RateKind.MEBIBYTES, acked / 1000));
        if (offered != null) {
            rates.put(RateKind.OFFERED, offered);
        }
        LatencyResult response = new LatencyResult(
                p99 / 2, p99 / 1.5, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 2, count, atLeastBeyond, null);
        return figures(balance.counts(), rates, Map.of(LatencyKind.RESPONSE, response));
    }
}
