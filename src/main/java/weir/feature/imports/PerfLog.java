package weir.feature.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import weir.feature.imports.ImportedRun.Measured;
import weir.judge.caveat.CaveatCollector;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;

/**
 * The output of one of Kafka's performance tools, from Kafka 2.8 on. Each summary in the output is a trial. The tools
 * write a decimal comma in some locales.
 */
record PerfLog(String text, int first) {
    private static final String PRODUCER = "kafka-producer-perf-test";
    private static final String CONSUMER = "kafka-consumer-perf-test";
    private static final String LATENCY = "kafka-e2e-latency";

    private static final String N = "([0-9]+(?:[.,][0-9]+)?)";
    private static final Map<String, Pattern> SUMMARIES = Map.of(
            PRODUCER,
            Pattern.compile(
                    "\\b([0-9]{1,18})( steady state)? records sent, N records/sec \\(N MB/sec\\), N ms avg latency,"
                                    .replace("N", N)
                            + " N ms max latency, N ms 50th, N ms 95th, N ms 99th, N ms 99\\.9th".replace("N", N)),
            // The second column of an interval is the number of a thread, not a time.
            CONSUMER,
            Pattern.compile(
                    "(?m)^[^,\n]+, (?![0-9]+,)[^,\n]+, N, N, ([0-9]{1,18}), N, (-?[0-9]{1,18}), -?[0-9]+, -?N, -?N\\s*$"
                            .replace("N", N)),
            LATENCY,
            Pattern.compile("Avg latency: N ms\\s+Percentiles: 50th = N, 99th = N, 99\\.9th = N".replace("N", N)));
    private static final Map<String, String> WORKLOADS =
            Map.of(PRODUCER, "produce", CONSUMER, "consume", LATENCY, "deliver");
    private static final String GAVE_UP = "WARNING: Exiting before consuming the expected number of ";
    private static final long MOST_SAMPLES = 500_000;
    private static final double DAY_MILLIS = 24 * 3600 * 1e3;

    /**
     * The run, whose trials count from {@code first}.
     *
     * @throws IllegalArgumentException if the output has no summary, or summaries of several tools
     */
    ImportedRun run(String name) {
        List<String> tools = SUMMARIES.keySet().stream()
                .filter(tool -> summary(tool).matcher(text).find())
                .sorted()
                .toList();
        if (tools.isEmpty()) {
            throw new IllegalArgumentException("no summary line of " + PRODUCER + ", " + CONSUMER + " or " + LATENCY
                    + "; the file must have the whole output of a tool, without --show-detailed-stats");
        }
        if (tools.size() > 1) {
            throw new IllegalArgumentException(
                    "the output of " + NumberFormat.listed(tools) + "; write one file for each tool");
        }
        String tool = tools.get(0);
        List<Measured> trials = new ArrayList<>();
        for (MatchResult found : summary(tool).matcher(text).results().toList()) {
            boolean steady = tool.equals(PRODUCER) && found.group(2) != null;
            if (steady && !trials.isEmpty()) {
                // The summary before it is of the same run, with its warm-up.
                trials.remove(trials.size() - 1);
            }
            CaveatCollector caveats = new CaveatCollector(first + trials.size());
            double[] numbers = numbers(found);
            trials.add(
                    switch (tool) {
                        case PRODUCER -> produced(numbers, steady, caveats);
                        case CONSUMER -> consumed(numbers, caveats);
                        default -> delivered(numbers, caveats);
                    });
        }
        SortedMap<String, String> settings = new TreeMap<>(Map.of("load.workload", WORKLOADS.getOrDefault(tool, "")));
        if (tool.equals(LATENCY)) {
            settings.put("load.rate", "one at a time");
        }
        return new ImportedRun(tool, name, new TreeMap<>(), settings, trials);
    }

    private static Pattern summary(String tool) {
        return SUMMARIES.getOrDefault(tool, Pattern.compile("(?!)"));
    }

    private static Measured produced(double[] found, boolean steady, CaveatCollector caveats) {
        long records = (long) found[1];
        caveats.addIf(!steady, "none", ImportedRun.WARM_UP_UNKNOWN, PRODUCER, "the start of the client");
        caveats.addAs("send", ImportedRun.LATENCY_FROM_SEND, PRODUCER);
        caveats.addAs("percentiles", ImportedRun.LATENCY_ROUNDED, PRODUCER);
        // The tool takes every n-th record for its percentiles.
        long samples = records / Math.max(1, records / MOST_SAMPLES);
        LatencyResult service =
                new LatencyResult(found[7], null, found[9], found[10], null, found[6], found[5], samples, null, null);
        return measured(
                records / found[3],
                Map.of(Count.SENT, records),
                Map.of(RateKind.ACKED, found[3], RateKind.MEBIBYTES, found[4]),
                Map.of(LatencyKind.SERVICE, service),
                caveats);
    }

    private Measured consumed(double[] found, CaveatCollector caveats) {
        long records = (long) found[3];
        // Some releases print a time of day instead of the time of the rebalance.
        String joining =
                found[5] >= 0 && found[5] < DAY_MILLIS ? NumberFormat.millis(found[5]) + " in which" : "the time until";
        caveats.addAs("none", ImportedRun.WARM_UP_UNKNOWN, CONSUMER, joining + " the consumer joined its group");
        caveats.addIf(
                text.contains(GAVE_UP),
                "ended",
                Caveat.INTERRUPTED,
                "the consumer waited for records until its timeout");
        return measured(
                records / found[4],
                Map.of(Count.RECEIVED, records),
                Map.of(RateKind.RECEIVED, found[4], RateKind.MEBIBYTES, found[2]),
                Map.of(),
                caveats);
    }

    private static Measured delivered(double[] found, CaveatCollector caveats) {
        caveats.addAs("none", ImportedRun.WARM_UP_UNKNOWN, LATENCY, "the first messages");
        caveats.addAs("loop", ImportedRun.LATENCY_FROM_SEND, LATENCY);
        caveats.add(ImportedRun.SAMPLES_UNKNOWN, LATENCY);
        caveats.addAs("percentiles", ImportedRun.LATENCY_ROUNDED, LATENCY);
        LatencyResult e2e = new LatencyResult(found[2], null, found[3], found[4], null, null, found[1], 0, null, null);
        return measured(0, Map.of(), Map.of(), Map.of(LatencyKind.E2E, e2e), caveats);
    }

    private static Measured measured(
            double seconds,
            Map<Count, Long> counts,
            Map<RateKind, Double> rates,
            Map<LatencyKind, LatencyResult> latencies,
            CaveatCollector caveats) {
        if (counts.containsValue(0L)) {
            throw new IllegalArgumentException("a summary of 0 records, so nothing was measured");
        }
        Figures figures = new Figures(counts, rates, latencies, LagResult.NONE, null);
        return new Measured(seconds, figures, List.of(), caveats.found(), List.of());
    }

    /** The numbers of a summary by their groups; NaN for a group with another text. */
    private static double[] numbers(MatchResult found) {
        double[] numbers = new double[found.groupCount() + 1];
        for (int group = 1; group < numbers.length; group++) {
            String text = String.valueOf(found.group(group)).replace(',', '.');
            numbers[group] = text.matches("-?[0-9.]+") ? Double.parseDouble(text) : Double.NaN;
        }
        return numbers;
    }
}
