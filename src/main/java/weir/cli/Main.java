package weir.cli;

import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import weir.cli.cluster.ClusterCommand;
import weir.cli.deploy.DeployCommand;
import weir.cli.doctor.DoctorCommand;
import weir.cli.perf.PerfCommand;
import weir.cli.preset.PresetsCommand;
import weir.cli.runs.RunsCommand;
import weir.cli.search.CapacityCommand;
import weir.cli.search.PartitionsCommand;
import weir.cli.search.TuneCommand;
import weir.host.HomeFolders;
import weir.plan.Rate;
import weir.plan.syntax.Units;
import weir.run.Exit;

/** The program: reads the command line, starts one command and ends with its exit code. */
@Command(
        name = "weir",
        header = "A performance lab for Apache Kafka.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = WeirVersion.class,
        mixinStandardHelpOptions = true)
public final class Main implements Runnable {
    /** In the order in which the help lists them. */
    private static final List<Class<?>> COMMANDS = List.of(
            QuickCommand.class,
            NewCommand.class,
            CheckCommand.class,
            RunCommand.class,
            CapacityCommand.class,
            PartitionsCommand.class,
            TuneCommand.class,
            ReportCommand.class,
            RunsCommand.class,
            CompareCommand.class,
            MonitorCommand.class,
            PerfCommand.class,
            GatewayCommand.class,
            PlanesCommand.class,
            ClusterCommand.class,
            WorkerCommand.class,
            ConductCommand.class,
            DeployCommand.class,
            DoctorCommand.class,
            PresetsCommand.class,
            ExplainCommand.class,
            SchemaCommand.class,
            CompletionCommand.class);

    /** Commands that say how a run, or a comparison or a trend of runs, ended. */
    private static final List<String> GATES =
            List.of("quick", "run", "capacity", "partitions", "tune", "compare", "runs");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Print the whole trace of an unexpected error instead of keeping it in a file.")
    private boolean debug;

    private Main() {}

    public static void main(String... args) {
        // Kafka's clients warn while they retry; what comes of it is told by our own messages.
        System.setProperty("logback.configurationFile", "weir/cli/logback.xml");
        // Where libraries look, as Maven's for the user's settings: a user of a container may have no passwd entry.
        String home = HomeFolders.ours().home();
        if (!home.isEmpty()) {
            System.setProperty("user.home", home);
        }
        // What Kafka's clients meet is told by us; a run keeps their own words in its folder.
        System.setProperty("weir.kafka.log", "OFF");
        System.exit(commandLine(args).execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? weir --help lists them");
    }

    /**
     * With results on standard output and the rest on standard error, both in UTF-8 whatever the locale. Where the first
     * argument names a command, it has no other: picocli takes long to look at all of them.
     */
    static CommandLine commandLine(String... args) {
        Main main = new Main();
        CommandLine line = new CommandLine(main).setOut(writer(System.out)).setErr(writer(System.err));
        List<Class<?>> asked = COMMANDS.stream()
                .filter(command -> args.length > 0 && args[0].equals(name(command)))
                .toList();
        (asked.isEmpty() ? COMMANDS : asked).forEach(line::addSubcommand);
        for (CommandLine command : line.getSubcommands().values()) {
            addHelp(command);
        }
        line.getSubcommands().forEach((name, command) -> {
            if (GATES.contains(name)) {
                addExits(command);
            }
        });
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

    /** An empty value comes from a variable that is not set; taken as none, it means another cluster, folder or release. */
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
                                ? option.replace("=", "") + ": the value is empty; give one, or leave the option out"
                                : "an argument is empty; give it, or leave it out");
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

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static void addExits(CommandLine command) {
        Map<String, String> exits = new LinkedHashMap<>();
        Stream.of(Exit.values())
                .sorted(Comparator.comparingInt(Exit::code))
                .forEach(exit -> exits.put(String.valueOf(exit.code()), exit.meaning()));
        command.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes (of several, the first of 1, 5, 4, 99, 98):%n")
                .exitCodeList(exits);
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec().addOption(help());
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
}
