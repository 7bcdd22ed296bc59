package weir.feature.perf;

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
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.load.message.Payloads;
import weir.plan.Experiment;

/** The {@code weir perf producer} command, which produces like {@code kafka-producer-perf-test}. */
@Command(
        name = "producer",
        header = "Produce with the flags and output lines of kafka-producer-perf-test.",
        footer = "Example: weir"
                + " perf producer --topic t --num-records 100000 --record-size 1000 --throughput 5000"
                + " --bootstrap-server kafka-1:9092",
        description = {
            "Standard output has exactly the lines of Kafka's tool. Standard error adds response times, caveats"
                    + " and the path of the report. The command loads the cluster without asking you first."
        })
final class PerfProducerCommand extends PerfTool {
    private static final String DELIMITER = "\\n";
    /** The limit for the last answers: Kafka's default delivery.timeout.ms and a margin. */
    private static final Duration DRAIN = Duration.ofSeconds(150);

    /** The lowest rate in records per second. At this rate, the second record is due after eleven days. */
    private static final BigDecimal SLOWEST = new BigDecimal("0.000001");

    private static final String ID = "transactional.id";
    private static final int TRANSACTION_MILLIS = 3_000;

    private static final Map<String, String> BYTES = Map.of(
            "key.serializer", "records are bytes",
            "value.serializer", "records are bytes");

    @Option(
            names = "--topic",
            required = true,
            paramLabel = "TOPIC",
            description = "The topic; the broker may create it.")
    private String topic = "";

    @Option(names = "--num-records", required = true, paramLabel = "N", description = "Number of records to send.")
    private long records;

    @Option(
            names = "--record-size",
            paramLabel = "BYTES",
            description = "Size of each record in bytes. The records hold random letters.")
    private long size = MISSING;

    @Option(
            names = "--payload-file",
            paramLabel = "FILE",
            description = "Send random values from this file, byte for byte, instead of --record-size.")
    private String payload = "";

    @Option(
            names = "--payload-delimiter",
            paramLabel = "REGEX",
            description = "Delimiter between two values of the file.")
    private String delimiter = "";

    @Option(names = "--payload-monotonic", description = "Write the values 0, 1, 2, ... instead of --record-size.")
    private boolean monotonic;

