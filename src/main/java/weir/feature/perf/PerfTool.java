package weir.feature.perf;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.CliCommand;
import weir.cli.CommandText;
import weir.cli.FlagPlan;
import weir.cli.GeneratedExperiment;
import weir.cli.RunsFolderOption;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.cli.terminal.LineOutput;
import weir.cluster.ClientJars;
import weir.cluster.start.ExternalCluster;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.plan.Experiment;
import weir.plan.Problems;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.Exit;
import weir.run.PreflightException;
import weir.run.RunListener;
import weir.run.RunOptions;
import weir.run.Runner;

/** One of Kafka's performance tools: its common flags, Weir's own flags, and the run of the experiment. */
abstract class PerfTool extends CliCommand implements Callable<Integer> {
    static final String PROPERTY = "--command-property";
    static final String CONFIG = "--command-config";

    static final long MISSING = Long.MIN_VALUE;

    private static final String CLASSPATH = "--classpath";
    private static final String WINDOW = "metrics.sample.window.ms";
    private static final Duration USUAL = Duration.ofSeconds(5);

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT,...", description = "Addresses of brokers.")
    protected String bootstrap = "";

    @Option(
            names = PROPERTY,
            paramLabel = "NAME=VALUE",
            arity = "1..*",
            description = "Client properties; they override the file: --command-property linger.ms=10 batch.size=32768")
    protected List<String> properties = new ArrayList<>();

    @Option(names = CONFIG, paramLabel = "FILE", description = "File of client properties.")
    protected String config = "";

    @Option(
            names = CLASSPATH,
            paramLabel = "JAR:...",
            description = "Extra jars and folders for the client, in addition to the variable CLASSPATH.")
    private String classPath = "";

    @Option(names = "--print-metrics", description = "Print the client's own metrics at the end.")
    private boolean metrics;

    @Option(
            names = "--reporting-interval",
            paramLabel = "MS",
            description = "Milliseconds between two lines, a multiple of 1000 (default: 5000).")
    private long interval = MISSING;

    @Option(names = "--engine", paramLabel = "client|wire", description = "Engine, as in the key load.engine.")
    private String engine = "";

    private SortedMap<String, Object> measured = new TreeMap<>();

    abstract int call(Path folder);

