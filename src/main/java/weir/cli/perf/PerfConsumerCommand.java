package weir.cli.perf;

import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import weir.cli.perf.PerfFlags.Given;
import weir.plan.Experiment;

/** Consumes as {@code kafka-consumer-perf-test} does. */
@Command(
        name = "consumer",
        header = "Consume with the flags and the lines of kafka-consumer-perf-test, and report.",
        description = {
            "Standard output has exactly that tool's lines. Standard error has caveats of the numbers, and where the report is. Without --group a group of its own is joined, and deleted at the end."
        })
final class PerfConsumerCommand implements Callable<Integer> {
    private static final String NAME = "perf-consumer";
    private static final String FETCH = "max.partition.fetch.bytes";
    private static final String BUFFER = "receive.buffer.bytes";
    /** The properties that Kafka's tool sets by default. */
    private static final Map<String, String> USUAL =
            Map.of(FETCH, "1048576", BUFFER, "2097152", "check.crcs", "false", "client.id", "perf-consumer-client");

    private static final Map<String, String> OTHERWISE = Map.of(
            "group.id", "--group names the group",
            "auto.offset.reset", "--from-latest says where to begin",
            "enable.auto.commit", "what was read is always committed",
            "key.deserializer", "records are read as bytes",
            "value.deserializer", "records are read as bytes");

    private static final Predicate<String> KAFKAS_OWN = Pattern.compile(
                    "__consumer_offsets|__transaction_state|__share_group_state")
            .asMatchPredicate();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PerfFlags flags = new PerfFlags();

    @Option(names = "--topic", paramLabel = "TOPIC", description = "The topic; it has to be there.")
    private String topic = "";

    @Option(names = "--include", paramLabel = "REGEX", description = "All topics of such a name, instead of --topic.")
    private String include = "";

    @Option(names = "--num-records", paramLabel = "N", description = "Number of records to read.")
    private long records = PerfFlags.MISSING;

