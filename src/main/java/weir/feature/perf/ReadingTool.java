package weir.feature.perf;

import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The flags that Kafka's consumer tool and share consumer tool have in common. */
abstract class ReadingTool extends PerfTool {
    static final String BUFFER = "receive.buffer.bytes";

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
        return properties(folder, "--consumer.config", oldConfig, "", List.of());
    }

    final String measure(long number) {
        return "measure: { operations: " + number + ", idle: " + timeout + "ms }";
    }

    final void bufferSize(PerfProperties properties) {
        size(properties, "--socket-buffer-size", buffer, BUFFER);
    }

    final void bufferSize(Map<String, String> ours) {
        if (buffer != MISSING) {
            ours.put(BUFFER, Long.toString(buffer));
        }
    }

    final void size(PerfProperties properties, String flag, long size, String property) {
        if (size == MISSING) {
            return;
        }
        if (size < (property.equals(BUFFER) ? -1 : 0) || size > Integer.MAX_VALUE) {
            throw wrong(flag + ": must be at most " + Integer.MAX_VALUE + " bytes, found '" + size + "'");
        }
        properties.drop(Map.of(property, flag + " sets it"));
    }
}
