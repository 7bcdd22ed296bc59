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
            Pattern.compile("\\b([0-9]{1,18})( steady state)? records sent, N records/sec \\(N MB/sec\\), N ms avg latency,"
                            .replace("N", N)
                    + " N ms max latency, N ms 50th, N ms 95th, N ms 99th, N ms 99\\.9th".replace("N", N)),
            // The second column of an interval is the number of a thread, not a time.
            CONSUMER,
            Pattern.compile("(?m)^[^,\n]+, (?![0-9]+,)[^,\n]+, N, N, ([0-9]{1,18}), N, (-?[0-9]{1,18}), -?[0-9]+, -?N, -?N\\s*$"
                    .replace("N", N)),
            LATENCY,
            Pattern.compile("Avg latency: N ms\\s+Percentiles: 50th = N, 99th = N, 99\\.9th = N".replace("N", N)));
    private static final Map<String, String> WORKLOADS =
            Map.of(PRODUCER, "produce", CONSUMER, "consume", LATENCY, "deliver");
    private static final String GAVE_UP = "WARNING: Exiting before consuming the expected number of ";
    private static final long MOST_SAMPLES = 500_000;
    private static final long DAY_MILLIS = 24 * 3600 * 1000L;

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
            trials.add(
                    switch (tool) {
                        case PRODUCER -> produced(found, steady, caveats);
                        case CONSUMER -> consumed(found, caveats);
                        default -> delivered(found, caveats);
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

    private static Measured produced(MatchResult found, boolean steady, CaveatCollector caveats) {
        long records = records(found, 1);
        double rate = number(found, 3);
        caveats.addIf(!steady, "none", ImportedRun.WARM_UP_UNKNOWN, PRODUCER, "the start of the client");
        caveats.addAs("send", ImportedRun.LATENCY_FROM_SEND, PRODUCER);
        caveats.addAs("percentiles", ImportedRun.LATENCY_ROUNDED, PRODUCER);
        LatencyResult service = new LatencyResult(
                number(found, 7),
                null,
                number(found, 9),
                number(found, 10),
                null,
                number(found, 6),
                number(found, 5),
                // The tool takes every n-th record for its percentiles.
                records / Math.max(1, records / MOST_SAMPLES),
                null,
                null);
        return measured(
                records / rate,
                Map.of(Count.SENT, records),
                Map.of(RateKind.ACKED, rate, RateKind.MEBIBYTES, number(found, 4)),
                Map.of(LatencyKind.SERVICE, service),
                caveats);
    }

    private Measured consumed(MatchResult found, CaveatCollector caveats) {
        long records = records(found, 3);
        double rate = number(found, 4);
        // Some releases print a time of day instead of the time of the rebalance.
        long joining = Long.parseLong(found.group(5));
        boolean known = joining >= 0 && joining < DAY_MILLIS;
        caveats.addAs(
                "none",
                ImportedRun.WARM_UP_UNKNOWN,
                CONSUMER,
                (known ? NumberFormat.millis((double) joining) + " in which" : "the time until")
                        + " the consumer joined its group");
        caveats.addIf(
                text.contains(GAVE_UP), "ended", Caveat.INTERRUPTED, "the consumer waited for records until its timeout");
        return measured(
                records / rate,
                Map.of(Count.RECEIVED, records),
                Map.of(RateKind.RECEIVED, rate, RateKind.MEBIBYTES, number(found, 2)),
                Map.of(),
                caveats);
    }

    private static Measured delivered(MatchResult found, CaveatCollector caveats) {
        caveats.addAs("none", ImportedRun.WARM_UP_UNKNOWN, LATENCY, "the first messages");
        caveats.addAs("loop", ImportedRun.LATENCY_FROM_SEND, LATENCY);
        caveats.add(ImportedRun.SAMPLES_UNKNOWN, LATENCY);
        caveats.addAs("percentiles", ImportedRun.LATENCY_ROUNDED, LATENCY);
        LatencyResult e2e = new LatencyResult(
                number(found, 2), null, number(found, 3), number(found, 4), null, null, number(found, 1), 0, null, null);
        return measured(0, Map.of(), Map.of(), Map.of(LatencyKind.E2E, e2e), caveats);
    }

    private static Measured measured(
            double seconds,
            Map<Count, Long> counts,
            Map<RateKind, Double> rates,
            Map<LatencyKind, LatencyResult> latencies,
            CaveatCollector caveats) {
        return new Measured(
                seconds,
                new Figures(counts, rates, latencies, LagResult.NONE, null),
                List.of(),
                caveats.found(),
                List.of());
    }

    private static long records(MatchResult found, int group) {
        long records = Long.parseLong(found.group(group));
        if (records == 0) {
            throw new IllegalArgumentException("a summary of 0 records, so nothing was measured");
        }
        return records;
    }

    private static double number(MatchResult found, int group) {
        return Double.parseDouble(found.group(group).replace(',', '.'));
    }
}
