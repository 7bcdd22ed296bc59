package weir.cli.perf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import weir.cli.perf.PerfFlags.Given;
import weir.load.message.Payloads;
import weir.plan.Experiment;

/** Produces as {@code kafka-producer-perf-test} does. */
@Command(
        name = "producer",
        header = "Produce with the flags and the lines of kafka-producer-perf-test, and report.",
        description = {
            "Standard output has exactly that tool's lines. Standard error has what it does not tell: response times, caveats of the numbers, and where the report is. Nobody is asked before a cluster is loaded."
        })
final class PerfProducerCommand implements Callable<Integer> {
    private static final String DELIMITER = "\\n";
    private static final String NAME = "perf-producer";
    /** Kafka's own limit, delivery.timeout.ms, and then some. */
    private static final Duration DRAIN = Duration.ofSeconds(150);

    /** A second record is due after eleven days. */
    private static final BigDecimal SLOWEST = new BigDecimal("0.000001");

    private static final String ID = "transactional.id";
    private static final int TRANSACTION_MILLIS = 3_000;

    private static final Map<String, String> BYTES = Map.of(
            "key.serializer", "records are bytes",
            "value.serializer", "records are bytes");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PerfFlags flags = new PerfFlags();

    @Option(
            names = "--topic",
            required = true,
            paramLabel = "TOPIC",
            description = "The topic; the broker may make it.")
    private String topic = "";

    @Option(names = "--num-records", required = true, paramLabel = "N", description = "Number of records to send.")
    private long records;

    @Option(
            names = "--record-size",
            paramLabel = "BYTES",
            description = "Size of each record in bytes; it holds random letters.")
    private long size = PerfFlags.MISSING;

    @Option(
            names = "--payload-file",
            paramLabel = "FILE",
            description = "Values drawn from a file, byte for byte, instead of --record-size.")
    private String payload = "";

    @Option(
            names = "--payload-delimiter",
            paramLabel = "REGEX",
            description = "Delimiter between two values of the file.")
    private String delimiter = "";

    @Option(names = "--payload-monotonic", description = "Values 0, 1, 2, ..., instead of --record-size.")
    private boolean monotonic;

    @Option(
            names = "--throughput",
            required = true,
            paramLabel = "RATE",
            description = "Records per second, fractions too; -1 for as many as it takes.")
    private BigDecimal throughput = BigDecimal.ZERO;

    @Option(names = "--producer-props", paramLabel = "NAME=VALUE", arity = "1..*", description = "Deprecated.")
    private List<String> oldProperties = new ArrayList<>();

    @Option(names = "--producer.config", paramLabel = "FILE", description = "Deprecated.")
    private String oldConfig = "";

    @Option(
            names = "--transactional-id",
            paramLabel = "ID",
            description = "Produce in transactions with this transactional id.")
    private String transactionalId = "";

    @Option(
            names = "--transaction-duration-ms",
            paramLabel = "MS",
            description = "Commit a transaction after this time.")
    private long transaction = PerfFlags.MISSING;

    @Option(
            names = "--warmup-records",
            paramLabel = "N",
            description = "Number of records that are a warm-up; a second summary leaves them out.")
    private long warmup = PerfFlags.MISSING;

    @Option(names = "--verify", description = "Read the records back afterwards; none of Kafka's tools does.")
    private boolean verify;

    @Override
    public Integer call() {
        try (PerfRun run = new PerfRun(spec)) {
            check(run);
            Duration interval = flags.interval(run, true);
            PerfPlan plan = plan(run, properties(run));
            if (!payload.isEmpty()) {
                readPayload(run);
            }
            Experiment experiment = run.experiment(NAME, plan);
            run.topicToWrite(experiment, topic);
            boolean transactional =
                    !experiment.variants().get(0).load().transaction().none();
            ProducerPerfOutput lines = new ProducerPerfOutput(
                    spec.commandLine().getOut(),
                    throughput.signum() >= 0,
                    transactional,
                    Math.max(0, warmup),
                    interval);
            return run.conduct(
                    experiment,
                    plan,
                    flags.runs(),
                    new PerfListener(
                            run, lines, flags.printing(spec.commandLine().getOut())));
        }
    }

    private void check(PerfRun run) {
        if (records < 1) {
            throw run.wrong("--num-records: '" + records + "' is not above 0");
        }
        int values = (size == PerfFlags.MISSING ? 0 : 1) + (payload.isEmpty() ? 0 : 1) + (monotonic ? 1 : 0);
        if (values != 1) {
            throw run.wrong("give exactly one of --record-size, --payload-file and --payload-monotonic");
        }
        if (size != PerfFlags.MISSING && (size < 1 || size > Integer.MAX_VALUE)) {
            throw run.wrong("--record-size: '" + size + "' is not from 1 to " + Integer.MAX_VALUE);
        }
        if (!delimiter.isEmpty() && payload.isEmpty()) {
            run.say("--payload-delimiter has no effect without --payload-file");
        }
        if (throughput.signum() == 0 && records > 1) {
            run.say(
                    "--throughput 0 sends one record and then waits until it is interrupted; -1 is as many as it takes");
        }
        if (warmup >= records) {
            throw run.wrong("--warmup-records: '" + warmup + "' is not below --num-records");
        }
        if (transaction != PerfFlags.MISSING && transaction < 1) {
            throw run.wrong("--transaction-duration-ms: '" + transaction + "' is not above 0");
        }
    }

