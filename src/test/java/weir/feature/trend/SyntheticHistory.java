package weir.feature.trend;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.measure.Canary;
import weir.plan.Setting;
import weir.plan.property.Property;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunState;

/** A made-up history, one run a night of an experiment called nightly. Settings apply to later runs. */
public final class SyntheticHistory {
    private static final Instant FIRST = Instant.parse("2026-09-01T02:00:00Z");

    private final Random random = new Random(41);
    private final List<HistoryEntry> runs = new ArrayList<>();
    private final SortedMap<String, String> settings =
            new TreeMap<>(Map.of("load.workload", "deliver", "load.rate", "5000/s", "load.producer.linger.ms", "5"));
    private final Map<String, String> facts = new LinkedHashMap<>(
            Map.of("cpu.model", "Imaginary 9000", "cpu.cores", "8", "memory.mib", "32000", "kafka", "4.3.1"));
    private final SortedMap<String, String> labels = new TreeMap<>();
    private final Map<String, Double> levels = new LinkedHashMap<>(Map.of("response p99", 12.0));
    private RunState state = RunState.VALID;
    private double noise = 0.01;
    private double speed = 1;
    private boolean shortened;

    public SyntheticHistory setting(String path, String value) {
        settings.put(path, value);
        return this;
    }

    public SyntheticHistory fact(String name, String value) {
        facts.put(name, value);
        return this;
    }

    public SyntheticHistory label(String name, String value) {
        labels.put(name, value);
        return this;
    }

    /** Sets the mean of a figure. The first figure is the primary one. */
    public SyntheticHistory level(String metric, double level) {
        levels.put(metric, level);
        return this;
    }

    public SyntheticHistory without(String metric) {
        levels.remove(metric);
        return this;
    }

    public SyntheticHistory noise(double share) {
        noise = share;
        return this;
    }

    public SyntheticHistory speed(double times) {
        speed = times;
        return this;
    }

    public SyntheticHistory state(RunState next) {
        state = next;
        return this;
    }

    public SyntheticHistory shortened(boolean isShort) {
        shortened = isShort;
        return this;
    }

    public SyntheticHistory nights(int nights) {
        for (int i = 0; i < nights; i++) {
            runs.add(night());
        }
        return this;
    }

    public List<HistoryEntry> runs() {
        return List.copyOf(runs);
    }

    /** Returns the name of the run of a night, counted from 0. */
    public String run(int night) {
        return runs.get(night).run();
    }

    private HistoryEntry night() {
        Instant start = FIRST.plus(Duration.ofDays(runs.size()));
        String run = start.toString().replaceAll("[-:Z]", "").replace('T', '-') + "-nightly";
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        levels.forEach((metric, level) -> figures.put(metric, List.of(noisy(level), noisy(level), noisy(level))));
        List<Setting> set = settings.entrySet().stream()
                .map(one -> new Setting(one.getKey(), one.getValue(), "nightly.yaml:9"))
                .toList();
        SortedMap<String, String> own = new TreeMap<>(labels);
        own.putIfAbsent("commit", String.format("%07x", 0xabc000 + runs.size()));
        return new HistoryEntry(
                HistoryEntry.VERSION,
                run,
                "nightly",
                start.toString(),
                state.word(),
                shortened,
                "1",
                own,
                new Machine(
                        facts,
                        Map.of(
                                "base",
                                List.of(new Property("producer", "linger.ms", "", "5", "", Property.Source.YOURS))),
                        List.of()),
                new CanaryResults(List.of(canary()), List.of(canary())),
                List.of(new RequestedExperiment.Variant("base", 3, new TreeMap<>(), set)),
                Map.of("base", figures));
    }

    private double noisy(double level) {
        // The mean of three trials has the requested noise.
        return level * Math.exp(Math.sqrt(3) * noise * random.nextGaussian());
    }

    private Canary canary() {
        double round = 1000 * speed * Math.exp(0.002 * random.nextGaussian());
        return new Canary("cpu, one core", "M/s", true, 0.02, List.of(round, round, round));
    }

    /** Writes a history of many runs and figures to a folder, for a benchmark. */
    public static void main(String... arguments) {
        SyntheticHistory history = new SyntheticHistory().noise(0.02);
        for (String metric : List.of("response p50", "response p99.9", "e2e p50", "e2e p99", "e2e p99.9")) {
            history.level(metric, 20);
        }
        history.level("acked/s", 4990).level("received/s", 4990).level("CPU per record", 31);
        int runs = Integer.parseInt(arguments[1]);
        for (int i = 0; i < 60; i++) {
            history.setting("default." + i / 10 + ".setting-" + i, "value " + i);
        }
        for (int part = 0; part < 10; part++) {
            history.level("response p99", part % 2 == 0 ? 12 : 13)
                    .setting("load.producer.linger.ms", String.valueOf(part))
                    .nights(runs / 10);
        }
        history.runs().forEach(run -> History.keep(Path.of(arguments[0]), run));
    }
}
