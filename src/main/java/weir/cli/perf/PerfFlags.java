package weir.cli.perf;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.RunsFolderOption;
import weir.cluster.ClientJars;

/** The flags that both of Kafka's performance tools have, and ours beside them. */
final class PerfFlags {
    static final String PROPERTY = "--command-property";
    static final String CONFIG = "--command-config";
    private static final String CLASSPATH = "--classpath";
    private static final String WINDOW = "metrics.sample.window.ms";
    /** Kafka's own default; Weir's is a second. */
    static final String WINDOW_MILLIS = "30000";

    private static final Duration USUAL = Duration.ofSeconds(5);

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT,...", description = "The cluster.")
    private String bootstrap = "";

    @Option(
            names = PROPERTY,
            paramLabel = "NAME=VALUE",
            arity = "1..*",
            description = "Client properties, over those of a file: --command-property linger.ms=10 batch.size=32768")
    private List<String> properties = new ArrayList<>();

    @Option(names = CONFIG, paramLabel = "FILE", description = "A file of client properties.")
    private String config = "";

    @Option(
            names = CLASSPATH,
            paramLabel = "JAR:...",
            description = "Jars and folders that the client needs; the variable CLASSPATH names further ones.")
    private String classPath = "";

    @Option(names = "--print-metrics", description = "Print the client's own metrics at the end.")
    private boolean metrics;

    @Option(
            names = "--reporting-interval",
            paramLabel = "MS",
            description = "Milliseconds that a line covers, in whole seconds; 5000 unless given.")
    private long interval = MISSING;

    @Option(
            names = "--engine",
            paramLabel = "client|wire",
            description = "Engine that carries the records; see load.engine.")
    private String engine = "";

    RunsFolderOption runs() {
        return runs;
    }

    /** Adds the class path to the experiment; of the variable, as in Kafka's scripts, what is not there counts for nothing. */
    void classPath(PerfPlan plan) {
        List<Path> jars = new ArrayList<>(ClientJars.read(classPath));
        jars.addAll(ClientJars.read(System.getenv().getOrDefault("CLASSPATH", "")).stream()
                .filter(Files::exists)
                .toList());
        if (!jars.isEmpty()) {
            plan.add(
                    "  classpath: "
                            + PerfPlan.quoted(
                                    jars.stream().map(Path::toAbsolutePath).toList()),
                    CLASSPATH);
        }
    }

    String bootstrap() {
        return bootstrap;
    }

    List<String> properties() {
        return List.copyOf(properties);
    }

    String config() {
        return config;
    }

    /** Prints the client's metrics, if that was asked for. */
    PerfListener.Printing printing(PrintWriter out) {
        return metrics ? known -> ClientMetrics.print(known, out) : known -> {};
    }

    /** A property that the client needs for its metrics to be of more than the last second, empty if nobody asks. */
    String window(PerfWords words, PerfProperties properties) {
        if (!metrics) {
            return "";
        }
        if (!engine().equals("client")) {
            throw words.wrong("--print-metrics has no effect with --engine " + engine() + ", which has none");
        }
        return properties.has(WINDOW) ? "" : WINDOW;
    }

    String engine() {
        return engine.isEmpty() ? "client" : engine;
    }

    /** Whole seconds, as windows are. {@code printed}: intervals have lines. */
    Duration interval(PerfWords words, boolean printed) {
        if (interval == MISSING) {
            return USUAL;
        }
        if (interval < 1) {
            throw words.wrong("--reporting-interval: '" + interval + "' is not above 0");
        }
        if (!printed) {
            words.say("--reporting-interval has no effect without --show-detailed-stats");
            return USUAL;
        }
        if (interval % 1_000 != 0) {
            throw words.wrong("--reporting-interval: '" + interval + "' is not a whole number of seconds, in which Weir"
                    + " counts; write " + (interval / 1_000 + 1) * 1_000);
        }
        return Duration.ofMillis(interval);
    }

    /** Which of two flags that say the same was given. */
    static <T> T either(PerfWords words, Given<T> now, Given<T> old) {
        if (!old.there()) {
            return now.value();
        }
        if (now.there()) {
            throw words.wrong(now.name() + " and " + old.name() + " say the same; give one of them");
        }
        words.say(old.name() + " is deprecated; write " + now.name());
        return old.value();
    }

    /** A flag and what it was given. */
    record Given<T>(String name, T value, boolean there) {
        static Given<String> of(String name, String value) {
            return new Given<>(name, value, !value.isEmpty());
        }

        static Given<List<String>> of(String name, List<String> value) {
            return new Given<>(name, List.copyOf(value), !value.isEmpty());
        }

        static Given<Long> of(String name, long value) {
            return new Given<>(name, value, value != MISSING);
        }
    }

    /** A number that was not given. */
    static final long MISSING = Long.MIN_VALUE;

    /** The words of a command: refusals, and remarks on standard error. */
    interface PerfWords {
        ParameterException wrong(String what);

        void say(String what);
    }
}