    private PerfProperties properties(PerfRun run) {
        boolean old = !oldProperties.isEmpty();
        List<String> given = PerfFlags.either(
                run, Given.of(PerfFlags.PROPERTY, flags.properties()), Given.of("--producer-props", oldProperties));
        String config = PerfFlags.either(
                run, Given.of(PerfFlags.CONFIG, flags.config()), Given.of("--producer.config", oldConfig));
        PerfProperties properties = PerfProperties.of(
                run,
                oldConfig.isEmpty() ? PerfFlags.CONFIG : "--producer.config",
                config,
                old ? "--producer-props" : PerfFlags.PROPERTY,
                given,
                run.folder());
        properties.drop(BYTES);
        return properties;
    }

    private PerfPlan plan(PerfRun run, PerfProperties properties) {
        String bootstrap = properties.remove("bootstrap.servers");
        if (!flags.bootstrap().isEmpty()) {
            bootstrap = flags.bootstrap();
        }
        if (bootstrap.isEmpty()) {
            throw run.wrong("--bootstrap-server is missing: which cluster?");
        }
        String window = flags.window(run, properties);
        boolean named = properties.has("client.id");
        PerfPlan plan = new PerfPlan()
                .add("name: " + NAME)
                .add("question: " + PerfPlan.quoted("What does producing to '" + topic + "' give and take?"))
                .add("cluster:")
                .add("  bootstrap: " + PerfPlan.quoted(bootstrap), "--bootstrap-server");
        String id = transactionalId.isEmpty() ? properties.remove(ID) : transactionalId;
        boolean transactions = !id.isEmpty() || transaction != PerfFlags.MISSING;
        flags.classPath(plan);
        properties.write(plan, flags.engine());
        plan.add("topics:")
                .add("  " + PerfPlan.quoted(topic) + ": { existing: true }", "--topic")
                .add("load:")
                .add("  workload: produce")
                .add("  engine: " + PerfPlan.quoted(flags.engine()), "--engine");
        if (throughput.signum() >= 0) {
            BigDecimal rate = throughput.max(SLOWEST).stripTrailingZeros();
            plan.add("  rate: " + rate.toPlainString() + "/s", "--throughput");
        } else {
            plan.add("  rate: max");
        }
        value(plan);
        if (transactions) {
            long every = transaction == PerfFlags.MISSING ? TRANSACTION_MILLIS : transaction;
            plan.add(
                    "  transaction: { every: " + every + "ms }",
                    transaction == PerfFlags.MISSING ? "--transactional-id" : "--transaction-duration-ms");
        }
        // Quotas may be set for the name that Kafka's tool gives itself.
        Map<String, String> ours = new TreeMap<>();
        if (!id.isEmpty()) {
            ours.put(ID, id);
        }
        if (!named) {
            ours.put("client.id", "perf-producer-client");
        }
        if (!window.isEmpty()) {
            ours.put(window, PerfFlags.WINDOW_MILLIS);
        }
        if (!ours.isEmpty()) {
            plan.add("  producer:");
            ours.forEach((name, value) -> plan.add("    " + name + ": " + PerfPlan.quoted(value)));
        }
        return plan.add(warmup > 0 ? "warmup: { operations: " + warmup + " }" : "warmup: none", "--warmup-records")
                .add("measure: { operations: " + (records - Math.max(0, warmup)) + " }", "--num-records")
                .add("drain: " + DRAIN.toSeconds() + "s")
                .add("verify: " + verify)
                .add("accept:")
                .add("  not-steady: Kafka's tool takes in the start, too")
                .add("  generator-late: the lines tell service times, which lateness is no part of")
                .add("  rate-missed: the lines tell the rate that there was");
    }

    private void value(PerfPlan plan) {
        if (monotonic) {
            plan.add("  value: { content: sequence }", "--payload-monotonic");
        } else if (payload.isEmpty()) {
            plan.add("  value: { size: " + size + "B, content: letters }", "--record-size");
        } else {
            plan.add("  value:")
                    .add("    file: " + PerfPlan.quoted(payloadFile().toString()), "--payload-file")
                    .add("    each: { delimiter: " + PerfPlan.quoted(delimiter()) + " }", "--payload-delimiter")
                    .add("    pick: random");
        }
    }

    private String delimiter() {
        return delimiter.isEmpty() || delimiter.equals(DELIMITER) ? "\n" : delimiter;
    }

    private Path payloadFile() {
        try {
            return Path.of(payload).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void readPayload(PerfRun run) {
        Path file = payloadFile();
        spec.commandLine().getOut().println("Reading payloads from: " + file);
        long count = 0;
        try (Scanner scanner = Payloads.delimited(file, delimiter())) {
            while (scanner.hasNext()) {
                scanner.next();
                count++;
            }
        } catch (PatternSyntaxException e) {
            throw run.wrong("--payload-delimiter: '" + delimiter + "' is no regular expression: " + e.getDescription());
        } catch (IOException | UncheckedIOException e) {
            throw run.wrong("--payload-file: '" + file + "' cannot be read (" + e + ")");
        }
        if (count == 0 || !Files.isRegularFile(file)) {
            throw run.wrong("--payload-file: '" + file + "' has no value");
        }
        spec.commandLine().getOut().println("Number of records read: " + count);
    }
}
