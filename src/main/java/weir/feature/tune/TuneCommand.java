package weir.feature.tune;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.cli.SearchCommand;

/** The {@code weir tune} command: finds the client settings that serve a goal, without a file. */
@Command(
        name = "tune",
        header = "Find the client settings of which none is beaten in everything by another.",
        description = {
            "Tries settings in pairs of short trials, one as fast as it goes for throughput and one at a common rate for"
                    + " latency, and measures the best of them again in turns with the defaults; only those trials give the"
                    + " figures. The answer are trade-offs between throughput, latency and durability, each with its interval,"
                    + " or that nothing beats the defaults.",
            "A cluster of --bootstrap-server is not ours, so there it takes a bound: --max-rate."
        })
public final class TuneCommand extends SearchCommand {
    private static final String PRODUCER = "load.producer.";

    enum Goal {
        THROUGHPUT(Map.of(
                PRODUCER + "linger.ms", List.of("0", "5", "20", "100"),
                PRODUCER + "batch.size", List.of("16384", "65536", "131072", "262144"),
                PRODUCER + "compression.type", List.of("none", "lz4", "zstd"),
                PRODUCER + "buffer.memory", List.of("33554432", "134217728"))),
        LATENCY(Map.of(
                PRODUCER + "linger.ms", List.of("0", "1", "5"),
                PRODUCER + "batch.size", List.of("4096", "16384", "65536"),
                PRODUCER + "compression.type", List.of("none", "lz4"),
                PRODUCER + "max.in.flight.requests.per.connection", List.of("1", "2", "5"))),
        DURABILITY(Map.of(
                PRODUCER + "acks", List.of("0", "1", "all"),
                PRODUCER + "linger.ms", List.of("0", "5", "20"),
                PRODUCER + "max.in.flight.requests.per.connection", List.of("1", "5")));

        @SuppressWarnings("ImmutableEnumChecker") // an immutable map of immutable lists
        private final Map<String, List<String>> space;

        Goal(Map<String, List<String>> space) {
            this.space = space;
        }
    }

    @Option(
            names = "--goal",
            paramLabel = "throughput|latency|durability",
            description = "The goal whose settings are tried: throughput, latency or durability.")
    private @Nullable Goal goal;

    @Option(
            names = "--try",
            paramLabel = "PATH=VALUES",
            description =
                    "The values of a setting to try, such as load.producer.linger.ms=0,10,100, in place of a goal's. May"
                            + " be given several times.")
    private List<String> values = List.of();

    @Option(
            names = "--at",
            paramLabel = "RATE",
            description = "The rate at which latencies are compared: 50%% of capacity.")
    private String at = "";

    @Option(names = "--budget", paramLabel = "TIME", description = "How long it may take: 20m.")
    private String budget = "";

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic; 6.")
    private String partitions = "6";

    @Override
    protected String question() {
        if (goal != null && !values.isEmpty()) {
            throw wrong("--goal stands for a list of values, and so does --try; leave one of them out");
        }
        return values.isEmpty()
                ? "Which client settings serve " + goal().name().toLowerCase(Locale.ROOT) + " best?"
                : "Which of these client settings are best?";
    }

    private Goal goal() {
        return goal == null ? Goal.THROUGHPUT : goal;
    }

    @Override
    protected String partitions() {
        return partitions;
    }

    @Override
    protected void search(FlagPlan plan) {
        plan.value("    at", "--at", at).value("    budget", "--budget", budget).add("    space:");
        (values.isEmpty() ? new TreeMap<>(goal().space) : space())
                .forEach((path, each) -> plan.add(
                        "      " + FlagPlan.quoted(path) + ": " + each, values.isEmpty() ? "--goal" : "--try " + path));
    }

    private Map<String, List<String>> space() {
        Map<String, List<String>> space = new LinkedHashMap<>();
        for (String each : values) {
            int equals = each.indexOf('=');
            if (equals < 1 || equals == each.length() - 1) {
                throw wrong("--try: '" + each + "' is not PATH=VALUES, such as load.producer.linger.ms=0,10,100");
            }
            String path = each.substring(0, equals);
            if (space.containsKey(path)) {
                throw wrong("--try: '" + path + "' is given twice");
            }
            space.put(
                    path,
                    Arrays.stream(each.substring(equals + 1).split(",", -1))
                            .map(FlagPlan::quoted)
                            .toList());
        }
        return space;
    }
}
