package weir.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.cli.runs.HistoryOptions;
import weir.cli.watch.WatchOptions;
import weir.plan.Experiment;
import weir.plan.Rate;
import weir.plan.read.PlanReader;
import weir.plan.trial.SelfComparison;
import weir.results.RunFolder;
import weir.run.RunOptions;

/** The options of everything that runs an experiment, and running it with them. */
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
    private WatchOptions watching = new WatchOptions();

    @Mixin
    private ProfileOption profile = new ProfileOption();

    @Mixin
    private HistoryOptions history = new HistoryOptions();

    @Option(
            names = "--a-a",
            description =
                    "Compare the first variant with itself, at least four times each: how small a difference shows?")
    private boolean againstItself;

    @Option(names = "--yes", description = "Load a cluster that is not ours without asking.")
    private boolean yes;

    @Option(names = "--max-rate", paramLabel = "RATE", description = "Refuse to go above this rate, such as 5k/s.")
    private Rate maxRate = Rate.of(0);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    private Duration maxTime = Duration.ZERO;

    @Option(
            names = "--max-time",
            paramLabel = "TIME",
            description = "Start no trial after this time, such as 30m; --resume does the rest later.")
    void maxTime(Duration given) {
        if (given.isZero()) {
            throw new ParameterException(spec.commandLine(), "--max-time: must be more than 0s, such as 30m");
        }
        maxTime = given;
    }

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Finish this run: a folder, a name (its newest) or name~1.")
    private String resume = "";

    @Option(
            names = "--strict",
            description = "Exit with 4 when the run is suspect, too; caveats that the file accepts do not count.")
    private boolean strict;

    /**
     * The same for a weir in a pod, without those about files of this machine, to which its run is brought; {@code ours} as in
     * {@link #conduct}.
     */
    List<String> arguments(String... ours) {
        List<String> arguments = new ArrayList<>();
        for (String value : profile.over(ours)) {
            arguments.addAll(List.of("--set", value));
        }
        if (!options.on().isEmpty()) {
            arguments.addAll(List.of("--on", options.on()));
        }
        arguments.addAll(options.arguments());
        if (againstItself) {
            arguments.add("--a-a");
        }
        // Nobody could be asked there; whoever did not say so is refused here.
        arguments.add("--yes");
        if (maxRate.perSecond() > 0) {
            arguments.addAll(List.of("--max-rate", maxRate.perSecond() + "/s"));
        }
        if (!maxTime.isZero()) {
            arguments.addAll(List.of("--max-time", maxTime.toSeconds() + "s"));
        }
        if (strict) {
            arguments.add("--strict");
        }
        history.labels().labels().forEach((name, value) -> arguments.addAll(List.of("--label", name + "=" + value)));
        return arguments;
    }

    /** True when the cluster is not one that we start. */
    public boolean elsewhere() {
        return options.elsewhere();
    }

    /**
     * Runs the experiment of a file and hands over what it found; returns the exit code.
     *
     * @param opens whether to show the report in the browser
     * @param ours values of ours over those of the file, as in {@code --set}; the user's are laid over them
     */
    public int conduct(CommandSpec spec, Path file, boolean opens, String... ours) {
        profile.beside(againstItself, "--a-a");
        Experiment read = PlanReader.read(file, options.overrides(profile.over(ours)));
        profile.finds(read);
        Experiment experiment = againstItself ? SelfComparison.of(read) : read;
        history.check(spec.commandLine());
        boolean outside = experiment.inPods() && !InPods.conducts();
        if (outside && !resume.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--resume: a run in pods is not resumed; leave it out to begin anew, with --only for what is left");
        }
        if (outside && watching.asked()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--live, --metrics: a run in pods is not watched from here yet; leave them out, and read its"
                            + " report");
        }
        RunOptions settings = options(CommandText.of(spec));
        RunLauncher launcher = new RunLauncher(spec.commandLine(), format, outputs, watching, opens, history);
        if (!experiment.inPods()) {
            return launcher.conduct(experiment, settings);
        }
        InPods pods = new InPods(spec.commandLine(), launcher, experiment, settings);
        return outside ? pods.conduct(file, arguments(ours)) : pods.conduct();
    }

    RunOptions options(String command) {
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
                command,
                strict,
                history.labels());
    }
}
