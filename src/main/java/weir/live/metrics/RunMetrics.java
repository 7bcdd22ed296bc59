package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import weir.cluster.Broker;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.BacklogSpec;
import weir.plan.EnumNames;
import weir.plan.WarmupSpec;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.ProbeReading;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;
import weir.run.RunListener;

/**
 * The metrics of a run, {@code weir_*}: what its windows, phases, disturbances and caveats add up to since it began. Counts
 * have the phase in which a message was due, as in the ledger, so at the end of a trial both say the same.
 */
public final class RunMetrics implements RunListener {
    /** Variants with series of their own; a grid of more is shown as one, {@value #OTHERS}. */
    static final int MOST_VARIANTS = 100;

    static final String OTHERS = "(others)";

    private static final double MIB = 1 << 20;
    private static final String VARIANT = "variant";
    private static final String PHASE = "phase";
    private static final String GENERATOR = "generator";
    private static final List<String> PHASES = List.of("prepare", "fill", "warm-up", "measure", "drain", "verify");
    /** The counts of the ledger that a window knows, and bytes. */
    private static final SortedMap<String, ToLongFunction<Numbers>> COUNTS = counts();

    private static final List<LatencyKind> LATENCIES = List.of(
            LatencyKind.RESPONSE, LatencyKind.SERVICE, LatencyKind.E2E, LatencyKind.LATE, LatencyKind.BACKPRESSURE);

    private final String weir;
    private final Map<Messages, Totals> totals = new TreeMap<>();
    private final SortedMap<String, Double> disturbances = new TreeMap<>();
    private final SortedMap<Doubt, Long> caveats = new TreeMap<>();
    private final SortedMap<String, Long> attempts = new TreeMap<>();
    private final SortedMap<String, Generator> generators = new TreeMap<>();
    private Supplier<List<Broker>> brokers = List::of;
    private Labels run = Labels.EMPTY;
    private Labels trial = Labels.EMPTY;
    private String phase = "";
    private double step = Double.NaN;
    private double rate = Double.NaN;
    private double lag = Double.NaN;
    private double lagSeconds = Double.NaN;
    private long planned;
    private long done;

    /** The variant and phase that messages belong to. */
    private record Messages(String variant, String phase) implements Comparable<Messages> {
        @Override
        public int compareTo(Messages other) {
            int byVariant = variant.compareTo(other.variant);
            return byVariant != 0 ? byVariant : phase.compareTo(other.phase);
        }

        Labels labels() {
            return Labels.of(VARIANT, variant, PHASE, phase);
        }
    }

    private record Doubt(String caveat, String level) implements Comparable<Doubt> {
        @Override
        public int compareTo(Doubt other) {
            int byCaveat = caveat.compareTo(other.caveat);
            return byCaveat != 0 ? byCaveat : level.compareTo(other.level);
        }
    }

    private static final class Totals {
        final SortedMap<String, Long> counts = new TreeMap<>();
        final SortedMap<LatencyKind, LatencyBuckets> latencies = new TreeMap<>();

        void begin() {
            LATENCIES.forEach(kind -> latencies.computeIfAbsent(kind, none -> new LatencyBuckets()));
        }
    }

    /** Readings of a process that carries load. */
    private static final class Generator {
        double cores = Double.NaN;
        double heapBytes = Double.NaN;
        double pauseSeconds;
        double pauses;

        /** Its process has ended; what it paused for stays. */
        void end() {
            cores = Double.NaN;
            heapBytes = Double.NaN;
        }
    }

    /** @param weir the version of this program */
    public RunMetrics(String weir) {
        this.weir = weir;
    }

    private static SortedMap<String, ToLongFunction<Numbers>> counts() {
        SortedMap<String, ToLongFunction<Numbers>> counts = new TreeMap<>();
        counts.put("weir_records_due", Numbers::due);
        counts.put("weir_records_unsent", Numbers::unsent);
        counts.put("weir_records_sent", Numbers::sent);
        counts.put("weir_records_acked", Numbers::acked);
        counts.put("weir_records_failed", Numbers::failed);
        counts.put("weir_records_aborted", Numbers::aborted);
        counts.put("weir_records_received", Numbers::received);
        counts.put("weir_acked_bytes", Numbers::bytesAcked);
        counts.put("weir_received_bytes", Numbers::bytesReceived);
        return counts;
    }