    @Override
    public final Integer call() {
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            return call(written.folder());
        }
    }

    final void say(String what) {
        err().println(LineOutput.harmless(spec().qualifiedName() + ": " + what));
    }

    final String engine() {
        return engine.isEmpty() ? "client" : engine;
    }

    final <T> T either(String name, T value, String oldName, T old, T missing) {
        if (old.equals(missing)) {
            return value;
        }
        if (!value.equals(missing)) {
            throw wrong(name + " and " + oldName + " are the same option; write one of them");
        }
        say(oldName + " is deprecated; write " + name);
        return old;
    }

    final PerfProperties properties(
            Path folder, String oldFile, String oldConfig, String oldFlag, List<String> oldProperties) {
        List<String> given = either(PROPERTY, properties, oldFlag, oldProperties, List.of());
        String file = either(CONFIG, config, oldFile, oldConfig, "");
        return PerfProperties.of(
                this,
                oldConfig.isEmpty() ? CONFIG : oldFile,
                file,
                oldProperties.isEmpty() ? PROPERTY : oldFlag,
                given,
                folder);
    }

    final String bootstrap(PerfProperties properties, String given) {
        String ofProperties = properties.remove("bootstrap.servers");
        if (given.isEmpty() && ofProperties.isEmpty()) {
            throw wrong("--bootstrap-server is missing; name the brokers, as in localhost:9092");
        }
        return given.isEmpty() ? ofProperties : given;
    }

    /** Builds the experiment up to the connection. CLASSPATH also names jars; a missing jar there is ignored. */
    final FlagPlan plan(String question, String address) {
        FlagPlan plan = new FlagPlan()
                .add("name: " + name())
                .add("question: " + FlagPlan.quoted(question))
                .add("cluster:")
                .add("  bootstrap: " + FlagPlan.quoted(address), "--bootstrap-server");
        List<Path> jars = new ArrayList<>(ClientJars.read(classPath));
        jars.addAll(ClientJars.read(System.getenv().getOrDefault("CLASSPATH", "")).stream()
                .filter(Files::exists)
                .toList());
        if (!jars.isEmpty()) {
            List<Path> absolute = jars.stream().map(Path::toAbsolutePath).toList();
            plan.add("  classpath: " + FlagPlan.quoted(absolute), CLASSPATH);
        }
        return plan;
    }

    private String name() {
        return "perf-" + spec().name();
    }

    /** Adds a client property, so that printed metrics cover 30 s as in Kafka, not the last second. */
    final void window(PerfProperties properties, Map<String, String> ours) {
        if (metrics && !engine().equals("client")) {
            throw wrong("--print-metrics has no effect with --engine " + engine() + ", which has no metrics");
        }
        if (metrics && !properties.has(WINDOW)) {
            ours.put(WINDOW, "30000");
        }
    }

    /** Requires whole seconds, as windows have; {@code printed} is true if intervals have lines. */
    final Duration interval(boolean printed) {
        if (interval == MISSING) {
            return USUAL;
        }
        if (interval < 1) {
            throw wrong("--reporting-interval: must be at least 1000, found '" + interval + "'");
        }
        if (!printed) {
            say("--reporting-interval has no effect without --show-detailed-stats");
            return USUAL;
        }
        if (interval % 1_000 != 0) {
            throw wrong("--reporting-interval: must be a whole number of seconds, found '" + interval + "'; write "
                    + (interval / 1_000 + 1) * 1_000);
        }
        return Duration.ofMillis(interval);
    }

    /** @throws ParameterException if the flags do not result in a valid experiment */
    final Experiment experiment(Path folder, FlagPlan plan) {
        Path file = folder.resolve(name() + ".yaml");
        try {
            Files.writeString(file, plan.text());
            Experiment experiment = PlanReader.read(file, Overrides.NONE);
            if (!experiment.missing().isEmpty()) {
                throw new Problems(experiment.missing());
            }
            return experiment;
        } catch (Problems problems) {
            throw wrong(plan.message(problems, this::say));
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    /** The matching topics of the cluster, at least one. */
    final List<String> topicsToRead(Experiment experiment, String flag, String asked, Predicate<String> wanted) {
        ExternalCluster cluster = connect(experiment);
        List<String> found =
                new TreeSet<>(cluster.topics()).stream().filter(wanted).toList();
        if (found.isEmpty()) {
            throw new PreflightException(spec().qualifiedName() + ": " + flag + ": topic '" + asked
                    + "' does not exist at " + cluster.bootstrap()
                    + ", or you may not see it; create it first (kafka-topics.sh --create)");
        }
        return found;
    }

    /** Lets a broker create a missing topic, as each Kafka producer does. */
    final void topicToWrite(Experiment experiment, String topic) {
        ExternalCluster cluster = connect(experiment);
        if (cluster.topics().contains(topic)) {
            return;
        }
        if (!cluster.topicByUse(topic)) {
            throw new PreflightException(spec().qualifiedName() + ": --topic: topic '" + topic + "' does not exist at "
                    + cluster.bootstrap() + ", or you have no right to see it, and the brokers create no missing topics"
                    + " (auto.create.topics.enable); create it first (kafka-topics.sh --create)");
        }
        say("topic '" + topic + "' did not exist; the broker created it with its defaults (auto.create.topics.enable),"
                + " and Weir keeps the topic");
    }

    private static ExternalCluster connect(Experiment experiment) {
        return ExternalCluster.connect(experiment.variants().get(0).cluster());
    }

    final int conduct(Experiment experiment, FlagPlan plan, PerfOutput lines) {
        RunOptions options = new RunOptions(
                runs.path(),
                false,
                Double.POSITIVE_INFINITY,
                0,
                Path.of(""),
                WeirVersion.number(),
                CommandText.of(spec()));
        Runner runner = new Runner(experiment, options, new Listener(lines));
        RunResult result;
        int exit;
        try (SignalHandler interrupts = new SignalHandler(runner::interrupt)) {
            result = runner.run();
            exit = interrupts.exit(result.exit());
        } catch (Problems problems) {
            throw wrong(plan.message(problems, this::say));
        }
        lines.total(result.exit() == Exit.INTERRUPTED.code());
        if (metrics) {
            print(measured, out());
        }
        RunFolder run = RunFolder.open(Path.of(result.run()));
        Path report = HtmlReport.write(run);
        lines.beyond(run).forEach(this::say);
        say("report: " + report);
        return exit == Exit.FINE.code() && lines.broken() ? Exit.INVALID.code() : exit;
    }

    static void print(SortedMap<String, Object> metrics, PrintWriter out) {
        if (metrics.isEmpty()) {
            return;
        }
        String head = "Metric Name";
        int width = metrics.keySet().stream().mapToInt(String::length).max().orElse(head.length());
        out.printf("%n%-" + width + "s   %s%n", head, "Value");
        metrics.forEach((name, value) -> out.printf(
                PerfOutput.locale(),
                "%-" + width + (value instanceof Double ? "s : %.3f%n" : "s : %s%n"),
                name,
                value));
        out.flush();
    }

    private final class Listener implements RunListener {
        private final PerfOutput lines;

        Listener(PerfOutput lines) {
            this.lines = lines;
        }

        /** Agrees without asking, because a user with topic, number and throughput has decided. */
        @Override
        public boolean agrees(String question) {
            if (lines.writes()) {
                say(question.replace(" Go on?", ""));
            }
            return true;
        }

        @Override
        public void started(Path folder, Estimate estimate) {
            lines.begin();
        }

        @Override
        public void window(Trial trial, Snapshot window, long beganMillis) {
            lines.window(window, beganMillis);
        }

        @Override
        public void note(String text) {
            say(text);
        }

        @Override
        public void unfinished(String command) {
            say("interrupted");
        }

        @Override
        public void caveat(Caveat caveat) {
            if (caveat.level() != CaveatType.Level.NOTE) {
                say(caveat.level().name().toLowerCase(Locale.ROOT) + ": " + caveat.type() + ": " + caveat.evidence());
            }
        }

        @Override
        public void reading(Trial trial, Reading reading) {
            lines.reading(reading);
        }

        @Override
        public void trialDone(TrialResult result) {
            lines.trial(result);
        }

        @Override
        public void metrics(Trial trial, SortedMap<String, Object> known) {
            measured = known;
        }
    }
}
