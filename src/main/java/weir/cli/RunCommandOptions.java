package weir.cli;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.cli.terminal.Browser;
import weir.cli.terminal.LineOutput;
import weir.cli.terminal.LiveDisplay;
import weir.cli.terminal.RunProgress;
import weir.feature.Features;
import weir.plan.Experiment;
import weir.plan.Rate;
import weir.plan.read.PlanReader;
import weir.plan.syntax.ShellWord;
import weir.plan.trial.SelfComparison;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.RunResult;
import weir.results.UnwritableDisk;
import weir.run.Exit;
import weir.run.RunOptions;
import weir.run.Runner;
import weir.run.lab.Lab;
import weir.run.lab.ProcessLab;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/** The options of every command that runs an experiment. This class also runs the experiment. */
public final class RunCommandOptions {
    @Mixin
    private ExperimentFileOptions options = new ExperimentFileOptions();

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private OutputOptions outputs = new OutputOptions();

    @Mixin
    private RunExtensions extensions = new RunExtensions(extension -> true);

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "Label of the run, for lists and trends, such as commit=4f2a91c. Repeatable.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = "--a-a",
            description = "Compare the first variant with a copy of itself. Each of the two gets at least four"
                    + " trials. The result is the smallest difference that this setup can detect.")
    private boolean againstItself;

    @Option(names = "--yes", description = "Load a cluster that Weir did not start, without asking for a confirmation.")
    private boolean yes;

    @Option(names = "--max-rate", paramLabel = "RATE", description = "Highest rate that Weir accepts, such as 5k/s.")
    private Rate maxRate = Rate.of(0);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    private Duration maxTime = Duration.ZERO;
    private boolean opens;
    private boolean shown;

    @Option(
            names = "--max-time",
            paramLabel = "TIME",
            description = "Start no trial after this time, such as 30m. --resume runs the remaining trials later.")
    void maxTime(Duration given) {
        if (given.isZero()) {
            throw new ParameterException(command(), "--max-time: must be more than 0s, found '0s'; write it like 30m");
        }
        maxTime = given;
    }

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Finish a run: its folder, a name (the newest run) or name~1 (the second newest run).")
    private String resume = "";

    @Option(
            names = "--strict",
            description = "Also exit with 4 if the run is suspect. Accepted caveats (accept) do not count.")
    private boolean strict;

    /** Returns the options for a Weir process in a pod, without options that name local files. */
    public List<String> arguments(String... ours) {
        List<String> arguments = new ArrayList<>();
        for (String value : extensions.over(ours)) {
            arguments.addAll(List.of("--set", value));
        }
        ExperimentFileOptions.add(arguments, !options.on().isEmpty(), "--on", options.on());
        arguments.addAll(options.arguments());
        ExperimentFileOptions.add(arguments, againstItself, "--a-a");
        // A pod cannot ask the user; the local process has checked the consent already.
        arguments.add("--yes");
        ExperimentFileOptions.add(arguments, maxRate.perSecond() > 0, "--max-rate", maxRate.perSecond() + "/s");
        ExperimentFileOptions.add(arguments, !maxTime.isZero(), "--max-time", maxTime.toSeconds() + "s");
        ExperimentFileOptions.add(arguments, strict, "--strict");
        labels.forEach((name, value) -> arguments.addAll(List.of("--label", name + "=" + value)));
        return arguments;
    }

    public boolean namesCluster() {
        return options.namesCluster();
    }

    /** Reads the experiment of an earlier run with this command line. */
    public Experiment read(Path file, String text) {
        String[] ours = Main.quickValues(command().getCommandName().equals("quick") && namesCluster());
        return asked(PlanReader.read(file, text, options.overrides(extensions.over(ours))));
    }

    private Experiment asked(Experiment read) {
        return againstItself ? SelfComparison.of(read) : read;
    }

    /**
     * Runs the experiment of a file and shows its result; returns the exit code.
     *
     * @param show true to open the report in the browser
     * @param ours values that override the file; the user's {@code --set} values override {@code ours}
     */
    public int conduct(Path file, boolean show, String... ours) {
        opens = show;
        Experiment read = PlanReader.read(file, options.overrides(extensions.over(ours)));
        extensions.check(command(), read);
        Experiment experiment = asked(read);
        for (Conductor conductor : Features.each(Conductor.class)) {
            OptionalInt exit = conductor.conduct(this, file, experiment, ours);
            if (exit.isPresent()) {
                return exit.getAsInt();
            }
        }
        return conduct(experiment, options(), ProcessLab::open);
    }

    public RunOptions options() {
        Path resumed = resume.isEmpty()
                ? Path.of("")
                : RunFolder.resolveUnfinished(runs.path(), resume).path();
        return new RunOptions(
                runs.path(),
                yes,
                maxRate.perSecond(),
                maxTime.toMillis() / 1e3,
                resumed,
                WeirVersion.number(),
                CommandText.of(spec),
                strict,
                labels());
    }

    RunLabels labels() {
        try {
            return new RunLabels(new TreeMap<>(labels));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command(), "--label: " + e.getMessage());
        }
    }

    public CommandLine command() {
        return spec.commandLine();
    }

    public int conduct(Experiment experiment, RunOptions options, Lab.Opener labs) {
        try (RunWatches watches = extensions.watch(command(), opens)) {
            // The browser already shows the live page, which becomes the report.
            shown = watches.any();
            RunResult result;
            int exit;
            ScheduledExecutorService clock =
                    Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-clock"));
            try (RunProgress progress =
                    new RunProgress(LineOutput.on(command().getErr()), MachineClock.STEADY, LiveDisplay::typed)) {
                var unused = clock.scheduleAtFixedRate(progress::tick, 1, 1, TimeUnit.SECONDS);
                Runner runner = new Runner(experiment, options, watches.listenedToBy(progress), labs);
                watches.stopBy(runner::interrupt);
                try (SignalHandler interrupts = new SignalHandler(runner::interrupt)) {
                    result = runner.run();
                    exit = interrupts.exit(result.exit());
                }
            } finally {
                clock.shutdown();
            }
            RunFolder folder = RunFolder.open(Path.of(result.run()));
            int shown = show(folder, () -> result, exit);
            watches.over(folder);
            return shown;
        }
    }

    /** Shows the result of a run; returns its exit code, or the code of a Weir fault if storing failed. */
    public int show(RunFolder folder, Supplier<RunResult> result, int exit) {
        Path report = report(folder);
        PrintWriter out = command().getOut();
        if (format.json()) {
            out.println(result.get().toJson());
        } else {
            out.println(TextReport.of(folder).stripTrailing());
            if (opens && !shown && LiveDisplay.columns() > 0 && Browser.available(System.getenv())) {
                var unused = Browser.open(report, System.getenv());
            }
        }
        // Last, so that the answer is printed even if an output cannot be written.
        boolean kept = written(OutputForm.OutputContent.of(folder, result, report))
                && extensions.keep(folder, command().getErr());
        return kept || exit != Exit.FINE.code() ? exit : Exit.OUR_FAULT.code();
    }

    private boolean written(OutputForm.OutputContent output) {
        try {
            outputs.write(output, command(), format);
            return true;
        } catch (UncheckedIOException e) {
            command()
                    .getErr()
                    .println(e.getMessage() + ": " + UnwritableDisk.reason(e).orElseThrow(() -> e));
            return false;
        }
    }

    private Path report(RunFolder folder) {
        try {
            return HtmlReport.write(folder);
        } catch (UncheckedIOException e) {
            String why = UnwritableDisk.reason(e).orElseThrow(() -> e);
            command()
                    .getErr()
                    .println("the report could not be written: " + why + "; free some space, then run: weir report "
                            + ShellWord.of(folder.path().toString()));
            return folder.report();
        }
    }
}
