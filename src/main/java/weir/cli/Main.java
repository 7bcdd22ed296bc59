package weir.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import weir.cli.cluster.ClusterCommand;
import weir.cli.terminal.Browser;
import weir.cli.terminal.LineOutput;
import weir.feature.Features;
import weir.host.HomeFolders;
import weir.host.Journal;
import weir.plan.Rate;
import weir.plan.explain.KeyExplanation;
import weir.plan.explain.Schema;
import weir.plan.syntax.Glossary;
import weir.plan.syntax.ShellWord;
import weir.plan.syntax.Units;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.report.export.QuantileFiles;
import weir.results.RunFolder;
import weir.run.Exit;

/** The main class, which starts one command and exits with its code. */
@Command(
        name = "weir",
        header = "Measure Apache Kafka on this machine or on your own cluster.",
        footer = "Example: weir quick",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = WeirVersion.class,
        mixinStandardHelpOptions = true)
public final class Main implements Runnable {
    private static final List<Class<?>> SPINE = List.of(
            QuickCommand.class,
            NewCommand.class,
            CheckCommand.class,
            RunCommand.class,
            CapacityCommand.class,
            ReportCommand.class,
            CompareCommand.class,
            ClusterCommand.class,
            ExplainCommand.class,
            SchemaCommand.class,
            CompletionCommand.class);

    private static final List<String> LIGHT_LOAD =
            List.of("load.rate={steps: [1k/s to 4k/s by 1k/s for 6s], rest: 1s}", "warmup={for: 5s, rate: 1k/s}");

    private static final List<Class<?>> COMMANDS = Stream.<Class<?>>concat(
                    SPINE.stream(), Features.ALL.stream().flatMap(feature -> feature.commands().stream()))
            .toList();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Print the trace of an unexpected error. By default, Weir writes it to a file.")
    private boolean debug;

    private Main() {}

    /** Returns the values that {@code weir quick} sets, so that a cluster that Weir did not start gets a light load. */
    public static String[] quickValues(boolean given) {
        return given ? LIGHT_LOAD.toArray(String[]::new) : new String[0];
    }

    public static void main(String... args) {
        // Kafka's clients warn while they retry; our own messages report the outcome.
        System.setProperty("logback.configurationFile", "weir/cli/logback.xml");
        // Libraries such as Maven's read this property. In a container, the user may have no passwd entry.
        String home = HomeFolders.ofThisUser().home();
        if (!home.isEmpty()) {
            System.setProperty("user.home", home);
        }
        // We report the errors of Kafka's clients; a run keeps their log in its folder.
        System.setProperty("weir.kafka.log", "OFF");
        System.exit(commandLine(args).execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "the command is missing; weir --help lists the commands");
    }

