package weir.feature.perf;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.plan.Experiment;

/** The {@code weir perf consumer} command, which consumes like {@code kafka-consumer-perf-test}. */
@Command(
        name = "consumer",
        header = "Consume with the flags and output lines of kafka-consumer-perf-test.",
        footer =
                "Example: weir" + " perf consumer --topic orders --num-records 1000000 --bootstrap-server kafka-1:9092",
        description = {
            "Standard output has exactly the lines of Kafka's tool. Standard error has the caveats and the path"
                    + " of the report. Without --group, weir joins a new group and deletes the group at the end."
        })
final class PerfConsumerCommand extends ReadingTool {
    private static final Map<String, String> OTHERWISE = Map.of(
            "auto.offset.reset", "--from-latest sets the start", "enable.auto.commit", "offsets are always committed");
    private static final Predicate<String> KAFKAS_OWN = Pattern.compile(
                    "__consumer_offsets|__transaction_state|__share_group_state")
            .asMatchPredicate();

    @Option(
            names = "--include",
            paramLabel = "REGEX",
            description = "All topics with a matching name, instead of" + " --topic.")
    private String include = "";

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "Join this consumer group and read from its offsets (default: a new group).")
    private String group = "";

    @Option(names = "--from-latest", description = "If a partition has no committed offset, begin at its end.")
    private boolean latest;

    @Option(
            names = "--fetch-size",
            paramLabel = "BYTES",
            description = "Maximum bytes of a partition in one fetch (default: 1048576).")
    private long fetch = MISSING;

    @Option(
            names = "--headers",
            description = "Read only the headers of batches and count their records, as verify: headers does. Requires"
                    + " --engine wire.")
    private boolean headers;

    @Option(names = "--broker-list", paramLabel = "HOST:PORT,...", description = "Deprecated.")
    private String brokerList = "";

    @Option(
            names = {"--threads", "--num-fetch-threads"},
            hidden = true,
            paramLabel = "N")
    private String threads = "";

    PerfConsumerCommand() {
        super("perf-consumer-client", "max.partition.fetch.bytes");
    }

    @Override
    int call(Path folder) {
        long number = check();
        ConsumerPerfOutput.Asked asked = asked(number);
        PerfProperties properties = properties(folder);
        String address = either("--bootstrap-server", bootstrap, "--broker-list", brokerList, "");
        String bootstrapServers = bootstrap(properties, address);
        FlagPlan plan = plan(bootstrapServers, properties, number, topic.isEmpty() ? List.of("weir") : List.of(topic));
        Experiment experiment = experiment(folder, plan);
        if (include.isEmpty()) {
            topicsToRead(experiment, "--topic", topic, topic::equals);
        } else {
            Predicate<String> wanted = matching().and(KAFKAS_OWN.negate());
            List<String> topics = topicsToRead(experiment, "--include", include, wanted);
            say("reading " + String.join(", ", topics));
            plan = plan(bootstrapServers, properties, number, topics);
            experiment = experiment(folder, plan);
        }
        if (headers) {
            say("--headers reads no record, so data.consumed.in.MB, MB.sec and fetch.MB.sec count"
                    + " the bytes of stored batches, compressed and with headers");
        }
        return conduct(experiment, plan, new ConsumerPerfOutput(out(), asked));
    }

    private long check() {
        if (topic.isEmpty() == include.isEmpty()) {
            throw wrong("write exactly one of --topic and --include");
        }
        if (!threads.isEmpty()) {
            say("--threads and --num-fetch-threads have no effect, because one thread reads");
        }
        return number();
    }

    private Predicate<String> matching() {
        try {
            return Pattern.compile(include).asMatchPredicate();
        } catch (PatternSyntaxException e) {
            throw wrong("--include: '" + include + "' is not a regular expression: " + e.getDescription());
        }
    }

    private PerfProperties properties(Path folder) {
        PerfProperties properties = clientProperties(folder);
        properties.drop(OTHERWISE);
        if (wire()) {
            properties.drop(Map.of("group.protocol", "the wire engine has no groups"));
            say("--engine wire has no groups, so rebalance.time.ms is 0");
        }
        sizes(properties, fetch);
        return properties;
    }

    private boolean wire() {
        return engine().equals("wire");
    }

    private FlagPlan plan(String bootstrapServers, PerfProperties properties, long number, List<String> topics) {
        Map<String, String> ours = ours(properties, fetch);
        ours.put("auto.offset.reset", latest ? "latest" : "earliest");
        FlagPlan plan = plan("How fast is '" + String.join(", ", topics) + "' read?", bootstrapServers);
        String protocol = properties.has("group.protocol") ? properties.value("group.protocol") : "classic";
        if (protocol.equalsIgnoreCase("share")) {
            throw wrong("'group.protocol': must be classic or consumer, found 'share'; use weir perf share-consumer");
        }
        properties.write(plan, engine(), "group.protocol");
        plan.add("topics:");
        topics.forEach(name -> plan.add("  " + FlagPlan.quoted(name) + ": { existing: true }", "--topic"));
        plan.add("load:").add("  workload: consume").add("  engine: " + FlagPlan.quoted(engine()), "--engine");
        plan.add("  rate: max").add("  producers: 0").add("  consumer:");
        plan.properties(ours);
        if (!group.isEmpty() || !wire()) {
            plan.add("  group:")
                    .add("    name: " + FlagPlan.quoted(group.isEmpty() ? "group" : group), "--group")
                    .add("    protocol: " + FlagPlan.quoted(protocol.toLowerCase(Locale.ROOT)), "'group.protocol'")
                    .add("    existing: " + !group.isEmpty());
        }
        return measured(plan, number, headers ? "headers" : "false", headers ? "--headers" : "");
    }
}
