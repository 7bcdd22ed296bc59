package weir.cli;

import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.plan.Rate;
import weir.results.RunFolder;
import weir.run.RunOptions;

/** The options of everything that runs an experiment. */
final class RunSettings {
    @Mixin
    private RunsFolder runs = new RunsFolder();

    @Option(names = "--yes", description = "Load a cluster that is not ours without asking.")
    private boolean yes;

    @Option(names = "--max-rate", paramLabel = "RATE", description = "Refuse to go above this rate, such as 5k/s.")
    private Rate maxRate = Rate.of(0);

    @Option(
            names = "--max-time",
            paramLabel = "TIME",
            description = "Start no trial after this time, such as 30m; --resume does the rest later.")
    private Duration maxTime = Duration.ZERO;

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Finish this run: a folder, a name (its newest) or name~1.")
    private String resume = "";

    RunOptions options(String command) {
        Path resumed = resume.isEmpty()
                ? Path.of("")
                : RunFolder.resolve(runs.path(), resume).path();
        return new RunOptions(
                runs.path(), yes, maxRate.perSecond(), maxTime.toMillis() / 1e3, resumed, Version.number(), command);
    }
}