    @Override
    public boolean agrees(String question) {
        throw new AssertionError("nobody asks a machine: " + question);
    }

    @Override
    public synchronized void started(Path folder, Estimate estimate) {
        run = Labels.of("run", folder.getFileName().toString());
    }

    @Override
    public synchronized void trial(Trial begun, int of) {
        planned = of;
        trial = Labels.of(
                "trial", begun.tag(), VARIANT, begun.variant().name(), "repeat", String.valueOf(begun.repeat()));
        idle();
        begun.variant().during().keySet().forEach(name -> disturbances.putIfAbsent(name, 0.0));
        if (begun.profiled()) {
            return;
        }
        // A counter that begins with its first number grows by too little.
        totals(begun, Steps.MEASURE).begin();
        if (!(begun.variant().warmup() instanceof WarmupSpec.None)) {
            totals(begun, Steps.WARMUP).begin();
        }
        if (!(begun.variant().load().backlog() instanceof BacklogSpec.None)) {
            totals(begun, Steps.FILL).begin();
        }
    }

    /** No trial runs: one is over, has failed, or is about to begin. */
    private void idle() {
        phase = "";
        step = Double.NaN;
        rate = Double.NaN;
        lag = Double.NaN;
        lagSeconds = Double.NaN;
        disturbances.replaceAll((name, active) -> 0.0);
        generators.values().forEach(Generator::end);
    }

    @Override
    public synchronized void brokers(Trial begun, Supplier<List<Broker>> up) {
        brokers = up;
    }

    @Override
    public synchronized void tries(Trial tried, double operations, String why) {
        rate = operations;
        for (Attempt.Outcome outcome : Attempt.Outcome.values()) {
            attempts.putIfAbsent(EnumNames.of(outcome), 0L);
        }
    }

    @Override
    public synchronized void tried(Trial of, Attempt attempt) {
        attempts.merge(EnumNames.of(attempt.outcome()), 1L, Long::sum);
        idle();
    }

    @Override
    public synchronized void event(Trial of, Event event) {
        switch (event.name()) {
            case Event.PHASE -> phase = event.text();
            case Event.FAILED -> idle();
            case Event.DISTURBANCE -> {
                int colon = event.text().indexOf(": ");
                if (!event.text().endsWith(Event.ELSEWHERE) && colon > 0) {
                    disturbances.put(event.text().substring(0, colon), 1.0);
                }
            }
            case Event.DISTURBANCE_OVER -> disturbances.computeIfPresent(event.text(), (name, active) -> 0.0);
            default -> {
                // All other events are in the report only.
            }
        }
    }

    @Override
    public synchronized void window(Trial of, Snapshot window, long beganMillis) {
        if (of.profiled()) {
            return; // Nothing of it is measured, and no ledger has it.
        }
        for (int due : window.steps()) {
            Numbers numbers = window.numbers(due);
            Totals total = totals(of, due);
            COUNTS.forEach((name, count) -> total.counts.merge(name, count.applyAsLong(numbers), Long::sum));
            for (LatencyKind kind : LATENCIES) {
                if (!numbers.latency(kind).empty()) {
                    total.latencies
                            .computeIfAbsent(kind, none -> new LatencyBuckets())
                            .add(numbers.latency(kind));
                }
            }
        }
    }

    private Totals totals(Trial of, int due) {
        return totals.computeIfAbsent(messages(of, due), none -> new Totals());
    }

    private Messages messages(Trial of, int due) {
        String phaseOf = due == Steps.FILL ? "fill" : due == Steps.WARMUP ? "warm-up" : "measure";
        String variant = of.variant().name();
        boolean known = totals.keySet().stream().anyMatch(each -> each.variant().equals(variant));
        boolean full =
                totals.keySet().stream().map(Messages::variant).distinct().count() >= MOST_VARIANTS;
        return new Messages(known || !full ? variant : OTHERS, phaseOf);
    }

