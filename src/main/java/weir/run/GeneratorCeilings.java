package weir.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.judge.RateRule;
import weir.judge.caveat.GeneratorCaveats;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.PhaseTimes;
import weir.measure.Series;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.trial.SendersAlone;
import weir.plan.trial.Trial;
import weir.results.value.GeneratorResult;
import weir.results.value.GeneratorResult.AloneResult;
import weir.results.value.NumberFormat;
import weir.run.lab.Lab;
import weir.time.TimeLimit;
import weir.worker.Bridge;
import weir.worker.GivenBridge;
import weir.worker.LoadPhase;
import weir.worker.Worker;

/**
 * The highest rate of each kind of sender into a null target on this machine. If requested, Weir also tests the rates
 * of the experiment with the null target. Weir measures only once, before brokers use CPU.
 */
public final class GeneratorCeilings {
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final long SECOND = 1_000_000_000L;

    private final RunContext run;
    private final RunListeners listeners;
    private final BooleanSupplier interrupted;
    private final Map<Variant, List<AloneResult>> paces = new HashMap<>();
    private final Map<String, GeneratorResult> found = new HashMap<>();

    GeneratorCeilings(RunContext run, BooleanSupplier interrupted) {
        this.run = run;
        this.listeners = run.listeners();
        this.interrupted = interrupted;
    }

    GeneratorResult of(Variant variant) {
        if (found.isEmpty()) {
            Map<Variant, GeneratorResult> same = new HashMap<>();
            for (Variant each : run.experiment().variants()) {
                String none = SendersAlone.none(run.experiment(), each);
                GeneratorResult ceiling = none.isEmpty()
                        ? same.computeIfAbsent(SendersAlone.ceiling(each), alone -> measure(each, alone))
                        : known(null, none);
                found.put(each.name(), ceiling.alone(alone(each)));
            }
        }
        return found.getOrDefault(variant.name(), known(null, ""));
    }

    private static GeneratorResult known(@Nullable Double perSecond, String note) {
        return new GeneratorResult(null, null, perSecond, note, List.of(), null);
    }

    private GeneratorResult measure(Variant variant, Variant alone) {
        if (interrupted.getAsBoolean()) {
            return known(null, "interrupted");
        }
        String of = variant.load().producers().engine().name().toLowerCase(Locale.ROOT);
        listeners.note("measuring the ceiling of the " + of + " engine with a null target");
        try {
            Seen seen = seen("ceiling", alone);
            listeners.note("  " + NumberFormat.rate(seen.bestSecond()));
            GeneratorResult ceiling = reached(seen.bestSecond(), seen.cores(), SendersAlone.without(variant));
            if (ceiling.ceilingPerSecond() == null) {
                listeners.note("  " + ceiling.ceilingNote());
            }
            return ceiling;
        } catch (IOException | RuntimeException e) {
            // The ceiling is unknown. A fault that also stops trials ends the first trial.
            listeners.note("  unknown: " + e.getMessage());
            return known(null, "the measurement failed: " + e.getMessage());
        }
    }

    public static GeneratorResult reached(double perSecond, double cores, String note) {
        return cores < GeneratorCaveats.BUSY_CORES
                ? known(
                        null,
                        String.format(
                                Locale.ROOT,
                                "unknown: the generator used only %.1f cores to send %s to a null target, so the CPU"
                                        + " was not the limit of the generator",
                                cores,
                                NumberFormat.rate(perSecond)))
                : known(perSecond, note);
    }

    private List<AloneResult> alone(Variant variant) {
        if (interrupted.getAsBoolean() || !SendersAlone.paced(run.experiment(), variant)) {
            return List.of();
        }
        return paces.computeIfAbsent(SendersAlone.pace(variant), this::tried);
    }

    private List<AloneResult> tried(Variant alone) {
        listeners.note("checking the pace of the generator with a null target");
        try {
            Seen seen = seen("alone", alone);
            List<AloneResult> steps = new ArrayList<>();
            for (PhaseTimes.Step step : seen.measured().steps()) {
                steps.add(result(step, seen.series().total(step.step())));
            }
            steps.stream()
                    .filter(step -> !step.holds())
                    .findFirst()
                    .ifPresentOrElse(
                            step -> listeners.note("  it does not sustain " + NumberFormat.rate(step.rate())),
                            () -> listeners.note("  it sustains every step"));
            return steps;
        } catch (IOException | RuntimeException e) {
            listeners.note("  unknown: " + e.getMessage());
            return List.of();
        }
    }

    private static AloneResult result(PhaseTimes.Step step, Numbers numbers) {
        double seconds = (step.endNanos() - step.startNanos()) / 1e9;
        // Due messages include those that were never sent; acked messages may be due in an earlier step.
        double due = (double) numbers.due();
        double achieved = due == 0 ? Double.NaN : numbers.acked() / due;
        Latency late = numbers.latency(LatencyKind.LATE);
        double lateMillis = late.empty() ? 0 : late.millis(99);
        boolean enough = RateRule.sustained(achieved, 1 - achieved, seconds);
        return new AloneResult(
                due / seconds,
                seconds,
                Double.isNaN(achieved) ? null : achieved,
                lateMillis,
                enough && lateMillis <= RateRule.LATE_MILLIS && numbers.failed() == 0);
    }

    private Seen seen(String name, Variant sending) throws IOException {
        Lab lab = run.lab();
        Path folder = Files.createDirectories(run.folder().path().resolve(name));
        Trial trial = new Trial(1, sending, 1);
        Map<Long, Long> acked = new ConcurrentHashMap<>();
        Series series = new Series();
        LoadListener windows = window -> {
            acked.merge(window.index(), window.all().acked(), Long::sum);
            series.add(window);
            var unused = series.take(Long.MAX_VALUE);
        };
        long originNanos = lab.nanos();
        try (Cluster sink = lab.sink(folder);
                Topics topics = lab.topics(sink, same -> same)) {
            AssignmentFactory assignments = new AssignmentFactory(run.experiment(), trial, sink, 0);
            topics.create(assignments.topics());
            boolean other = sending.load().producers().engine() == LoadSpec.Engine.OTHER;
            try (Bridge bridge = other ? lab.nullServer(folder) : new GivenBridge(List.of());
                    Worker worker = lab.worker(
                            new PlacedSpec.Here(),
                            assignments.jvm(),
                            sending.load().processes(),
                            folder,
                            TimeLimit.NEVER,
                            windows)) {
                var unused = worker.prepare(assignments.assignment(topics, originNanos, bridge));
                worker.run(LoadPhase.WARMUP);
                double before = worker.footprint().cpuSeconds();
                PhaseTimes measured = worker.run(LoadPhase.MEASURE);
                double used = worker.footprint().cpuSeconds() - before;
                worker.drain(DRAIN);
                worker.finish();
                double seconds = (measured.endNanos() - measured.startNanos()) / (double) SECOND;
                long first = (measured.startNanos() - originNanos + SECOND - 1) / SECOND;
                long end = (measured.endNanos() - originNanos) / SECOND;
                double best = LongStream.range(first, end)
                        .map(second -> acked.getOrDefault(second, 0L))
                        .max()
                        .orElse(0);
                return new Seen(
                        measured, best, series, used / seconds / sending.load().processes());
            }
        }
    }

    /**
     * @param bestSecond of acknowledged records, because other load can only lower a rate
     * @param cores the mean cores of each of its processes
     */
    private record Seen(PhaseTimes measured, double bestSecond, Series series, double cores) {}
}
