package weir.feature.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import weir.cluster.Broker;
import weir.feature.metrics.BrokerSeries.MetricPoints;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.EnumNames;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;
import weir.run.RunListener;

/**
 * The metrics {@code weir_*} of a run: message counts, phases, disturbances and caveats. The label {@code phase} of a
 * count is the phase in which the message was due. The ledger uses the same phases. So the counts of the metrics and of
 * the ledger are equal at the end of a trial.
 */
public final class RunMetrics implements RunListener {
    private static final String VARIANT = "variant";
    private static final String PHASE = "phase";
    private static final String COMMIT = "commit";
    private static final String GENERATOR = "generator";
    private static final String OUTCOME = "outcome";
    private static final List<String> PHASES = List.of("prepare", "fill", "warm-up", "measure", "drain", "verify");

    private final String weir;
    private final MessageTotals totals = new MessageTotals();
    private final SortedMap<Labels, Double> disturbances = new TreeMap<>();
    private final SortedMap<Labels, Long> caveats = new TreeMap<>();
    private final SortedMap<Labels, Long> attempts = new TreeMap<>();
    private final Map<GeneratorMetric, SortedMap<Labels, Double>> generators = new LinkedHashMap<>();
    private volatile Supplier<List<Broker>> brokers = List::of;
    private Labels run = Labels.EMPTY;
    private Labels trial = Labels.EMPTY;
    private String phase = "";
    private long phases;
    private double step = Double.NaN;
    private double rate = Double.NaN;
    private double lag = Double.NaN;
    private double lagSeconds = Double.NaN;
    private long planned;
    private long done;

    /** A figure of each process of the load generator. A reading is divided by {@code unit}. */
    private record GeneratorMetric(String reading, String name, String help, double unit, boolean total) {
        static final List<GeneratorMetric> ALL = List.of(
                new GeneratorMetric(
                        "cpu.cores", "cpu_cores", "CPU use of a process of the load generator, in cores.", 1, false),
                new GeneratorMetric(
                        "heap.used.mib",
                        "heap_bytes",
                        "Used heap of a process of the load generator.",
                        1.0 / (1 << 20),
                        false),
                new GeneratorMetric(
                        "gc.pause.ms",
                        "gc_pause_seconds",
                        "Time for which garbage collections paused a process of the load generator.",
                        1e3,
                        true),
                new GeneratorMetric(
                        "gc.pauses",
                        "gc_pauses",
                        "Garbage collections that paused a process of the load generator.",
                        1,
                        true));

        GeneratorMetric {
            name = "weir_generator_" + name;
        }
    }

    public RunMetrics(String weir) {
        this.weir = weir;
        GeneratorMetric.ALL.forEach(metric -> generators.put(metric, new TreeMap<>()));
    }

    private static Labels disturbance(String name) {
        return Labels.of("disturbance", name);
    }

    @Override
    public boolean agrees(String question) {
        throw new AssertionError("no machine to ask: " + question);
    }

    @Override
    public void started(Path path, Estimate estimate) {
        RunFolder folder = RunFolder.open(path);
        String commit = folder.labels().labels().getOrDefault(COMMIT, "");
        Labels.Builder labels = Labels.builder()
                .label("run", path.getFileName().toString())
                .label("experiment", folder.asked().name());
        if (!commit.isEmpty()) {
            labels.label(COMMIT, commit);
        }
        synchronized (this) {
            run = labels.build();
        }
    }

    @Override
    public synchronized void trial(Trial begun, int of) {
        planned = of;
        trial = Labels.of(
                "trial", begun.tag(), VARIANT, begun.variant().name(), "repeat", String.valueOf(begun.repeat()));
        idle();
        begun.variant().during().keySet().forEach(name -> disturbances.putIfAbsent(disturbance(name), 0.0));
        if (!begun.profiled()) {
            totals.begin(begun);
        }
    }

    private void idle() {
        phase = "";
        step = Double.NaN;
        rate = Double.NaN;
        lag = Double.NaN;
        lagSeconds = Double.NaN;
        disturbances.replaceAll((name, active) -> 0.0);
        generators.forEach((metric, values) -> values.keySet().removeIf(of -> !metric.total));
    }

    @Override
    public void brokers(Trial begun, Supplier<List<Broker>> up) {
        brokers = up;
    }

    @Override
    public synchronized void tries(Trial tried, double operations, String why) {
        rate = operations;
        for (Attempt.Outcome outcome : Attempt.Outcome.values()) {
            attempts.putIfAbsent(Labels.of(OUTCOME, EnumNames.of(outcome)), 0L);
        }
    }

    @Override
    public synchronized void tried(Trial of, Attempt attempt) {
        attempts.merge(Labels.of(OUTCOME, EnumNames.of(attempt.outcome())), 1L, Long::sum);
        idle();
    }

