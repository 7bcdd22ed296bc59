package weir.feature.imports;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.feature.imports.ImportRow.ValueForm;
import weir.feature.imports.ImportedRun.Measured;
import weir.judge.caveat.CaveatCollector;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.syntax.Tree;
import weir.results.TrialFolder;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;

/**
 * A result file of OpenMessaging Benchmark. Rates are means of periods of ten seconds. Latencies are in milliseconds,
 * delays in microseconds. OMB writes 0 for each figure that it did not measure.
 */
record OmbResult(Tree.Section json) {
    static final String KIND = "a result of OpenMessaging Benchmark";
    static final String RATE = "publishRate";

    private static final String TOOL = "OpenMessaging Benchmark";
    private static final String LATE = "aggregatedPublishDelayLatency99pct";
    private static final double PERIOD_SECONDS = 10;
    private static final double MICROS = 1e3;
    private static final List<String> FACTS = List.of(
            "workload", "driver", "topics", "partitions", "messageSize", "producersPerTopic", "consumersPerTopic");
    private static final List<Keys> LATENCIES = List.of(
            new Keys(LatencyKind.SERVICE, "aggregatedPublishLatency", "publishLatency"),
            new Keys(LatencyKind.E2E, "aggregatedEndToEndLatency", "endToEndLatency"));

    /** The begin of the keys of one latency, for the whole run and for its periods. */
    private record Keys(LatencyKind kind, String whole, String periods) {}

    /**
     * The run with its only trial.
     *
     * @param otherwise the name of the run if the file does not name its workload
     * @param trial the number of the trial
     * @throws IllegalArgumentException if the file has no figures, or a figure that is not a number
     */
    ImportedRun run(String otherwise, int trial) {
        SortedMap<String, String> facts = new TreeMap<>();
        FACTS.stream()
                .filter(fact -> !json.text(fact).isEmpty() && !json.text(fact).equals("0"))
                .forEach(fact -> facts.put(fact, json.text(fact)));
        Measured measured = measured(trial);
        boolean reads = measured.figures().receivedPerSecond() != null;
        SortedMap<String, String> settings = new TreeMap<>(Map.of("load.workload", reads ? "deliver" : "produce"));
        long bytes = Math.round(number("messageSize"));
        if (bytes > 0) {
            settings.put("load.value.size", bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "B");
        }
        long producers = Math.round(number("topics") * number("producersPerTopic"));
        if (producers > 0) {
            settings.put("load.producers", String.valueOf(producers));
        }
        String workload = ValueForm.convert("name", json.text("workload"));
        return new ImportedRun(
                TOOL, workload.isEmpty() ? otherwise : "imported-" + workload, facts, settings, List.of(measured));
    }

    private Measured measured(int trial) {
        Map<RateKind, Double> rates = new EnumMap<>(RateKind.class);
        Map.of(RateKind.ACKED, RATE, RateKind.RECEIVED, "consumeRate").forEach((kind, key) -> {
            if (mean(key) > 0) {
                rates.put(kind, mean(key));
            }
        });
        if (rates.isEmpty()) {
            throw new IllegalArgumentException("publishRate and consumeRate are 0, so nothing was measured");
        }
        Map<LatencyKind, LatencyResult> latencies = new EnumMap<>(LatencyKind.class);
        List<TrialFolder.Point> spectrum = new ArrayList<>();
        for (Keys keys : LATENCIES) {
            latencies.put(keys.kind, latency(keys));
            json.section(keys.whole + "Quantiles")
                    .entries()
                    .forEach((percentile, millis) -> spectrum.add(new TrialFolder.Point(
                            keys.kind.word() + "@" + Steps.MEASURE,
                            number(keys.whole + "Quantiles", percentile),
                            number(keys.whole + "Quantiles", millis.line()))));
        }
        double failed = mean("publishErrorRate");
        boolean none = failed == 0 && json.has("publishErrorRate");
        return new Measured(
                PERIOD_SECONDS * numbers(RATE).length,
                new Figures(none ? Map.of(Count.FAILED, 0L) : Map.of(), rates, latencies, LagResult.NONE, null),
                spectrum,
                caveats(trial),
                failed > 0 ? List.of(TOOL + " counted " + NumberFormat.rate(failed) + " failed sends.") : List.of());
    }

    private List<Caveat> caveats(int trial) {
        CaveatCollector caveats = new CaveatCollector(trial);
        caveats.addAs("unknown", ImportedRun.WARM_UP_UNKNOWN, TOOL);
        double late = number(LATE) / MICROS;
        caveats.addIf(late > 0, "late", ImportedRun.LATENCY_FROM_SEND, TOOL, NumberFormat.millis(late));
        caveats.addIf(!(late > 0), "send", ImportedRun.LATENCY_FROM_SEND, TOOL);
        LATENCIES.stream()
                .filter(keys -> !whole(keys) && !latency(keys).equals(LatencyResult.NONE))
                .forEach(keys -> caveats.add(
                        ImportedRun.PERCENTILES_AVERAGED, keys.kind.word(), numbers(keys.periods + "Max").length));
        caveats.add(ImportedRun.SAMPLES_UNKNOWN, TOOL);
        caveats.addAs("e2e", ImportedRun.LATENCY_ROUNDED, TOOL);
        return caveats.found();
    }

    /** True if the file has percentiles of the whole run, not only of its periods. */
    private boolean whole(Keys keys) {
        return number(keys.whole + "Max") > 0;
    }

    private LatencyResult latency(Keys keys) {
        double max = DoubleStream.of(numbers(keys.periods + "Max")).max().orElse(0);
        if (!whole(keys) && max == 0) {
            return LatencyResult.NONE;
        }
        return new LatencyResult(
                figure(keys, "50pct"),
                null,
                figure(keys, "99pct"),
                figure(keys, "999pct"),
                figure(keys, "9999pct"),
                whole(keys) ? number(keys.whole + "Max") : max,
                figure(keys, "Avg"),
                0,
                null,
                null);
    }

    private @Nullable Double figure(Keys keys, String stat) {
        if (whole(keys)) {
            return json.has(keys.whole + stat) ? (Double) number(keys.whole + stat) : null;
        }
        return json.has(keys.periods + stat) ? (Double) mean(keys.periods + stat) : null;
    }

    private double mean(String key) {
        return DoubleStream.of(numbers(key)).average().orElse(0);
    }

    private double[] numbers(String key) {
        return json.items(key).stream()
                .mapToDouble(item -> number(key, item.line()))
                .toArray();
    }

    /** The number of a key; 0 for a missing key. */
    private double number(String key) {
        return json.has(key) ? number(key, json.text(key)) : 0;
    }

    private static double number(String key, String text) {
        if (!text.matches("[0-9]{1,18}(\\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?")) {
            throw new IllegalArgumentException(key + " must be a number of at least 0, found '" + text + "'");
        }
        return Double.parseDouble(text);
    }
}