    @Override
    public synchronized void window(Trial of, WindowRow row) {
        step = row.step() < Steps.MEASURE ? Double.NaN : row.step() - Steps.MEASURE + 1.0;
        lag = row.lag();
        lagSeconds = row.lagSeconds();
    }

    @Override
    public synchronized void reading(Trial of, ProbeReading reading) {
        boolean carries = reading.source().equals(GENERATOR) || reading.source().startsWith(GENERATOR + "-");
        if (!carries) {
            return;
        }
        Generator generator = generators.computeIfAbsent(reading.source(), source -> new Generator());
        switch (reading.metric()) {
            case "cpu.cores" -> generator.cores = reading.value();
            case "heap.used.mib" -> generator.heapBytes = reading.value() * MIB;
            case "gc.pause.ms" -> generator.pauseSeconds += reading.value() / 1e3;
            case "gc.pauses" -> generator.pauses += reading.value();
            default -> {
                // Dozens of others are drawn in the report.
            }
        }
    }

    @Override
    public synchronized void caveat(Caveat caveat) {
        caveats.merge(new Doubt(caveat.type(), EnumNames.of(caveat.level())), 1L, Long::sum);
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

    /** The brokers of the trial that runs, of this machine, with their processes. */
    SortedMap<Integer, Long> brokersHere() {
        SortedMap<Integer, Long> here = new TreeMap<>();
        // A cluster that starts or stops a broker may answer late, and the run must not wait for that.
        for (Broker broker : up().get()) {
            // Ours have data; one without a process has ended, or is between two.
            if (broker.here() || (broker.host().isEmpty() && !broker.data().equals(Path.of("")))) {
                here.put(broker.id(), broker.pid());
            }
        }
        return here;
    }

    private synchronized Supplier<List<Broker>> up() {
        return brokers;
    }

    /** All of it now. */
    synchronized List<MetricSnapshot> snapshot() {
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(info("weir_build", "This program.", Labels.of("version", weir)));
        all.add(info("weir_run", "The folder of the run.", run));
        all.add(info("weir_trial", "The trial that runs, or ran last.", trial));
        all.add(gauge("weir_trials_planned", "Trials of the run; 0 where nobody can tell.", (double) planned));
        all.add(CounterSnapshot.builder()
                .name("weir_trials")
                .help("Trials that have ended.")
                .dataPoint(count((double) done, Labels.EMPTY))
                .build());
        GaugeSnapshot.Builder phases =
                GaugeSnapshot.builder().name("weir_phase").help("1 for the phase that the trial is in.");
        PHASES.forEach(each -> phases.dataPoint(level(each.equals(phase) ? 1 : 0, Labels.of(PHASE, each))));
        all.add(phases.build());
        if (!disturbances.isEmpty()) {
            GaugeSnapshot.Builder active = GaugeSnapshot.builder()
                    .name("weir_disturbance_active")
                    .help("1 while a disturbance goes on, by its name.");
            disturbances.forEach((name, value) -> active.dataPoint(level(value, Labels.of("disturbance", name))));
            all.add(active.build());
        }
        messages(all);
        known(all, "weir_step", "The step that runs, from 1.", step);
        known(all, "weir_tried_operations_per_second", "The rate that a search tries.", rate);
        known(all, "weir_lag_records", "Records that the readers are behind.", lag);
        known(all, "weir_lag_seconds", "Age of the oldest record that no reader has read.", lagSeconds);
        generators(all);
        doubts(all);
        return all;
    }

    private void messages(List<MetricSnapshot> all) {
        for (String name : COUNTS.keySet()) {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(name).help(help(name));
            totals.forEach((of, total) -> counter.dataPoint(count(total.counts.getOrDefault(name, 0L), of.labels())));
            all.add(counter.build());
        }
        for (LatencyKind kind : LATENCIES) {
            HistogramSnapshot.Builder histogram = HistogramSnapshot.builder()
                    .name("weir_" + kind.word() + "_seconds")
                    .help(help(kind));
            totals.forEach((of, total) -> {
                LatencyBuckets buckets = total.latencies.get(kind);
                if (buckets != null) {
                    histogram.dataPoint(buckets.point(of.labels()));
                }
            });
            all.add(histogram.build());
        }
    }

    private static String help(String name) {
        if (name.endsWith("_bytes")) {
            return "Bytes of values " + (name.contains("acked") ? "acknowledged by Kafka." : "received.");
        }
        return "Records " + Count.of(name.substring("weir_records_".length())).meaning()
                + ", by the phase in which they were due.";
    }

    private static String help(LatencyKind kind) {
        return switch (kind) {
            case RESPONSE -> "acked - due: what a user who arrived on time waited.";
            case SERVICE -> "acked - sent: what other tools call latency.";
            case E2E -> "received - due.";
            case LATE -> "The part of sent - due that is the generator's own doing.";
            case BACKPRESSURE -> "The part of sent - due that an earlier blocked call explains.";
            case BLOCKED, BEGIN, SEND, OFFSETS, COMMIT, ABORT, TRANSACTION, CALLBACK, FETCH, EARLY -> kind.word();
        };
    }

    private void generators(List<MetricSnapshot> all) {
        GaugeSnapshot.Builder cores = GaugeSnapshot.builder()
                .name("weir_generator_cpu_cores")
                .help("CPU that a process carrying the load uses, in cores.");
        GaugeSnapshot.Builder heap = GaugeSnapshot.builder()
                .name("weir_generator_heap_bytes")
                .help("Heap in use of a process carrying the load.");
        generators.forEach((source, generator) -> {
            Labels of = Labels.of(GENERATOR, source);
            if (!Double.isNaN(generator.cores)) {
                cores.dataPoint(level(generator.cores, of));
            }
            if (!Double.isNaN(generator.heapBytes)) {
                heap.dataPoint(level(generator.heapBytes, of));
            }
        });
        all.add(cores.build());
        all.add(heap.build());
        all.add(total(
                "weir_generator_gc_pause_seconds",
                "Time for which garbage collections stopped a process carrying the load.",
                generator -> generator.pauseSeconds));
        all.add(total(
                "weir_generator_gc_pauses",
                "Garbage collections that stopped a process carrying the load.",
                generator -> generator.pauses));
    }

    private CounterSnapshot total(String name, String help, Function<Generator, Double> value) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        generators.forEach(
                (source, generator) -> counter.dataPoint(count(value.apply(generator), Labels.of(GENERATOR, source))));
        return counter.build();
    }