    @Override
    public synchronized void event(Trial of, Event event) {
        switch (event.name()) {
            case Event.PHASE -> {
                phase = event.text();
                phases++;
            }
            case Event.FAILED -> idle();
            case Event.DISTURBANCE -> {
                int colon = event.text().indexOf(": ");
                if (!event.text().endsWith(Event.ELSEWHERE) && colon > 0) {
                    disturbances.put(disturbance(event.text().substring(0, colon)), 1.0);
                }
            }
            case Event.DISTURBANCE_OVER ->
                disturbances.computeIfPresent(disturbance(event.text()), (name, active) -> 0.0);
            default -> {
                // Other events are only in the report.
            }
        }
    }

    @Override
    public void window(Trial of, Snapshot window, long beganMillis) {
        if (!of.profiled()) { // A profiled trial has no measurements and no ledger.
            totals.add(of, window);
        }
    }

    /** Adds queued windows to the sums. Regular calls keep the queue from filling the memory. */
    public void addUp() {
        totals.addUp();
    }

    int waiting() {
        return totals.waiting();
    }

    @Override
    public synchronized void window(Trial of, WindowRow row) {
        step = row.step() < Steps.MEASURE ? Double.NaN : row.step() - Steps.MEASURE + 1.0;
        lag = row.lag();
        lagSeconds = row.lagSeconds();
    }

    @Override
    public synchronized void reading(Trial of, Reading reading) {
        boolean carries = reading.source().equals(GENERATOR) || reading.source().startsWith(GENERATOR + "-");
        if (!carries) {
            return;
        }
        Labels source = Labels.of(GENERATOR, reading.source());
        generators.forEach((metric, values) -> {
            double before = metric.total ? values.computeIfAbsent(source, first -> 0.0) : 0;
            if (metric.reading.equals(reading.metric())) {
                values.put(source, before + reading.value() / metric.unit);
            }
        });
    }

    @Override
    public synchronized void caveat(Caveat caveat) {
        caveats.merge(Labels.of("caveat", caveat.type(), "level", EnumNames.of(caveat.level())), 1L, Long::sum);
    }

    @Override
    public synchronized void trialDone(TrialResult result) {
        done++;
        idle();
    }

    @Override
    public synchronized void done(RunResult result) {
        idle();
    }

    synchronized long phases() {
        return phases;
    }

    /** Returns the process ids of the running trial's brokers on this machine. */
    public SortedMap<Integer, Long> brokersHere() {
        SortedMap<Integer, Long> here = new TreeMap<>();
        // A cluster that starts or stops a broker may answer late, but the run must not wait for it.
        for (Broker broker : brokers.get()) {
            // Brokers of Weir have data folders. A broker without a process has ended or is restarting.
            if (broker.here() || (broker.host().isEmpty() && !broker.data().equals(Path.of("")))) {
                here.put(broker.id(), broker.pid());
            }
        }
        return here;
    }

    List<MetricSnapshot> snapshot() {
        List<MetricSnapshot> all = new ArrayList<>();
        place(all);
        // The lock is released, because threads that report events need it.
        totals.show(all);
        return all;
    }

    private synchronized void place(List<MetricSnapshot> all) {
        all.add(MetricPoints.info("weir_build", "Version of Weir.", Labels.of("version", weir)));
        all.add(MetricPoints.info("weir_run", "The folder of the run, its experiment, and the tested commit.", run));
        all.add(MetricPoints.info("weir_trial", "The current or last trial.", trial));
        MetricPoints.known(all, "weir_trials_planned", "Trials of the run; 0 if unknown.", (double) planned);
        all.add(MetricPoints.counter("weir_trials", "Ended trials.", Map.of(Labels.EMPTY, done)));
        all.add(MetricPoints.gauge(
                "weir_phase",
                "1 for the current phase of the trial.",
                PHASES.stream()
                        .collect(
                                Collectors.toMap(each -> Labels.of(PHASE, each), each -> each.equals(phase) ? 1 : 0))));
        if (!disturbances.isEmpty()) {
            all.add(MetricPoints.gauge(
                    "weir_disturbance_active", "1 during a disturbance, by its name.", disturbances));
        }
        MetricPoints.known(all, "weir_step", "The current step, from 1.", step);
        MetricPoints.known(all, "weir_tried_operations_per_second", "The current rate of a search.", rate);
        MetricPoints.known(all, "weir_lag_records", "Records that the readers have not read yet.", lag);
        MetricPoints.known(all, "weir_lag_seconds", "Age of the oldest unread record.", lagSeconds);
        generators.forEach((metric, values) -> all.add(
                metric.total
                        ? MetricPoints.counter(metric.name, metric.help, values)
                        : MetricPoints.gauge(metric.name, metric.help, values)));
        all.add(MetricPoints.gauge("weir_caveats", "Caveats so far.", caveats));
        all.add(MetricPoints.counter("weir_attempts", "Rates that searches have tried, by outcome.", attempts));
    }
}
