package weir.feature.perf;

import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;

/** The flags that Kafka's consumer tool and share consumer tool have in common. */
abstract class ReadingTool extends PerfTool {
    private static final String BUFFER = "receive.buffer.bytes";
    private static final Map<String, String> OTHERWISE = Map.of(
            "group.id", "--group names the group",
            "key.deserializer", "records are read as bytes",
            "value.deserializer", "records are read as bytes");

    private final Map<String, String> usual;
    private final String fetchProperty;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "The topic; it must exist.")
    protected String topic = "";

    @Option(names = "--num-records", paramLabel = "N", description = "Number of records to read.")
    private long records = MISSING;

    @Option(names = "--messages", paramLabel = "N", description = "Deprecated.")
    private long messages = MISSING;

    @Option(
            names = "--socket-buffer-size",
            paramLabel = "BYTES",
            description = "Receive buffer of a socket in bytes (default: 2097152).")
    private long buffer = MISSING;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            description = "Stop after this many milliseconds without a record (default: 10000).")
    private long timeout = 10_000;

    @Option(names = "--show-detailed-stats", description = "Print a line for each interval instead of one for all.")
    protected boolean detailed;

    @Option(names = "--hide-header", description = "Omit the column names.")
    private boolean headless;

    @Option(names = "--date-format", paramLabel = "FORMAT", description = "Time format of java.text.SimpleDateFormat.")
    private String dateFormat = "yyyy-MM-dd HH:mm:ss:SSS";

    @Option(names = "--consumer.config", paramLabel = "FILE", description = "Deprecated.")
    private String oldConfig = "";

    /**
     * @param client the client id of Kafka's tool, because quotas may exist for it
     * @param fetchProperty the property that {@code --fetch-size} sets
     */
    ReadingTool(String client, String fetchProperty) {
        this.fetchProperty = fetchProperty;
        this.usual = Map.of(fetchProperty, "1048576", BUFFER, "2097152", "check.crcs", "false", "client.id", client);
    }

    final ConsumerPerfOutput.Asked asked(long number) {
        return new ConsumerPerfOutput.Asked(
                number, Duration.ofMillis(timeout), interval(detailed), detailed, !headless, dateFormat);
    }

    final long number() {
        long number = either("--num-records", records, "--messages", messages, MISSING);
        if (number < 1) {
            throw wrong(
                    number == MISSING
                            ? "--num-records is missing; write a number such as 1000000"
                            : "--num-records: must be at least 1, found '" + number + "'");
        }
        if (timeout < 1) {
            throw wrong("--timeout: must be at least 1, found '" + timeout + "'");
        }
        try {
            var unused = new SimpleDateFormat(dateFormat);
        } catch (IllegalArgumentException e) {
            throw wrong("--date-format: '" + dateFormat + "': " + e.getMessage());
        }
        return number;
    }

    final PerfProperties clientProperties(Path folder) {
        PerfProperties properties = properties(folder, "--consumer.config", oldConfig, "", List.of());
        properties.drop(OTHERWISE);
        return properties;
    }

    /** Removes the properties that a size flag sets. */
    final void sizes(PerfProperties properties, long fetch) {
        size(properties, "--fetch-size", fetch, 0, fetchProperty);
        size(properties, "--socket-buffer-size", buffer, -1, BUFFER);
    }

    private void size(PerfProperties properties, String flag, long size, int least, String property) {
        if (size == MISSING) {
            return;
        }
        if (size < least || size > Integer.MAX_VALUE) {
            throw wrong(flag + ": must be at most " + Integer.MAX_VALUE + " bytes, found '" + size + "'");
        }
        properties.drop(Map.of(property, flag + " sets it"));
    }

    /** The properties of Kafka's tool that the user does not set, and those that flags set. */
    final Map<String, String> ours(PerfProperties properties, long fetch) {
        Map<String, String> ours = new TreeMap<>(usual);
        ours.keySet().removeIf(properties::has);
        Map.of(fetchProperty, fetch, BUFFER, buffer).forEach((property, size) -> {
            if (size != MISSING) {
                ours.put(property, Long.toString(size));
            }
        });
        window(properties, ours);
        return ours;
    }

    /** Adds the end of the experiment: the measured phase, the verification, and the caveats of Kafka's tool. */
    final FlagPlan measured(FlagPlan plan, long number, String verify, String verifyFlag) {
        return plan.add("warmup: none")
                .add("measure: { operations: " + number + ", idle: " + timeout + "ms }", "--num-records")
                .add("verify: " + verify, verifyFlag)
                .add("accept:")
                .add("  not-steady: Kafka's tool also counts the start of the load")
                .add("  property-ignored: other programs may use the same file of properties");
    }
}