    @Option(names = "--messages", paramLabel = "N", description = "Deprecated.")
    private long messages = PerfFlags.MISSING;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "Read as a member of this group, from where it stands; without it, of one of its own.")
    private String group = "";

    @Option(names = "--from-latest", description = "Begin at the end of the log where the group has no place yet.")
    private boolean latest;

    @Option(
            names = "--fetch-size",
            paramLabel = "BYTES",
            description = "Most bytes of a partition in a request; 1048576.")
    private long fetch = PerfFlags.MISSING;

    @Option(
            names = "--socket-buffer-size",
            paramLabel = "BYTES",
            description = "Receive buffer of a socket in bytes; 2097152.")
    private long buffer = PerfFlags.MISSING;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            description = "Give up after this many milliseconds without a record; 10000.")
    private long timeout = 10_000;

    @Option(names = "--show-detailed-stats", description = "A line for each interval instead of one for all.")
    private boolean detailed;

    @Option(names = "--hide-header", description = "Leave the names of the columns out.")
    private boolean headless;

    @Option(
            names = "--date-format",
            paramLabel = "FORMAT",
            description = "Format of times, as of java.text.SimpleDateFormat.")
    private String dateFormat = "yyyy-MM-dd HH:mm:ss:SSS";

    @Option(
            names = "--headers",
            description = "Count by the headers of batches and read no record, as verify: headers; for --engine wire.")
    private boolean headers;

    @Option(names = "--broker-list", paramLabel = "HOST:PORT,...", description = "Deprecated.")
    private String brokerList = "";

    @Option(names = "--consumer.config", paramLabel = "FILE", description = "Deprecated.")
    private String oldConfig = "";

    @Option(
            names = {"--threads", "--num-fetch-threads"},
            hidden = true,
            paramLabel = "N")
    private String threads = "";

    private String window = "";

    @Override
    public Integer call() {
        try (PerfRun run = new PerfRun(spec)) {
            long number = check(run);
            ConsumerPerfOutput.Asked asked = new ConsumerPerfOutput.Asked(
                    number, Duration.ofMillis(timeout), flags.interval(run, detailed), detailed, !headless, dateFormat);
            PerfProperties properties = properties(run);
            String bootstrap = bootstrap(run, properties);
            PerfPlan plan = plan(bootstrap, properties, number, topic.isEmpty() ? List.of("weir") : List.of(topic));
            Experiment experiment = run.experiment(NAME, plan);
            if (include.isEmpty()) {
                run.topicsToRead(experiment, "--topic", topic, topic::equals);
            } else {
                Predicate<String> wanted = matching(run).and(KAFKAS_OWN.negate());
                List<String> topics = run.topicsToRead(experiment, "--include", include, wanted);
                run.say("reads " + String.join(", ", topics));
                plan = plan(bootstrap, properties, number, topics);
                experiment = run.experiment(NAME, plan);
            }
            if (headers) {
                run.say("--headers: no record is read, so data.consumed.in.MB, MB.sec and fetch.MB.sec are those of"
                        + " whole batches as they are stored, headers and compression included");
            }
            ConsumerPerfOutput lines = new ConsumerPerfOutput(spec.commandLine().getOut(), asked);
            return run.conduct(
                    experiment,
                    plan,
                    flags.runs(),
                    new PerfListener(
                            run, lines, flags.printing(spec.commandLine().getOut())));
        }
    }

    /** The number of records. */
    private long check(PerfRun run) {
        if (topic.isEmpty() == include.isEmpty()) {
            throw run.wrong("give exactly one of --topic and --include");
        }
        if (!threads.isEmpty()) {
            run.say("--threads and --num-fetch-threads have no effect; one thread reads");
        }
        long number = PerfFlags.either(run, Given.of("--num-records", records), Given.of("--messages", messages));
        if (number < 1) {
            throw run.wrong(
                    number == PerfFlags.MISSING
                            ? "--num-records is missing: how many?"
                            : "--num-records: '" + number + "' is not above 0");
        }
        if (timeout < 1) {
            throw run.wrong("--timeout: '" + timeout + "' is not above 0");
        }
        try {
            var unused = new SimpleDateFormat(dateFormat);
        } catch (IllegalArgumentException e) {
            throw run.wrong("--date-format: '" + dateFormat + "': " + e.getMessage());
        }
        return number;
    }

    private Predicate<String> matching(PerfRun run) {
        try {
            return Pattern.compile(include).asMatchPredicate();
        } catch (PatternSyntaxException e) {
            throw run.wrong("--include: '" + include + "' is no regular expression: " + e.getDescription());
        }
    }

    private PerfProperties properties(PerfRun run) {
        String config = PerfFlags.either(
                run, Given.of(PerfFlags.CONFIG, flags.config()), Given.of("--consumer.config", oldConfig));
        PerfProperties properties = PerfProperties.of(
                run,
                oldConfig.isEmpty() ? PerfFlags.CONFIG : "--consumer.config",
                config,
                PerfFlags.PROPERTY,
                flags.properties(),
                run.folder());
        properties.drop(OTHERWISE);
        if (wire()) {
            properties.drop(Map.of("group.protocol", "the wire engine has no groups"));
            run.say("--engine wire has no groups: partitions are assigned, so rebalance.time.ms is 0");
        }
        window = flags.window(run, properties);
        size(run, properties, "--fetch-size", fetch, FETCH);
        size(run, properties, "--socket-buffer-size", buffer, BUFFER);
        return properties;
    }

    private static void size(PerfRun run, PerfProperties properties, String flag, long size, String property) {
        if (size == PerfFlags.MISSING) {
            return;
        }
        if (size < (property.equals(BUFFER) ? -1 : 0) || size > Integer.MAX_VALUE) {
            throw run.wrong(flag + ": '" + size + "' is not a number of bytes up to " + Integer.MAX_VALUE);
        }
        properties.drop(Map.of(property, flag + " says the same"));
    }

    private boolean wire() {
        return flags.engine().equals("wire");
    }

    private String bootstrap(PerfRun run, PerfProperties properties) {
        String ofProperties = properties.remove("bootstrap.servers");
        String given = PerfFlags.either(
                run, Given.of("--bootstrap-server", flags.bootstrap()), Given.of("--broker-list", brokerList));
        String bootstrap = given.isEmpty() ? ofProperties : given;
        if (bootstrap.isEmpty()) {
            throw run.wrong("--bootstrap-server is missing: which cluster?");
        }
        return bootstrap;
    }

    private PerfPlan plan(String bootstrap, PerfProperties properties, long number, List<String> topics) {
        Map<String, String> ours = new TreeMap<>(USUAL);
        ours.keySet().removeIf(properties::has);
        ours.put("auto.offset.reset", latest ? "latest" : "earliest");
        if (fetch != PerfFlags.MISSING) {
            ours.put(FETCH, Long.toString(fetch));
        }
        if (buffer != PerfFlags.MISSING) {
            ours.put(BUFFER, Long.toString(buffer));
        }
        if (!window.isEmpty()) {
            ours.put(window, PerfFlags.WINDOW_MILLIS);
        }
        PerfPlan plan = new PerfPlan()
                .add("name: " + NAME)
                .add("question: " + PerfPlan.quoted("How fast is '" + String.join(", ", topics) + "' read?"))
                .add("cluster:")
                .add("  bootstrap: " + PerfPlan.quoted(bootstrap), "--bootstrap-server");
        String protocol = properties.has("group.protocol") ? properties.value("group.protocol") : "classic";
        flags.classPath(plan);
        properties.write(plan, flags.engine(), "group.protocol");
        plan.add("topics:");
        topics.forEach(name -> plan.add("  " + PerfPlan.quoted(name) + ": { existing: true }", "--topic"));
        plan.add("load:").add("  workload: consume").add("  engine: " + PerfPlan.quoted(flags.engine()), "--engine");
        plan.add("  rate: max").add("  producers: 0").add("  consumer:");
        ours.forEach((name, value) -> plan.add("    " + name + ": " + PerfPlan.quoted(value)));
        if (!group.isEmpty() || !wire()) {
            plan.add("  group:")
                    .add("    name: " + PerfPlan.quoted(group.isEmpty() ? "group" : group), "--group")
                    .add("    protocol: " + PerfPlan.quoted(protocol.toLowerCase(Locale.ROOT)), "'group.protocol'")
                    .add("    existing: " + !group.isEmpty());
        }
        return plan.add("warmup: none")
                .add("measure: { operations: " + number + ", idle: " + timeout + "ms }", "--num-records")
                .add("verify: " + (headers ? "headers" : "false"), headers ? "--headers" : "")
                .add("accept:")
                .add("  not-steady: Kafka's tool takes in the start, too")
                .add("  property-ignored: a file of properties may be meant for other programs, too");
    }
}