    @Option(
            names = "--throughput",
            required = true,
            paramLabel = "RATE",
            description = "Records per second, such as 5000 or 0.5; -1 means no limit.")
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
            description = "Time from the start of a transaction to its commit.")
    private long transaction = MISSING;

    @Option(
            names = "--warmup-records",
            paramLabel = "N",
            description = "Number of warm-up records. A second summary excludes them.")
    private long warmup = MISSING;

    @Option(names = "--verify", description = "Read all records again at the end. Kafka's tools do not do that.")
    private boolean verify;

    @Override
    int call(Path folder) {
        check();
        Duration interval = interval(true);
        PerfProperties properties =
                properties(folder, "--producer.config", oldConfig, "--producer-props", oldProperties);
        properties.drop(BYTES);
        FlagPlan plan = plan(properties);
        if (!payload.isEmpty()) {
            readPayload();
        }
        Experiment experiment = experiment(folder, plan);
        topicToWrite(experiment, topic);
        boolean transactional =
                !experiment.variants().get(0).load().transaction().none();
        return conduct(
                experiment,
                plan,
                new ProducerPerfOutput(out(), throughput.signum() >= 0, transactional, Math.max(0, warmup), interval));
    }

    private void check() {
        if (records < 1) {
            throw wrong("--num-records: must be at least 1, found '" + records + "'");
        }
        int values = (size == MISSING ? 0 : 1) + (payload.isEmpty() ? 0 : 1) + (monotonic ? 1 : 0);
        if (values != 1) {
            throw wrong("write exactly one of --record-size, --payload-file and --payload-monotonic");
        }
        if (size != MISSING && (size < 1 || size > Integer.MAX_VALUE)) {
            throw wrong("--record-size: must be between 1 and " + Integer.MAX_VALUE + ", found '" + size + "'");
        }
        if (!delimiter.isEmpty() && payload.isEmpty()) {
            say("--payload-delimiter has no effect without --payload-file");
        }
        if (throughput.signum() == 0 && records > 1) {
            say("--throughput 0 sends one record and then waits for an interrupt; -1 means no limit");
        }
        if (warmup >= records) {
            throw wrong("--warmup-records: must be below --num-records, found '" + warmup + "'");
        }
        if (transaction != MISSING && transaction < 1) {
            throw wrong("--transaction-duration-ms: must be at least 1, found '" + transaction + "'");
        }
    }

    private FlagPlan plan(PerfProperties properties) {
        FlagPlan plan = plan("How fast are records written to '" + topic + "'?", bootstrap(properties, bootstrap));
        // The client.id is that of Kafka's tool, because quotas may exist for it.
        Map<String, String> ours = new TreeMap<>();
        window(properties, ours);
        if (!properties.has("client.id")) {
            ours.put("client.id", "perf-producer-client");
        }
        String id = transactionalId.isEmpty() ? properties.remove(ID) : transactionalId;
        boolean transactions = !id.isEmpty() || transaction != MISSING;
        properties.write(plan, engine());
        plan.add("topics:")
                .add("  " + FlagPlan.quoted(topic) + ": { existing: true }", "--topic")
                .add("load:")
                .add("  workload: produce")
                .add("  engine: " + FlagPlan.quoted(engine()), "--engine");
        if (throughput.signum() >= 0) {
            BigDecimal rate = throughput.max(SLOWEST).stripTrailingZeros();
            plan.add("  rate: " + rate.toPlainString() + "/s", "--throughput");
        } else {
            plan.add("  rate: max");
        }
        value(plan);
        if (transactions) {
            long every = transaction == MISSING ? TRANSACTION_MILLIS : transaction;
            plan.add(
                    "  transaction: { every: " + every + "ms }",
                    transaction == MISSING ? "--transactional-id" : "--transaction-duration-ms");
        }
        if (!id.isEmpty()) {
            ours.put(ID, id);
        }
        if (!ours.isEmpty()) {
            plan.add("  producer:").properties(ours);
        }
        return plan.add(warmup > 0 ? "warmup: { operations: " + warmup + " }" : "warmup: none", "--warmup-records")
                .add("measure: { operations: " + (records - Math.max(0, warmup)) + " }", "--num-records")
                .add("drain: " + DRAIN.toSeconds() + "s")
                .add("verify: " + verify)
                .add("accept:")
                .add("  not-steady: Kafka's tool also counts the start of the load")
                .add("  generator-late: the lines report service times, which exclude lateness")
                .add("  rate-missed: the lines report the achieved rate");
    }

    private void value(FlagPlan plan) {
        if (monotonic) {
            plan.add("  value: { content: sequence }", "--payload-monotonic");
        } else if (payload.isEmpty()) {
            plan.add("  value: { size: " + size + "B, content: letters }", "--record-size");
        } else {
            plan.add("  value:")
                    .add("    file: " + FlagPlan.quoted(payloadFile().toString()), "--payload-file")
                    .add("    each: { delimiter: " + FlagPlan.quoted(delimiter()) + " }", "--payload-delimiter")
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

    private void readPayload() {
        Path file = payloadFile();
        out().println("Reading payloads from: " + file);
        long count = 0;
        try (Scanner scanner = Payloads.delimited(file, delimiter())) {
            while (scanner.hasNext()) {
                scanner.next();
                count++;
            }
        } catch (PatternSyntaxException e) {
            throw wrong("--payload-delimiter: '" + delimiter + "' is not a regular expression: " + e.getDescription());
        } catch (IOException | UncheckedIOException e) {
            throw wrong("--payload-file: '" + file + "' cannot be read (" + e + ")");
        }
        if (count == 0 || !Files.isRegularFile(file)) {
            throw wrong("--payload-file: '" + file + "' has no value");
        }
        out().println("Number of records read: " + count);
    }
}
