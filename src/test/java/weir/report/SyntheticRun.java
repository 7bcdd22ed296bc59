package weir.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import weir.judge.Comparisons;
import weir.judge.LoadCurve;
import weir.judge.answer.Conclusions;
import weir.judge.answer.RunFindings;
import weir.measure.Balances;
import weir.measure.Canary;
import weir.measure.HistogramLog;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.SyntheticTrial;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.ValueSyntax;
import weir.probe.Probes;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialWriter;
import weir.results.Trials;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Event;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.GeneratorResult;
import weir.results.value.HopResult;
import weir.results.value.HostFacts;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/**
 * A made-up run, always the same: steps up to and over the knee, with a collection pause, a burst of failures, lag,
 * seconds without readings, and optionally a killed trial.
 */
public final class SyntheticRun {
    private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");
    private static final int WARMUP = 5;
    private static final int DRAIN = 4;

    private final Path root;
    private final List<String> variants;
    private final int repeats;
    private final double[] rates;
    private final int stepSeconds;
    private boolean killed;
    private List<String> compare = List.of();
    private boolean everyProbe;
    private String axis = "";
    private boolean neverEnded;
    private boolean severalClocks;
    private boolean withoutMeans;
    private boolean delivered;
    private List<HostFacts> hosts = List.of(new HostFacts(
            HostFacts.HERE, "", 4, 16L << 30, "Linux 6.12.0", "17.0.17", List.of(0), List.of(1), List.of()));
    private int workers = 1;
    private String called = "";

    public SyntheticRun(Path root, List<String> variants, int repeats, double[] rates, int stepSeconds) {
        this.root = root;
        this.variants = List.copyOf(variants);
        this.repeats = repeats;
        this.rates = rates.clone();
        this.stepSeconds = stepSeconds;
    }

    /** Writes six trials of an hour with every probe below a folder, and prints the folder. */
    public static void main(String[] arguments) {
        System.out.println(hours(Path.of(arguments[0]), 3).write().path());
    }

    /** Makes two trials of an hour, {@code repeats} times, with every metric of real probes. */
    public static SyntheticRun hours(Path root, int repeats) {
        return new SyntheticRun(root, List.of("a", "b"), repeats, new double[] {10_000, 20_000, 60_000}, 1200)
                .withEveryProbe();
    }

    public static SyntheticRun loadCurve(Path root) {
        return loadCurve(root, 12);
    }

    static SyntheticRun loadCurve(Path root, int stepSeconds) {
        return new SyntheticRun(
                root,
                List.of("none", "lz4"),
                2,
                new double[] {10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000},
                stepSeconds);
    }

    /** Kills the last trial half way; the run has no conclusion. */
    public SyntheticRun killed() {
        killed = true;
        return this;
    }

    public SyntheticRun comparing(String... pairs) {
        compare = List.of(pairs);
        return this;
    }

    /** Adds three brokers and every metric of real probes, most of which no chart shows. */
    public SyntheticRun withEveryProbe() {
        everyProbe = true;
        return this;
    }

    /** Leaves some messages of every step in flight at the end. Percentiles beyond p98 are then lower bounds. */
    public SyntheticRun neverEnded() {
        neverEnded = true;
        return this;
    }

    /** Gives readers and senders different clocks, with an error of 0.4 ms. */
    SyntheticRun severalClocks() {
        severalClocks = true;
        return this;
    }

    /** Uses given brokers, whose exporters report percentiles of requests and no means. */
    SyntheticRun withoutMeans() {
        withoutMeans = true;
        return this;
    }

    /** Makes the variants event paths with a channel that takes 2 ms and costs 80 µs. */
    SyntheticRun delivered() {
        delivered = true;
        return this;
    }

    /** Adds two workers on machines of these names; a third of the load comes from the first. */
    SyntheticRun placed(String first, String second) {
        hosts = List.of(
                new HostFacts(
                        HostFacts.HERE, "", 4, 16L << 30, "Linux 6.12.0", "17.0.17", List.of(), List.of(1), List.of()),
                new HostFacts(first, "", 8, 32L << 30, "Linux 6.1.0", "17.0.17", List.of(0), List.of(), List.of()),
                new HostFacts(second, "", 2, 0, "Linux 6.1.0", "21.0.5", List.of(1), List.of(), List.of()));
        return this;
    }