    /**
     * Creates the command line. Both outputs use UTF-8 in every locale. If the first argument names a command, the
     * result has only that command, because picocli is slow to inspect all commands.
     */
    public static CommandLine commandLine(String... args) {
        Main main = new Main();
        CommandLine line = new CommandLine(main).setOut(writer(System.out)).setErr(writer(System.err));
        line.getCommandSpec().usageMessage().footerHeading("%n");
        List<Class<?>> asked = COMMANDS.stream()
                .filter(command -> args.length > 0
                        && args[0].equals(command.getAnnotation(Command.class).name()))
                .toList();
        (asked.isEmpty() ? COMMANDS : asked).forEach(line::addSubcommand);
        for (CommandLine command : line.getSubcommands().values()) {
            addHelp(command);
        }
        line.getSubcommands().values().stream()
                .filter(command -> command.getCommand() instanceof Gate)
                .forEach(Main::addExits);
        line.registerConverter(Rate.class, text -> amount(text, Units::rate));
        line.registerConverter(OutputForm.class, OutputForm::of);
        line.registerConverter(BigDecimal.class, text -> amount(text, Main::decimal));
        line.registerConverter(Duration.class, text -> amount(text, Units::duration));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(parsed -> {
                    refuseEmptyValues(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler((wrong, words) -> ErrorHandler.usage(wrong))
                .setExecutionExceptionHandler(
                        (fault, command, parsed) -> ErrorHandler.report(fault, command, main.debug));
    }

    /**
     * Refuses empty option values, such as those of unset shell variables, which would change the cluster or folder.
     */
    private static void refuseEmptyValues(CommandLine.ParseResult parsed) {
        List<CommandLine> commands = parsed.asCommandLineList();
        String before = "";
        for (String word : parsed.originalArgs()) {
            // Both --name '' and --name=''.
            String option = word.isEmpty() ? before + "=" : word;
            boolean named = option.matches("--[a-z][a-z.-]*=");
            if (named || word.isEmpty()) {
                throw new ParameterException(
                        commands.get(commands.size() - 1),
                        named
                                ? option.replace("=", "") + ": the value is empty; give a value, or remove the option"
                                : "an argument of the command is empty; give a value, or remove the argument");
            }
            before = word;
        }
    }

    private static <T> T amount(String text, Function<String, T> reading) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static BigDecimal decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
    }

    private static void addExits(CommandLine command) {
        command.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes (if several apply, the first of 1, 5, 4, 99, 98):%n");
        // Only the help needs the list of exit codes.
        command.getHelpSectionMap().put(SECTION_KEY_EXIT_CODE_LIST, help -> {
            Map<String, String> exits = new LinkedHashMap<>();
            Stream.of(Exit.values())
                    .sorted(Comparator.comparingInt(Exit::code))
                    .forEach(exit -> exits.put(
                            String.valueOf(exit.code()),
                            Glossary.find("exit " + exit.code()).orElseThrow().meaning()));
            return help.createTextTable(exits).toString();
        });
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec().addOption(help()).usageMessage().footerHeading("%n");
        command.getSubcommands().values().forEach(Main::addHelp);
    }

    private static CommandLine.Model.OptionSpec help() {
        return CommandLine.Model.OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build();
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    @Command(
            name = "completion",
            header = "Print a completion script for bash and zsh.",
            footer = "Example: source <(weir completion)")
    static final class CompletionCommand extends CliCommand implements Runnable {
        @Override
        public void run() {
            out().print(AutoComplete.bash("weir", Main.commandLine()));
            out().flush();
        }
    }

    @Command(
            name = "schema",
            header = "Print the JSON Schema of the experiment file, for editors.",
            footer = "Example: weir schema > weir.schema.json")
    static final class SchemaCommand extends CliCommand implements Runnable {
        @Override
        public void run() {
            out().println(Schema.json().stripTrailing());
        }
    }

    @Command(
            name = "explain",
            header = "Explain a key of the experiment file or a word of a report.",
            footer = "Example: weir explain response p99")
    static final class ExplainCommand extends CliCommand implements Runnable {
        @Parameters(
                arity = "1..*",
                paramLabel = "WORD",
                description = "A key of the file (load.producer.linger.ms), a metric (response), a caveat"
                        + " (shared-cores), a word of a report (degraded) or an exit code (99).")
        private List<String> words = new ArrayList<>();

        @Override
        public void run() {
            out().println(KeyExplanation.of(String.join(" ", words)).stripTrailing());
        }
    }

    @Command(
            name = "run",
            header = "Run an experiment and report its results.",
            footer = "Example: weir run experiment.yaml --set load.rate=20k/s")
    static final class RunCommand extends CliCommand implements Gate {
        @Mixin
        private RunCommandOptions settings = new RunCommandOptions();

        @Parameters(paramLabel = "FILE", description = "The experiment file.")
        private Path file = Path.of("");

        @Override
        public Integer call() {
            return settings.conduct(file, false);
        }
    }

    @Command(
            name = "quick",
            header = "Start a Kafka broker, load it at rising rates and report its latencies.",
            footer = "Example: weir quick",
            description = "Runs the example 01-hello. On a given cluster it sends less than 5,000 records/s.")
    static final class QuickCommand extends CliCommand implements Gate {
        private static final String EXAMPLE = "01-hello";

        @Mixin
        private RunCommandOptions settings = new RunCommandOptions();

        @Option(names = "--no-open", description = "Do not open the browser.")
        private boolean closed;

        @Override
        public Integer call() throws IOException {
            try (GeneratedExperiment written = new GeneratedExperiment()) {
                Path file = written.folder().resolve(EXAMPLE + ".yaml");
                Files.writeString(file, BundledExperiments.text(EXAMPLE));
                return settings.conduct(file, !closed, quickValues(settings.namesCluster()));
            }
        }
    }

    @Command(
            name = "new",
            header = "Copy an example experiment into this folder, or list the examples.",
            footer = "Example: weir new 01-hello my-test.yaml")
    static final class NewCommand extends CliCommand implements Runnable {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "EXAMPLE",
                description = "Name or number of the example. Without it, weir new lists all examples.")
        private String wanted = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "FILE",
                description = "File name of the copy (default: the name of the example, in this folder).")
        private String copy = "";

        @Override
        public void run() {
            PrintWriter out = out();
            List<String> names = BundledExperiments.names();
            if (wanted.isEmpty()) {
                names.forEach(name ->
                        out.printf("%-24s %s%n", name, BundledExperiments.question(BundledExperiments.text(name))));
                return;
            }
            List<String> meant = names.stream()
                    .filter(name -> name.equals(wanted) || name.startsWith(wanted + "-") || name.endsWith("-" + wanted))
                    .toList();
            if (meant.size() != 1) {
                throw wrong("'" + wanted + "' is not an example; the examples are " + String.join(", ", names));
            }
            String name = meant.get(0);
            Path file = Path.of(copy.isEmpty() ? name.replaceFirst("^[0-9]+-", "") + ".yaml" : copy);
            try {
                Files.writeString(file, BundledExperiments.text(name), StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                throw wrong("'" + file + "' exists; name another file: weir new " + name + " FILE");
            } catch (IOException e) {
                throw wrong("'" + file + "' cannot be written (" + e.getMessage() + ")");
            }
            out.println(file);
            String word = ShellWord.of(file.toString());
            err().println("Edit the file, then: weir check " + word + " && weir run " + word);
        }
    }

    @Command(
            name = "report",
            header = "Show the results of a stored run, and write its report again.",
            footer = "Example: weir report hello --open")
    static final class ReportCommand extends CliCommand implements Runnable {
        @Mixin
        private RunsFolderOption runs = new RunsFolderOption();

        @Option(
                names = "--quantiles",
                paramLabel = "DIR",
                description = "Also write the latency of each operation, one file per variant.")
        private List<Path> quantiles = List.of();

        @Mixin
        private OutputOptions outputs = new OutputOptions();

        @Option(names = "--open", description = "Open the report in the browser.")
        private boolean open;

        @Parameters(
                paramLabel = "RUN",
                description = "A run folder, a name (its newest run) or name~1 (the run before that run).")
        private String run = "";

        @Override
        public void run() {
            RunFolder folder = RunFolder.resolve(runs.path(), run);
            boolean goesOn = Journal.running(Journal.state())
                    .contains(folder.path().toAbsolutePath().normalize());
            Path report = HtmlReport.write(folder, goesOn);
            out().println(LineOutput.harmless(TextReport.of(folder, goesOn).stripTrailing()));
            quantiles.forEach(into -> QuantileFiles.write(folder, into).forEach(out()::println));
            outputs.write(
                    OutputForm.OutputContent.of(folder, folder::concluded, report), command(), new FormatOption());
            if (open) {
                var unused = Browser.open(report, System.getenv());
            }
        }
    }

    @Command(
            name = "capacity",
            header = "Find the highest rate that a Kafka cluster sustains within limits.",
            footer = "Example: weir capacity --limit 'response p99 < 50ms'",
            description = {
                "Runs trials at fixed rates. The search ends when the highest sustained rate and the lowest refused rate"
                        + " differ by less than --precision. A longer trial confirms the answer.",
                "A rate is sustained if at least 99.5%% of the rate is achieved, no queue grows, no operation fails, no"
                        + " record is lost, and the readers do not fall behind.",
                "The option --bootstrap-server also requires --to or --max-rate."
            })
    static final class CapacityCommand extends SearchCommand {
        @Mixin
        private Limits limits = new Limits();

        @Option(
                names = "--precision",
                paramLabel = "SHARE",
                description = "Largest gap between the highest sustained and the lowest refused rate (default: 5%%).")
        private String precision = "5%";

        @Option(names = "--from", paramLabel = "RATE", description = "The lowest rate to try (default: 1k/s).")
        private String from = "";

        @Option(names = "--to", paramLabel = "RATE", description = "The highest rate to try.")
        private String to = "";

        @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic (default: 6).")
        private String partitions = "6";

        @Override
        protected String question() {
            String with = limits.given().isEmpty() ? "" : " with " + String.join(" and ", limits.given());
            return "What is the highest sustained rate" + with + "?";
        }

        @Override
        protected String partitions() {
            return partitions;
        }

        @Override
        protected void search(FlagPlan plan) {
            // Weir reports a missing key at this first line, which no flag writes.
            plan.add("    warmup: 2s")
                    .value("    precision", "--precision", precision)
                    .value("    from", "--from", from)
                    .value("    to", "--to", to);
            limits.add(plan);
        }
    }
}