    private void doubts(List<MetricSnapshot> all) {
        GaugeSnapshot.Builder raised =
                GaugeSnapshot.builder().name("weir_caveats").help("Reasons to doubt a number that were raised so far.");
        caveats.forEach((doubt, times) ->
                raised.dataPoint(level(times, Labels.of("caveat", doubt.caveat(), "level", doubt.level()))));
        all.add(raised.build());
        CounterSnapshot.Builder tried =
                CounterSnapshot.builder().name("weir_attempts").help("Rates that searches have tried, by how it went.");
        attempts.forEach((outcome, times) -> tried.dataPoint(count(times, Labels.of("outcome", outcome))));
        all.add(tried.build());
    }

    private static InfoSnapshot info(String name, String help, Labels labels) {
        return InfoSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(new InfoSnapshot.InfoDataPointSnapshot(labels))
                .build();
    }

    private static GaugeSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(level(value, Labels.EMPTY))
                .build();
    }

    /** A gauge of one value, left out where that is not known: it is never 0. */
    private static void known(List<MetricSnapshot> all, String name, String help, double value) {
        if (!Double.isNaN(value)) {
            all.add(gauge(name, help, value));
        }
    }

    private static GaugeDataPointSnapshot level(double value, Labels labels) {
        return new GaugeDataPointSnapshot(value, labels, null);
    }

    private static CounterDataPointSnapshot count(double value, Labels labels) {
        return new CounterDataPointSnapshot(value, labels, null, 0);
    }
}
