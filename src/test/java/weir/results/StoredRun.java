package weir.results;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.SyntheticTrial;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.TrialResult;

/** Runs of a paced load in a folder, with the files that a comparison of runs reads. */
public final class StoredRun {
    private final Path root;
    private final String name;
    private final Map<String, String> facts = new LinkedHashMap<>(Map.of(
            "cpu.model", "Imaginary 9000", "cpu.cores", "4", "memory.mib", "16000", "kernel", "6.1", "kafka", "4.3.1"));
    private final Map<String, String> settings = new LinkedHashMap<>(
            Map.of("load.workload", "deliver", "load.rate", "100/s", "load.producer.linger.ms", "5", "repeat", "5"));
    private final Map<String, double[]> variants = new LinkedHashMap<>();
    private String linger = "5";
    private long lost;
    private boolean finished = true;
    private boolean valid = true;
    private boolean suspect;
    private int minute;

    public StoredRun(Path root, String name) {
        this.root = root;
        this.name = name;
    }

    public StoredRun variant(String variant, double... p99s) {
        variants.put(variant, p99s);
        return this;
    }

    public StoredRun fact(String fact, String value) {
        facts.put(fact, value);
        return this;
    }

    public StoredRun setting(String path, String value) {
        settings.put(path, value);
        return this;
    }

    /** Sets the effective value; the run may have requested another value. */
    public StoredRun linger(String value) {
        linger = value;
        return this;
    }

    public StoredRun lost(long records) {
        lost = records;
        return this;
    }

    public StoredRun unfinished() {
        finished = false;
        return this;
    }

    public StoredRun invalid() {
        valid = false;
        return this;
    }

    public StoredRun suspect() {
        suspect = true;
        return this;
    }

    public StoredRun at(int minuteOfTheHour) {
        minute = minuteOfTheHour;
        return this;
    }

    public RunFolder write() {
        List<Setting> said = settings.entrySet().stream()
                .map(entry -> new Setting(entry.getKey(), entry.getValue(), "x.yaml:1"))
                .toList();
        RequestedExperiment.Variant[] asked = variants.entrySet().stream()
                .map(entry ->
                        new RequestedExperiment.Variant(entry.getKey(), entry.getValue().length, new TreeMap<>(), said))
                .toArray(RequestedExperiment.Variant[]::new);
        RequestedExperiment question = Trials.asked(name, asked);
        Instant start = Instant.parse("2026-11-20T06:00:00Z").plusSeconds(60L * minute);
        RunFolder folder = Trials.folder(root, start, question);
        Map<String, List<Property>> properties = new LinkedHashMap<>();
        variants.keySet()
                .forEach(variant -> properties.put(
                        variant,
                        List.of(new Property("producer", "linger.ms", "", linger, "5", Property.Source.DEFAULT))));
        folder.machine(new Machine(facts, properties, List.of()));
        List<TrialResult> results = new ArrayList<>();
        variants.forEach((variant, p99s) -> {
            for (int i = 0; i < p99s.length; i++) {
                Figures figures = Trials.figures(100.0, 100, p99s[i], lost);
                TrialResult trial = RecordKeys.with(
                        Trials.trial(variant, i + 1, figures, List.of(Trials.step(100, 2, 0, figures))),
                        Map.of(
                                "trial",
                                results.size() + 1,
                                "startedAt",
                                start.toString(),
                                "settings",
                                new TreeMap<>(settings)));
                try (TrialWriter writer = folder.trial(SyntheticTrial.of(results.size() + 1, variant, i + 1), start)) {
                    writer.finish(trial, List.of());
                }
                results.add(trial);
            }
        });
        if (finished) {
            folder.conclude(RecordKeys.with(
                    RunResult.NONE,
                    Map.of(
                            "name", name,
                            "valid", valid,
                            "caveats",
                                    suspect ? List.of(Caveat.of(CaveatType.named("shared-cores"), 1, "")) : List.of(),
                            "trials", results)));
        }
        return folder;
    }
}