    /** Adds workers that report only their CPU. */
    SyntheticRun workers(int number) {
        workers = number;
        return this;
    }

    /** Names the first step, as an experiment file may do. */
    SyntheticRun called(String name) {
        called = name;
        return this;
    }

    /** Makes a grid: variant n has only rate n. */
    SyntheticRun along(String key) {
        axis = key;
        return this;
    }

    private double[] rates(String variant) {
        return axis.isEmpty() ? rates : new double[] {rates[variants.indexOf(variant)]};
    }

    private SortedMap<String, String> gridPoint(String variant) {
        return axis.isEmpty() ? new TreeMap<>() : new TreeMap<>(Map.of(axis, String.valueOf((long) rates(variant)[0])));
    }

    public RunFolder write() {
        RequestedExperiment.Variant[] asked = variants.stream()
                .map(name -> new RequestedExperiment.Variant(
                        name,
                        repeats,
                        gridPoint(name),
                        List.copyOf(settings(name).values())))
                .toArray(RequestedExperiment.Variant[]::new);
        RequestedExperiment question = RecordKeys.with(
                Trials.asked("codecs", asked),
                Map.of(
                        "weir", "0.1.0",
                        "command", "weir run 05-codecs.yaml --set load.value.size=250B",
                        "question", "How many log lines a second, and does lz4 help?",
                        "compare", compare,
                        "accepted", new TreeMap<>(Map.of("shared-cores", "a laptop is all we have"))));
        RunFolder folder = RunFolder.create(
                root, START, "name: codecs\nquestion: How many log lines a second?\n", question, path -> {});
        Machine machine = machine();
        folder.machine(machine);
        folder.canaries(canaries());
        folder.drawn(Probes.drawn());
        List<TrialResult> results = new ArrayList<>();
        List<Caveat> caveats = new ArrayList<>();
        int number = 0;
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (String variant : repeat % 2 == 1 ? variants : reversed()) {
                number++;
                boolean last = killed && number == repeats * variants.size();
                OneTrial trial = new OneTrial(folder, number, variant, repeat);
                trial.write(last ? trial.seconds() / 2 : trial.seconds());
                if (!last) {
                    results.add(trial.finish());
                    caveats.addAll(trial.caveats());
                }
            }
        }
        if (!killed) {
            conclude(folder, question, machine, results, caveats);
        }
        return folder;
    }

    private static void conclude(
            RunFolder folder,
            RequestedExperiment question,
            Machine machine,
            List<TrialResult> results,
            List<Caveat> caveats) {
        List<ComparisonResult> comparisons = Comparisons.of(
                question.compare().stream().map(ValueSyntax::comparison).toList(),
                results.stream().map(TrialResult::variant).distinct().toList(),
                results);
        RunResult found = RecordKeys.with(
                RunResult.NONE,
                Map.of(
                        "name",
                        folder.name(),
                        "run",
                        String.valueOf(folder.path().getFileName()),
                        "exit",
                        99,
                        "caveats",
                        caveats,
                        "comparisons",
                        comparisons,
                        "trials",
                        results,
                        "report",
                        "report.html"));
        List<ExpectResult> judged = List.of(
                new ExpectResult("lost == 0", "passed", 0.0, null, null, "0", ""),
                new ExpectResult("response p99 < 50ms", "failed", 512.0, null, null, "512 ms", ""),
                new ExpectResult(
                        "acked/s of lz4 / none > 1",
                        "undecided",
                        1.1,
                        0.9,
                        1.4,
                        "1.10× [0.90×, 1.40×]",
                        "the limit is inside the interval; repeat more often"));
        folder.conclude(RecordKeys.with(found, Map.of("expect", judged))
                .with(Conclusions.of(new RunFindings(question, machine, found))));
    }

    private List<String> reversed() {
        List<String> reversed = new ArrayList<>(variants);
        java.util.Collections.reverse(reversed);
        return reversed;
    }

    private static SortedMap<String, Setting> settings(String variant) {
        TreeMap<String, Setting> settings = new TreeMap<>();
        for (String[] setting : new String[][] {
            {"cluster.kafka", "4.3.1", "default"},
            {"load.workload", "deliver", "05-codecs.yaml:7"},
            {"load.value.size", "250B", "--set"},
            {"load.producer.compression.type", variant, "05-codecs.yaml:14"},
            {"load.producer.linger.ms", "10", "05-codecs.yaml:9"},
            {"topics.lines.partitions", "10", "05-codecs.yaml:4"}
        }) {
            settings.put(setting[0], new Setting(setting[0], setting[1], setting[2]));
        }
        return settings;
    }

    private static CanaryResults canaries() {
        Canary cpu = new Canary("cpu, one core", "M steps/s", true, 0.1, List.of(640.0, 652.0, 655.0));
        Canary throttled = new Canary("cpu, one core", "M steps/s", true, 0.1, List.of(401.0, 399.0, 407.0));
        Canary disk = new Canary("fsync of 4 KiB", "ms", false, 1, List.of(0.14, 0.15, 0.16));
        Canary slower = new Canary("fsync of 4 KiB", "ms", false, 1, List.of(0.21, 0.22, 0.24));
        return new CanaryResults(List.of(cpu, disk), List.of(throttled, slower));
    }

    private Machine machine() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cpu.model", "Imaginary CPU 9000");
        facts.put("cpu.cores", "4");
        facts.put("memory.mib", "16031");
        facts.put("kernel", "6.12.0");
        facts.put("java.vm.version", "17.0.17+10");
        facts.put("kafka", "4.3.1");
        facts.put("brokers", "1");
        Map<String, List<Property>> properties = new LinkedHashMap<>();
        for (String variant : variants) {
            properties.put(
                    variant,
                    List.of(
                            new Property("producer", "acks", "all", "all", "all", Property.Source.YOURS),
                            new Property(
                                    "producer", "compression.type", variant, variant, "none", Property.Source.YOURS),
                            new Property("producer", "batch.size", "", "16384", "16384", Property.Source.DEFAULT),
                            new Property(
                                    "producer", "enable.idempotence", "", "false", "true", Property.Source.OVERRIDDEN),
                            new Property(
                                    "broker",
                                    "offsets.topic.replication.factor",
                                    "1",
                                    "1",
                                    "3",
                                    Property.Source.WEIR)));
        }
        return new Machine(facts, properties, hosts.size() > 1 ? hosts : List.of());
    }

    /** One trial: a queue in front of a server with a limited rate. */
    private final class OneTrial {
        private final TrialWriter writer;
        private final HistogramLog log;
        // One window for each second regardless of latencies, so that the file has one line per second.
        private final Recorder recorder = new Recorder(0, 1L << 50, Integer.MAX_VALUE, this::window);
        private final Path path;
        private final double[] rates;
        private final int number;
        private final String variant;
        private final int repeat;
        private final double capacity;
        private final SplittableRandom random;
        private final List<StepResult> steps = new ArrayList<>();
        private int now;
        private double queue;
        private long due;
        private long failed;

        OneTrial(RunFolder folder, int number, String variant, int repeat) {
            this.number = number;
            rates = rates(variant);
            this.variant = variant;
            this.repeat = repeat;
            random = new SplittableRandom(100L * number + repeat);
            int index = variants.indexOf(variant);
            capacity = (47_000 + 9_000.0 * index) * (1 + 0.02 * random.nextDouble());
            writer = folder.trial(SyntheticTrial.of(number, variant, repeat), START.plusSeconds(120L * number));
            path = writer.path();
            writer.conditions(new TrialConditions(
                    List.of(),
                    new GeneratorResult(null, null, 820_000.0, "", List.of(), null),
                    hosts,
                    "ext4",
                    false,
                    false,
                    List.of(),
                    List.of()));
            log = new HistogramLog(
                    writer.latency(), START.plusSeconds(120L * number).toEpochMilli());
        }

        int seconds() {
            return WARMUP + rates.length * stepSeconds + DRAIN;
        }

        void write(int until) {
            writer.event(new Event(0, Event.PHASE, "warm-up"));
            for (int second = 0; second < until; second++) {
                int index = second < WARMUP ? 0 : (second - WARMUP) / stepSeconds;
                boolean drain = index >= rates.length;
                boolean starts = (second - WARMUP) % stepSeconds == 0 && second >= WARMUP;
                if (starts && !drain) {
                    if (index == 0) {
                        writer.event(new Event(second, Event.PHASE, "measure"));
                    }
                    writer.event(new Event(second, Event.STEP, label(index)));
                } else if (second == WARMUP + rates.length * stepSeconds) {
                    writer.event(new Event(second, Event.PHASE, "drain"));
                }
                second(
                        second,
                        drain ? -1 : second < WARMUP ? 1 : index + 2,
                        drain ? 0 : rates[index] * (second < WARMUP ? 0.5 : 1));
            }
        }

        private String label(int index) {
            if (index == 0 && !called.isEmpty()) {
                return called;
            }
            return String.format(java.util.Locale.ROOT, "%,.0f/s", rates[index]);
        }

        private void second(int second, int step, double rate) {
            double noise = 0.97 + 0.06 * random.nextDouble();
            double load = Math.min(0.97, rate / capacity);
            double acked = Math.min(rate + queue, capacity * noise);
            queue = Math.max(0, queue + rate - acked);
            double waiting = queue / capacity * 1000;
            boolean pause = second == WARMUP + stepSeconds * 2 + stepSeconds / 2;
            double p50 = 1.1 / (1 - load) * noise + waiting;
            double p99 = p50 * 2.6 + (pause ? 84 : 0);
            double max = p99 * (1.4 + random.nextDouble());
            boolean failing =
                    variant.equals(variants.get(0)) && repeat == 2 && step == rates.length && second % stepSeconds < 3;
            long failures = failing ? 350 : 0;
            boolean unseen = second > WARMUP + 2 * stepSeconds && second <= WARMUP + 2 * stepSeconds + 3 && repeat == 2;
            double late = 0.09 + 0.05 * random.nextDouble();
            if (!unseen) {
                boolean idle = rate == 0 && acked < 1;
                if (!idle) {
                    histograms(second, step < 0 ? rates.length + 1 : step, p50, p99, max, Math.round(acked), rate);
                }
                writer.window(new WindowRow(
                        second,
                        1,
                        // As in real runs, acks of the last step also come in the drain.
                        step < 0 && acked > 0 ? rates.length + 1 : step,
                        Balances.counts(
                                "due $1, sent $1, acked $2, failed $3, received $2, bytes_acked $4, bytes_received $4",
                                Math.round(rate),
                                Math.round(acked) - failures,
                                failures,
                                Math.round(acked * 250)),
                        idle
                                ? Map.of()
                                : Map.of(
                                        LatencyKind.RESPONSE, spread(p50, p99, p99 * 1.3, max),
                                        LatencyKind.SERVICE, spread(p50 * 0.93, p99 * 0.9, p99 * 1.2, max),
                                        LatencyKind.BACKPRESSURE, spread(0.01, waiting * 0.6, waiting * 0.7, waiting),
                                        LatencyKind.LATE, spread(0.02, late, 0.4, pause ? 6 : 0.9),
                                        LatencyKind.BLOCKED,
                                                spread(0.01, 0.1 + waiting * 0.2, waiting * 0.3, waiting * 0.4),
                                        LatencyKind.E2E, spread(p50 + 1.2, p99 + 2.9, p99 * 1.3 + 4, max + 6)),
                        Math.round(queue * 0.4 + 120 * noise),
                        queue * 0.4 / capacity));
                readings(second, acked, pause);
            }
            if (step >= 2) {
                due += Math.round(rate);
                failed += failures;
                if ((second - WARMUP) % stepSeconds == stepSeconds - 1) {
                    steps.add(step(step, p50, p99, Math.min(rate, capacity)));
                }
            }
        }

        private static WindowRow.Spread spread(double p50, double p99, double p999, double max) {
            return new WindowRow.Spread(p50, p99, p999, max);
        }

        /** Most messages are fast, some wait for a batch, few are in the tail: two humps, as in real runs. */
        private void histograms(int second, int step, double p50, double p99, double max, long acked, double rate) {
            now = second;
            recorder.due(step, 0, (int) Math.round(rate));
            if (rate > 0) {
                recorder.ackedDuring(step, (int) acked, (int) acked, 0, acked * 250);
                recorder.receivedDuring(step, (int) acked, 0, acked * 250);
            }
            for (int i = 0; i < 100; i++) {
                double millis = i == 99
                        ? max
                        : i > 94 ? p99 * (0.8 + 0.04 * (i - 94)) : i % 3 == 0 ? p50 * 0.45 : p50 * (0.8 + i / 300.0);
                long nanos = (long) (millis * 1e6);
                int count = (int) Math.max(1, acked / 100);
                recorder.sent(step, count, count, 0, 20_000 + i * 700L, 30_000 + i * 800L, 10_000, 0);
                recorder.acked(step, count, count, 0, 20_000, nanos, 0);
                recorder.received(step, count, 0, nanos + 1_200_000, 0);
            }
            recorder.close();
        }

        private void window(Snapshot window) {
            log.write(window, Steps.WHOLE, (double) now, now + 1.0);
            writer.counts(window, Steps.WHOLE);
        }

        private void readings(int second, double acked, boolean pause) {
            if (everyProbe) {
                everyProbe(second, acked);
            }
            read(second, "host", "cpu.cores", 0.5 + 2.5 * acked / capacity + 0.15 * random.nextDouble());
            read(second, "host", "cpu.steal.percent", 0.3 * random.nextDouble());
            for (HostFacts host : hosts.subList(1, hosts.size())) {
                int worker = host.workers().get(0);
                read(second, host.source(), "cpu.busy.percent", 40 + 20 * worker);
                read(second, host.source(), "cpu.steal.percent", 3 * worker);
                read(second, "generator-" + (worker + 1), "clock.error.ms", 0.08 + worker + 0.001 * second);
            }
            read(second, "host", "psi.cpu.some.percent", 22 * acked / capacity * random.nextDouble());
            read(second, "host", "psi.io.some.percent", 3 * random.nextDouble());
            read(second, "host", "psi.memory.some.percent", 0);
            read(second, "host", "disk.write.mib.per.s", acked * 250 / 1048576 * (0.5 + random.nextDouble()));
            for (int worker = 1; worker <= workers; worker++) {
                read(
                        second,
                        workers == 1 ? "generator" : "generator-" + worker,
                        "cpu.cores",
                        0.15 + 0.7 * acked / capacity);
            }
            read(second, "broker-1", "cpu.cores", 0.2 + 1.1 * acked / capacity);
            read(second, "generator", "gc.pause.ms", second % 7 == 0 ? 2.1 : 0);
            read(second, "generator", "gc.pause.longest.ms", second % 7 == 0 ? 2.1 : 0);
            read(second, "broker-1", "gc.pause.longest.ms", pause ? 86 : second % 5 == 0 ? 4 : 0);
            read(second, "generator", "safepoint.longest.ms", second % 7 == 1 ? 5.14 : 0);
            read(second, "client", "producer.record-retry-total", 3 * second);
            stages(second, "broker-1", acked / 40, pause);
            read(second, "client", "producer.request-latency-avg", 1.1);
            read(second, "client", "batch-size-avg", 4000 + 9000 * acked / capacity);
            read(second, "client", "records-per-request-avg", 14 + 36 * acked / capacity);
        }

        private void everyProbe(int second, double acked) {
            for (String source : List.of("broker-1", "broker-2", "broker-3")) {
                read(second, source, "cpu.cores", acked / capacity * random.nextDouble());
                read(second, source, "gc.pause.longest.ms", 4 * random.nextDouble());
                read(second, source, "safepoint.longest.ms", 5 * random.nextDouble());
                if (!source.equals("broker-1")) {
                    stages(second, source, acked / 40, false);
                }
                for (int other = 0; other < 30; other++) {
                    read(second, source, "other." + other, 1_000 * random.nextDouble());
                }
            }
            for (int other = 0; other < 20; other++) {
                read(second, "host", "other." + other, 1_000 * random.nextDouble());
                read(second, "generator", "other." + other, 1_000 * random.nextDouble());
                read(second, "client", "producer.other-" + other, 1_000 * random.nextDouble());
            }
        }

        /** A broker that takes 0.9 ms for a request, and much longer during garbage collection. */
        private void stages(int second, String source, double requests, boolean pause) {
            read(second, source, "request.produce.count", Math.rint(requests));
            read(second, source, "request.produce.total.p50.ms", 1);
            read(second, source, "request.produce.total.p99.ms", 4);
            if (requests >= 1 && !withoutMeans) {
                double paused = pause ? 60 : 0;
                read(second, source, "request.produce.total.mean.ms", 0.9 + paused);
                read(second, source, "request.produce.local.mean.ms", 0.6);
                read(second, source, "request.produce.remote.mean.ms", 0);
                read(second, source, "request.produce.request.queue.mean.ms", 0.1 + paused);
                read(second, source, "request.produce.response.queue.mean.ms", 0);
                read(second, source, "request.produce.response.send.mean.ms", 0.1);
                read(second, source, "request.produce.throttle.mean.ms", 0);
            }
        }

        private void read(int second, String source, String metric, double value) {
            writer.reading(new Reading(second, source, metric, value));
        }

        private StepResult step(int step, double p50, double p99, double achieved) {
            double rate = rates[step - 2];
            Figures figures = figures(
                    rate, Math.round(rate * stepSeconds), achieved, p50, p99, step == rates.length ? failed : 0);
            return new StepResult(
                    rate,
                    step,
                    label(step - 2),
                    WARMUP + (step - 2.0) * stepSeconds,
                    stepSeconds,
                    figures,
                    null,
                    null,
                    null,
                    null);
        }

        private Figures figures(double rate, long due, double achieved, double p50, double p99, long failed) {
            double mebibytes = achieved * 250 / 1048576;
            return new Figures(
                    Balances.of("due $1, sent $1, acked $2, failed $3, received $2", due, due - failed, failed)
                            .counts(),
                    Map.of(
                            RateKind.OFFERED, rate,
                            RateKind.ACKED, achieved,
                            RateKind.RECEIVED, achieved,
                            RateKind.MEBIBYTES, mebibytes),
                    Map.of(
                            LatencyKind.RESPONSE, latency(p50, p99, due),
                            LatencyKind.SERVICE, latency(p50 * 0.93, p99 * 0.9, due),
                            LatencyKind.BACKPRESSURE, latency(0.01, p99 * 0.2, due),
                            LatencyKind.LATE, latency(0.02, 0.09, due),
                            LatencyKind.BLOCKED, latency(0.03, p99 * 0.1, due),
                            LatencyKind.E2E, endToEnd(latency(p50 + 1.2, p99 + 2.9, due))),
                    new LagResult(Math.round(queue), 0L, queue / capacity),
                    null);
        }

        private LatencyResult endToEnd(LatencyResult latency) {
            return severalClocks ? latency.within(0.4) : latency;
        }

        private LatencyResult latency(double p50, double p99, long count) {
            Double beyond = neverEnded ? 98.0 : null;
            return new LatencyResult(
                    p50, (p50 + p99) / 2, p99, p99 * 1.3, p99 * 1.6, p99 * 2, p50 * 1.15, count, beyond, null);
        }

        List<Caveat> caveats() {
            List<Caveat> caveats = new ArrayList<>();
            caveats.add(new Caveat(
                    "shared-cores",
                    CaveatType.Level.NOTE,
                    "generator and broker share 4 cores; together they used 2.1 of them",
                    "Pin them apart (within: { cpus: … }) or run the worker on another host.",
                    "response",
                    number));
            if (repeat == 2) {
                caveats.add(new Caveat(
                        "thin-percentile",
                        CaveatType.Level.DOUBT,
                        "p99.99 of step 10,000/s has 12 samples beyond it",
                        "Measure longer, or ask for p99.9.",
                        "response p99.99",
                        number));
            }
            return caveats;
        }

        TrialResult finish() {
            double mean = due / (double) (rates.length * stepSeconds);
            StepResult last = steps.get(steps.size() - 1);
            Double p50 = steps.get(steps.size() / 2).figures().response().p50();
            Double p99 = last.figures().response().p99();
            TreeMap<String, String> values = new TreeMap<>();
            settings(variant).forEach((path, setting) -> values.put(path, setting.value()));
            if (delivered) {
                values.put("bridge.path", variant);
            }
            GeneratorResult generator =
                    new GeneratorResult(912.0, 214.0, 820_000.0, "", List.of(), Math.max(1, hosts.size() - 1));
            Figures whole =
                    figures(mean, due, Math.min(mean, capacity), p50 == null ? 1 : p50, p99 == null ? 1 : p99, failed);
            TrialResult result = RecordKeys.with(
                    Trials.trial(variant, repeat, whole, steps),
                    Map.of(
                            "trial", number,
                            "startedAt", START.plusSeconds(120L * number).toString(),
                            "seconds", (double) rates.length * stepSeconds,
                            "settings", values,
                            "generator", generator));
            TrialResult judged = result.with(judged(result));
            if (delivered) {
                judged = judged.with(
                        new TreeMap<>(Map.of("channel", 80.0, "generator", 61.0)),
                        new TreeMap<>(Map.of("channel", 9_216.0)),
                        hops(judged));
            }
            if (hosts.size() > 1) {
                writer.end(end());
            }
            writer.finish(judged, caveats());
            spectrum();
            return judged;
        }

        private TrialEnd end() {
            LatencyResult late = new LatencyResult(0.1, 0.2, 0.4, 0.5, 0.6, 0.7, 0.2, 100, null, null);
            LatencyResult later = new LatencyResult(0.1, 0.2, 1.9, 2.0, 2.1, 2.2, 0.2, 200, null, null);
            return RecordKeys.with(
                    Trials.end(WARMUP + (double) rates.length * stepSeconds, null),
                    Map.of(
                            "startedAt",
                            START.toString(),
                            "warmUp.seconds",
                            (double) WARMUP,
                            "measured.from",
                            (double) WARMUP,
                            "measured.workers",
                            List.of(
                                    new TrialEnd.WorkerLatency(2, 0, late, late),
                                    new TrialEnd.WorkerLatency(2, 1, later, later)),
                            "generator",
                            new TrialEnd.Generator(1.0, 1.0, new TreeMap<>())));
        }

        /** The hops add up to the mean e2e of the first step, in the first trial to 40 % more. */
        private List<HopResult> hops(TrialResult judged) {
            Double mean = judged.steps().get(0).figures().e2e().mean();
            double rest = (mean == null ? 0 : mean) - 2.5;
            return List.of(
                    new HopResult("sender", HopResult.Part.BEFORE_SENDING, 0.5, 1_000, null),
                    new HopResult("channel", HopResult.Part.ARRIVING, rest / 2, 1_000, null),
                    new HopResult("channel", HopResult.Part.WAITING, number == 1 ? 3.5 : 2, 990, 14.0),
                    new HopResult("receiver", HopResult.Part.ARRIVING, rest / 2, 1_000, null));
        }

        private List<StepResult> judged(TrialResult result) {
            LoadCurve curve = LoadCurve.of(variant, List.of(result));
            return curve.points().stream()
                    .map(point -> judged(point, point.repeats().get(0)))
                    .toList();
        }

        private static StepResult judged(LoadCurve.Point point, StepResult step) {
            Double p99 = point.response().p99();
            StepResult judged = step.with(new StepVerdict(point.state(), point.why(), List.of(), false, null));
            return point.failed() > 0 || p99 == null
                    ? judged
                    : RecordKeys.with(judged, Map.of("drainedAfter", p99 / 1_000));
        }

        /** Curves with the bend of real tails. */
        private void spectrum() {
            StringBuilder lines = new StringBuilder("latency,percentile,milliseconds\n");
            for (StepResult step : steps) {
                Double p50 = step.figures().response().p50();
                double base = p50 == null ? 1 : p50;
                for (int i = 0; i <= 60; i++) {
                    double left = Math.pow(10, -i / 12.0);
                    double tail = 0.45 + 0.55 * Math.pow(i / 4.0, 0.75) + (i > 40 ? (i - 40) * 0.35 : 0);
                    line(lines, "response@" + step.step(), 100 - 100 * left, base * tail);
                    line(lines, "service@" + step.step(), 100 - 100 * left, base * tail * 0.9);
                    line(lines, "e2e@" + step.step(), 100 - 100 * left, base * tail + 1.4);
                    line(lines, "late@" + step.step(), 100 - 100 * left, 0.03 * tail);
                }
            }
            try {
                Files.writeString(path.resolve("spectrum.csv"), lines);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void line(StringBuilder lines, String tag, double percentile, double millis) {
            lines.append(tag + "," + percentile + "," + millis + "\n");
        }
    }
}
